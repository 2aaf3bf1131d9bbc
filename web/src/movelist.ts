// The moves as a list: the main line in two columns, variations and comments between.

import { fill, h } from "./dom";
import { t } from "./i18n";
import { moveText } from "./words";
import { moveNumber, turnOf, type Tree, type TreeNode } from "./tree";

export const NAGS: Record<number, string> = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!" };

export class MoveList {
  readonly element = h("div", { class: "moves", tabindex: "0", role: "group" });

  constructor(private readonly go: (node: TreeNode) => void) {
    this.element.addEventListener("click", (event) => {
      const button = (event.target as HTMLElement).closest<HTMLElement>("[data-node]");
      const node = button && this.tree?.find(Number(button.dataset["node"]));
      if (node) this.go(node);
    });
  }
  private tree: Tree | null = null;

  show(tree: Tree): void {
    this.tree = tree;
    this.element.setAttribute("aria-label", t("moves"));
    const rows: Node[] = [];
    if (tree.root.comment) rows.push(h("p", { class: "comment" }, tree.root.comment));
    if (!tree.root.children.length) rows.push(h("p", { class: "quiet" }, t("noMoves")));
    else this.mainLine(tree.root, rows);
    fill(this.element, rows);
    const current = this.element.querySelector<HTMLElement>('[aria-current="true"]');
    if (current) {
      const { offsetTop, offsetHeight } = current;
      const { scrollTop, clientHeight } = this.element;
      if (offsetTop < scrollTop || offsetTop + offsetHeight > scrollTop + clientHeight) {
        this.element.scrollTop = offsetTop - clientHeight / 2;
      }
    } else {
      this.element.scrollTop = 0;
    }
  }

  private mainLine(from: TreeNode, rows: Node[]): void {
    let row: HTMLElement | null = null;
    for (let parent = from, node = from.children[0]; node; parent = node, node = node.children[0]) {
      const red = turnOf(parent.fen) === "white";
      if (red || !row) {
        row = h("div", { class: "pair" }, h("span", { class: "number" }, `${moveNumber(parent.fen)}.`));
        if (!red) row.append(h("span", { class: "gap" }, "…"));
        rows.push(row);
      }
      row.append(this.button(node));
      const others = parent.children.slice(1);
      if (node.comment || others.length) {
        if (node.comment) rows.push(h("p", { class: "comment" }, node.comment));
        for (const variation of others) rows.push(h("div", { class: "variation" }, this.variation(parent, variation)));
        row = null;
      }
    }
  }

  private variation(from: TreeNode, first: TreeNode): Node[] {
    const nodes: Node[] = [];
    let numbered = false;
    for (let parent = from, node: TreeNode | undefined = first; node; parent = node, node = node.children[0]) {
      const red = turnOf(parent.fen) === "white";
      if (red || !numbered) nodes.push(h("span", { class: "number" }, `${moveNumber(parent.fen)}${red ? "." : "…"}`));
      numbered = true;
      nodes.push(this.button(node));
      if (node.comment) {
        nodes.push(h("span", { class: "comment" }, node.comment));
        numbered = false;
      }
      if (node !== first) {
        for (const other of parent.children.slice(1)) {
          nodes.push(h("div", { class: "variation" }, this.variation(parent, other)));
          numbered = false;
        }
      }
    }
    return nodes;
  }

  private button(node: TreeNode): HTMLElement {
    const marks = node.nags.map((nag) => NAGS[nag] ?? "").join("");
    const current = node === this.tree?.current;
    return h(
      "button",
      { type: "button", class: "san", "data-node": node.id, "aria-current": current ? "true" : null },
      moveText(node.san),
      marks ? h("span", { class: `nag nag-${node.nags[0]}` }, marks) : null,
    );
  }
}
