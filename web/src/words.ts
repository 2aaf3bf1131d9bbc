// Moves, scores and endings in words.

import type { Ending, Judgement, Score, Side } from "./api";
import { animalName, currentLanguage, maybe, sideName, t } from "./i18n";
import { turnOf, type TreeNode } from "./tree";

export function other(side: Side): Side {
  return side === "white" ? "black" : "white";
}

/** The animals as Chinese readers write them, in both scripts. */
const HANZI: Record<string, string> = {
  象: "E",
  狮: "L",
  獅: "L",
  虎: "T",
  豹: "P",
  狼: "W",
  狗: "D",
  犬: "D",
  猫: "C",
  貓: "C",
  鼠: "R",
};

/** A typed move as the server reads it: animals may be written 象 or E. */
export function readMove(text: string): string {
  return [...text.replace(/[吃×]/g, "x")].map((sign) => HANZI[sign] ?? sign).join("");
}

/** A move as the reader writes it: Ea4, or 象a4. */
export function moveText(san: string): string {
  if (currentLanguage() === "en") return san;
  return san.replace(/[ELTPWDCR]/g, (letter) => animalName(letter));
}

/** “Red: elephant takes wolf on c3”. */
export function moveWords(node: TreeNode): string {
  const side = other(turnOf(node.fen));
  const blanks = {
    side: sideName(side),
    animal: animalName(node.san[0]!),
    square: node.move.slice(2, 4),
    victim: node.captures ? animalName(node.captures) : "",
  };
  return t(node.captures ? "movedTakes" : "moved", blanks);
}

/** A hint in words: “Try lion to g2”. */
export function hintWords(san: string, move: string, captures: string | null): string {
  const blanks = {
    animal: animalName(san[0]!),
    square: move.slice(2, 4),
    victim: captures ? animalName(captures) : "",
  };
  return t(captures ? "hintTakes" : "hintIs", blanks);
}

/** The heading and the explanation of an ending. */
export function endingWords(ending: Ending, you: Side | null): { title: string; text: string } {
  const { winner, reason } = ending;
  if (!winner) return { title: t("drawn"), text: maybe(`end_draw_${reason}`) ?? ending.text };
  const blanks = { winner: sideName(winner), loser: sideName(other(winner)) };
  const title = you ? t(you === winner ? "youWin" : "youLose") : t("wins", { side: sideName(winner) });
  return { title, text: maybe(`end_${reason}`, blanks) ?? ending.text };
}

/** A score as Red sees it, short: +1.2, −0.4, #7, =. */
export function scoreText(score: Score, turn: Side): string {
  const sign = turn === "white" ? 1 : -1;
  if ("draw" in score) return "=";
  if ("cp" in score) {
    const value = (sign * score.cp) / 100;
    const text = Math.abs(value).toFixed(Math.abs(value) < 10 ? 1 : 0);
    return (text === "0.0" ? "" : value < 0 ? "−" : "+") + text;
  }
  const [plies, wins] = "win" in score ? [score.win, true] : [score.loss, false];
  const redWins = wins === (turn === "white");
  // The game is over.
  if (plies === 0) return redWins ? "1–0" : "0–1";
  return (redWins ? "" : "−") + "#" + plies;
}

/** How much of the evaluation bar is Red's, from 0 to 1. */
export function redShare({ score, chances }: Judgement, turn: Side): number {
  const mover = chances ? (chances.win + chances.draw / 2) / 1000 : "win" in score ? 1 : "loss" in score ? 0 : 0.5;
  return turn === "white" ? mover : 1 - mover;
}

export function shortNumber(value: number): string {
  if (value >= 1e9) return (value / 1e9).toFixed(1) + "G";
  if (value >= 1e6) return (value / 1e6).toFixed(1) + "M";
  if (value >= 1e3) return (value / 1e3).toFixed(0) + "k";
  return String(value);
}
