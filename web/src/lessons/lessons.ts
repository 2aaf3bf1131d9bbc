// The lessons: small boards on which one learns the game by playing it. Red is the learner.
//
// What is taught follows from the rules chosen: a step that needs a rule says so (`when`), and a step whose text
// differs by rule names the text that fits. `solution` is one way through; it is the hint, and what the tests play.

import type { Switches } from "../rules";

export type Goal =
  /** Walk to every star; nobody answers. */
  | { kind: "stars"; squares: string[] }
  /** Take all enemies; nobody answers. */
  | { kind: "take" }
  /** Find one of these moves. */
  | { kind: "find"; moves: string[] }
  /** Win against the computer. */
  | { kind: "win"; level: string };

export interface Step {
  fen: string;
  /** The key of its text. */
  text: string;
  goal: Goal;
  solution: string[];
  /** The key of what is said to a move that is allowed but wrong, by move; `else` for all others. */
  wrong?: Record<string, string>;
}

export interface Lesson {
  id: string;
  /** An animal for its picture. */
  letter: string;
  steps: (now: Switches) => (Step | null)[];
}

const can = (now: Switches, name: string, way: "lengthwise" | "sideways") =>
  now[`${name}-jumps`] === way || now[`${name}-jumps`] === "both";

/** A step, if the rules have what it teaches. */
const when = (condition: boolean, step: Step): Step | null => (condition ? step : null);

/** The animal that jumps this way, the lion first. */
const jumper = (now: Switches, way: "lengthwise" | "sideways"): string | undefined =>
  [
    ["L", "lion"],
    ["T", "tiger"],
    ["P", "panther"],
  ].find(([, name]) => can(now, name!, way))?.[0];

