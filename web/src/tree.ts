// The moves of a game, with variations: what was played, what might have been, and what is said about it.

import type { GameRecord, GameRef, Judgement, RecordLine, RecordNode, Side } from "./api";

export interface TreeNode {
  id: number;
  parent: TreeNode | null;
  /** The first child is the main line. */
  children: TreeNode[];
  move: string;
  san: string;
  captures: string | null;
  fen: string;
  nags: number[];
  comment: string;
  /** What the engine thought of the position, for the side to move. */
  judged?: Judgement;
  /** The engine's choice here, if it was another. */
  best?: string;
  bestSan?: string[];
}

export const START = "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w - - 0 1";

interface Saved {
  fen: string;
  rules: string;
  tags: Record<string, string>;
  result?: string | null;
  root: SavedNode;
  at: number[];
}
interface SavedNode {
  m: string;
  s: string;
  c: string | null;
  f: string;
  n?: number[];
  t?: string;
  k?: SavedNode[];
}

let counter = 0;

function makeNode(parent: TreeNode | null, move: string, san: string, captures: string | null, fen: string): TreeNode {
  return { id: ++counter, parent, children: [], move, san, captures, fen, nags: [], comment: "" };
}

export class Tree {
  root: TreeNode;
  current: TreeNode;
  tags: Record<string, string> = {};
  /** How the game ended, where the board does not say it: `1-0`, `0-1`, `1/2-1/2`. */
  result: string | null = null;

  constructor(
    readonly fen: string,
    readonly rules: string,
  ) {
    this.root = makeNode(null, "", "", null, fen);
    this.current = this.root;
  }

  /** The nodes from the root to this one, the root left out. */
  path(node: TreeNode = this.current): TreeNode[] {
    const nodes: TreeNode[] = [];
    for (let at: TreeNode | null = node; at?.parent; at = at.parent) nodes.unshift(at);
    return nodes;
  }

  ref(node: TreeNode = this.current): GameRef {
    return { fen: this.fen, rules: this.rules, moves: this.path(node).map((n) => n.move) };
  }

  /** The main line from the root. */
  mainLine(): TreeNode[] {
    const nodes: TreeNode[] = [];
    for (let at = this.root.children[0]; at; at = at.children[0]) nodes.push(at);
    return nodes;
  }

  get end(): TreeNode {
    return this.mainLine().at(-1) ?? this.root;
  }

  /** Goes down a move, adding it if it is new. */
  add(move: string, san: string, captures: string | null, fen: string, from: TreeNode = this.current): TreeNode {
    const known = from.children.find((child) => child.move === move);
    if (known) return known;
    const node = makeNode(from, move, san, captures, fen);
    from.children.push(node);
    return node;
  }

  /** Takes a node and all below it away. */
  remove(node: TreeNode): void {
    if (!node.parent) return;
    node.parent.children = node.parent.children.filter((child) => child !== node);
    if (this.path().includes(node)) this.current = node.parent;
  }

  /** Makes a variation the main line where it branches off. */
  promote(node: TreeNode): void {
    for (let at = node; at.parent; at = at.parent) {
      const { children } = at.parent;
      if (children[0] !== at) {
        at.parent.children = [at, ...children.filter((child) => child !== at)];
        return;
      }
    }
  }

  find(id: number, at: TreeNode = this.root): TreeNode | null {
    if (at.id === id) return at;
    for (const child of at.children) {
      const found = this.find(id, child);
      if (found) return found;
    }
    return null;
  }

  /** The main line alone, in a tree of its own. */
  copy(): Tree {
    return Tree.load(this.save());
  }

  save(): Saved {
    const pack = (node: TreeNode): SavedNode => ({
      m: node.move,
      s: node.san,
      c: node.captures,
      f: node.fen,
      ...(node.nags.length ? { n: node.nags } : {}),
      ...(node.comment ? { t: node.comment } : {}),
      ...(node.children.length ? { k: node.children.map(pack) } : {}),
    });
    const at = this.path().map((node) => node.parent!.children.indexOf(node));
    return { fen: this.fen, rules: this.rules, tags: this.tags, result: this.result, root: pack(this.root), at };
  }