export const LESSONS: Lesson[] = [
  {
    id: "step",
    letter: "D",
    steps: () => [
      { fen: "7/7/7/7/7/7/7/2D4/7", text: "step1", goal: { kind: "stars", squares: ["c3"] }, solution: ["c2c3"] },
      {
        fen: "7/7/7/7/7/7/2D4/7/7",
        text: "step2",
        goal: { kind: "stars", squares: ["d4", "e3"] },
        solution: ["c3d3", "d3d4", "d4d3", "d3e3"],
      },
    ],
  },
  {
    id: "strength",
    letter: "T",
    steps: () => [
      { fen: "7/7/7/7/7/3w3/2cT3/7/7", text: "strength1", goal: { kind: "take" }, solution: ["d3c3", "c3d3", "d3d4"] },
      {
        fen: "7/7/7/7/7/7/2dPl2/7/7",
        text: "strength2",
        goal: { kind: "find", moves: ["d3c3"] },
        solution: ["d3c3"],
        wrong: { else: "strength2_wrong" },
      },
      { fen: "7/7/7/7/7/3t3/3T3/7/7", text: "strength3", goal: { kind: "take" }, solution: ["d3d4"] },
    ],
  },
  {
    id: "rat",
    letter: "R",
    steps: (now) => [
      { fen: "7/7/7/7/7/7/2Re3/7/7", text: "rat1", goal: { kind: "take" }, solution: ["c3d3"] },
      now["elephant-takes-rat"] === "yes"
        ? { fen: "7/7/7/7/7/7/2rE3/7/7", text: "rat2_takes", goal: { kind: "take" }, solution: ["d3c3"] }
        : {
            fen: "7/7/7/7/7/7/2rE3/7/7",
            text: "rat2",
            goal: { kind: "find", moves: ["d3e3", "d3d4", "d3d2"] },
            solution: ["d3e3"],
          },
    ],
  },
  {
    id: "water",
    letter: "R",
    steps: () => [
      {
        fen: "7/7/7/7/7/7/1R5/7/7",
        text: "water1",
        goal: { kind: "stars", squares: ["b5", "b7"] },
        solution: ["b3b4", "b4b5", "b5b6", "b6b7"],
      },
      {
        fen: "7/7/7/7/7/7/1W5/7/7",
        text: "water2",
        goal: { kind: "stars", squares: ["b7"] },
        solution: ["b3a3", "a3a4", "a4a5", "a5a6", "a6a7", "a7b7"],
      },
    ],
  },
  {
    id: "jump",
    letter: "L",
    steps: (now) => {
      const along = jumper(now, "lengthwise");
      const across = jumper(now, "sideways");
      return [
        when(along !== undefined, {
          fen: `7/7/7/7/7/7/1${along}5/7/7`,
          text: "jump1",
          goal: { kind: "find", moves: ["b3b7"] },
          solution: ["b3b7"],
          wrong: { else: "jump_wrong" },
        }),
        when(across !== undefined, {
          fen: `7/7/7/7/${across}2p3/7/7/7/7`,
          text: "jump2",
          goal: { kind: "find", moves: ["a5d5"] },
          solution: ["a5d5"],
          wrong: { else: "jump_wrong" },
        }),
        when(can(now, "tiger", "lengthwise") && can(now, "tiger", "sideways"), {
          fen: "7/7/2c4/7/7/7/2T4/7/7",
          text: "jump3",
          goal: { kind: "take" },
          solution: ["c3c7"],
        }),
      ];
    },
  },
  {
    id: "block",
    letter: "R",
    steps: (now) => {
      const along = jumper(now, "lengthwise");
      return [
        when(along !== undefined, {
          fen: `7/7/7/7/1r5/7/1${along}5/7/7`,
          text: "block1",
          goal: { kind: "stars", squares: ["c7"] },
          solution: ["b3c3", "c3c7"],
        }),
        when(can(now, "lion", "lengthwise"), {
          fen: "7/7/1l5/7/R6/7/1D5/7/7",
          text: "block2",
          goal: { kind: "find", moves: ["a5b5"] },
          solution: ["a5b5"],
          wrong: { else: "block2_wrong" },
        }),
      ];
    },
  },
  {
    id: "shore",
    letter: "R",
    steps: (now) => [
      now["shore"] === "open"
        ? {
            fen: "7/7/7/7/7/1R5/1e5/7/7",
            text: "shore1_open",
            goal: { kind: "find", moves: ["b4b3"] },
            solution: ["b4b3"],
            wrong: { else: "shore1_open_wrong" },
          }
        : {
            fen: "7/7/7/7/7/1R5/1e5/7/7",
            text: "shore1",
            goal: { kind: "take" },
            solution: ["b4a4", "a4a3", "a3b3"],
          },
      when(now["shore"] === "rats" || now["shore"] === "not-elephant", {
        fen: "7/7/7/7/7/rR5/7/7/7",
        text: "shore2_rats",
        goal: { kind: "take" },
        solution: ["b4a4"],
      }),
      { fen: "7/7/7/7/1r5/1R5/7/7/7", text: "shore3", goal: { kind: "take" }, solution: ["b4b5"] },
    ],
  },
  {
    id: "traps",
    letter: "C",
    steps: (now) => [
      { fen: "7/7/7/7/7/7/7/2Cl3/7", text: "traps1", goal: { kind: "take" }, solution: ["c2d2"] },
      {
        fen: "7/2W1d2/7/7/7/7/7/7/7",
        text: now["traps"] === "everybody" ? "traps2_everybody" : "traps2",
        goal: { kind: "find", moves: ["c8c9"] },
        solution: ["c8c9"],
        wrong: { c8d8: "traps2_taken", else: "traps2_wrong" },
      },
    ],
  },
  {
    id: "den",
    letter: "W",
    steps: () => [
      {
        fen: "7/2W4/7/7/7/7/7/7/7",
        text: "den1",
        goal: { kind: "stars", squares: ["d9"] },
        solution: ["c8d8", "d8d9"],
      },
      {
        fen: "7/7/7/7/7/7/7/7/2D4",
        text: "den2",
        goal: { kind: "stars", squares: ["e1"] },
        solution: ["c1c2", "c2d2", "d2e2", "e2e1"],
      },
    ],
  },
  {
    id: "race",
    letter: "P",
    steps: () => [
      {
        fen: "7/7/P6/7/7/7/6p/7/7",
        text: "race1",
        goal: { kind: "win", level: "elephant" },
        solution: [],
      },
    ],
  },
  {
    id: "parity",
    letter: "W",
    steps: (): Step[] => [
      {
        fen: "7/7/3w3/7/7/3W3/7/7/7",
        text: "parity1",
        goal: { kind: "find", moves: ["d4d5"] },
        solution: ["d4d5"],
        wrong: { d4d3: "parity1_back", else: "parity1_wrong" },
      },
      {
        fen: "7/7/3w3/7/7/3W3/7/7/7",
        text: "parity2",
        goal: { kind: "win", level: "elephant" },
        solution: [],
      },
      {
        fen: "7/7/7/3w3/7/W6/7/7/7",
        text: "parity3",
        goal: { kind: "find", moves: ["a4a3"] },
        solution: ["a4a3"],
        wrong: { else: "parity3_wrong" },
      },
    ],
  },
  {
    id: "plan",
    letter: "E",
    steps: () => [
      {
        fen: "7/1c5/4d2/7/7/7/4T2/1W5/5R1",
        text: "plan1",
        goal: { kind: "win", level: "rat" },
        solution: [],
      },
    ],
  },
];

/** The steps of a lesson under these rules. */
export function stepsOf(lesson: Lesson, now: Switches): Step[] {
  return lesson.steps(now).filter((step) => step !== null);
}

/** The rules of a lesson's board: those chosen, but one may be alone on it. */
export function lessonRules(rules: string): string {
  return rules.includes("annihilation-wins=") ? rules : `${rules},annihilation-wins=no`;
}