  static load(saved: Saved): Tree {
    const tree = new Tree(saved.fen, saved.rules);
    tree.tags = saved.tags;
    tree.result = saved.result ?? null;
    const unpack = (packed: SavedNode, node: TreeNode): void => {
      node.nags = packed.n ?? [];
      node.comment = packed.t ?? "";
      for (const child of packed.k ?? []) {
        const made = makeNode(node, child.m, child.s, child.c, child.f);
        node.children.push(made);
        unpack(child, made);
      }
    };
    unpack(saved.root, tree.root);
    for (const index of saved.at) tree.current = tree.current.children[index] ?? tree.current;
    return tree;
  }

  toRecord(): GameRecord {
    const said = (text: string) => (text ? [text] : []);
    const pack = (node: TreeNode): RecordNode => ({
      move: node.move,
      san: node.san,
      captures: node.captures,
      fen: node.fen,
      nags: node.nags,
      comments: said(node.comment),
      variations: [],
    });
    // A line goes on along first children; the others of each step are variations of the first.
    const line = (from: TreeNode, first: TreeNode | undefined): RecordLine => {
      const moves: RecordNode[] = [];
      for (let at = first, parent = from; at; parent = at, at = at.children[0]) {
        const packed = pack(at);
        if (at === parent.children[0]) {
          packed.variations = parent.children.slice(1).map((other) => line(parent, other));
        }
        moves.push(packed);
      }
      return { comments: [], moves };
    };
    const whole = line(this.root, this.root.children[0]);
    whole.comments = said(this.root.comment);
    return { tags: this.tags, rules: this.rules, fen: this.fen, result: this.result, line: whole };
  }

  static fromRecord(record: GameRecord): Tree {
    const tree = new Tree(record.fen, record.rules);
    tree.tags = record.tags;
    tree.result = record.result === "*" ? null : record.result;
    const unpack = (line: RecordLine, from: TreeNode): void => {
      let at = from;
      for (const packed of line.moves) {
        const node = tree.add(packed.move, packed.san, packed.captures, packed.fen, at);
        node.nags = packed.nags;
        node.comment = packed.comments.join(" ");
        for (const variation of packed.variations) unpack(variation, at);
        at = node;
      }
    };
    tree.root.comment = record.line.comments.join(" ");
    unpack(record.line, tree.root);
    return tree;
  }
}

/** Who is to move in a FEN. */
export function turnOf(fen: string): Side {
  return fen.split(" ")[1] === "b" ? "black" : "white";
}

/** The number of the move about to be made. */
export function moveNumber(fen: string): number {
  return Number(fen.split(" ")[5] ?? 1);
}

/** The position after a move; of its counters, only those of moves and captures are known. */
export function fenAfter(fen: string, { move, captures }: { move: string; captures: string | null }): string {
  const pieces = piecesOf(fen);
  const [from, to] = [move.slice(0, 2), move.slice(2, 4)];
  pieces.set(to, pieces.get(from)!);
  pieces.delete(from);
  const black = turnOf(fen) === "black";
  const quiet = captures ? 0 : Number(fen.split(" ")[4] ?? 0) + 1;
  return `${boardOf(pieces)} ${black ? "w" : "b"} - - ${quiet} ${moveNumber(fen) + (black ? 1 : 0)}`;
}

/** What stands on each square of a FEN's board, by name. */
export function piecesOf(fen: string): Map<string, string> {
  const pieces = new Map<string, string>();
  const rows = (fen.split(" ")[0] ?? "").split("/");
  rows.forEach((row, index) => {
    let file = 0;
    for (const letter of row) {
      const empty = Number(letter);
      if (empty) file += empty;
      else pieces.set("abcdefg"[file++] + String(9 - index), letter);
    }
  });
  return pieces;
}

/** The board of a FEN, from what stands where. */
export function boardOf(pieces: Map<string, string>): string {
  const rows: string[] = [];
  for (let rank = 9; rank >= 1; rank--) {
    let row = "";
    let empty = 0;
    for (const file of "abcdefg") {
      const letter = pieces.get(file + rank);
      if (!letter) {
        empty++;
        continue;
      }
      if (empty) row += empty;
      empty = 0;
      row += letter;
    }
    rows.push(row + (empty || ""));
  }
  return rows.join("/");
}
