// The evaluation over a game, Red's chances upwards.

import { fill, h, s } from "./dom";
import { t } from "./i18n";
import { redShare } from "./words";
import { turnOf, type Tree, type TreeNode } from "./tree";

const WIDTH = 600;
const HEIGHT = 120;

export class Graph {
  readonly element = h("div", { class: "graph" });

  constructor(private readonly go: (node: TreeNode) => void) {}

  show(tree: Tree): void {
    const nodes = [tree.root, ...tree.mainLine()];
    const known = nodes.filter((node) => node.judged);
    this.element.hidden = known.length < 2;
    if (this.element.hidden) return;
    const x = (index: number) => (nodes.length > 1 ? (index / (nodes.length - 1)) * WIDTH : 0);
    const points = nodes.flatMap((node, index) =>
      node.judged ? [{ index, node, x: x(index), y: HEIGHT * (1 - redShare(node.judged, turnOf(node.fen))) }] : [],
    );
    const line = points.map((p) => `${p.x.toFixed(1)} ${p.y.toFixed(1)}`).join("L");
    const first = points[0]!.x;
    const last = points.at(-1)!.x;
    const svg = s(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": t("graph") },
      s("rect", { width: WIDTH, height: HEIGHT, class: "graph-black" }),
      s("path", { d: `M${first} ${HEIGHT}L${line}L${last} ${HEIGHT}z`, class: "graph-white" }),
      s("path", { d: `M0 ${HEIGHT / 2}H${WIDTH}`, class: "graph-middle" }),
      s("path", { d: `M${line}`, class: "graph-line" }),
      points
        .filter((p) => p.node.nags.some((nag) => nag === 2 || nag === 4 || nag === 6))
        .map((p) => s("circle", { cx: p.x, cy: p.y, r: 4, class: `graph-nag nag-${p.node.nags[0]}` })),
    );
    const at = nodes.indexOf(tree.current);
    if (at >= 0) svg.append(s("path", { d: `M${x(at)} 0V${HEIGHT}`, class: "graph-cursor" }));
    svg.addEventListener("click", (event) => {
      const box = svg.getBoundingClientRect();
      const index = Math.round((((event as MouseEvent).clientX - box.left) / box.width) * (nodes.length - 1));
      const node = nodes[index];
      if (node) this.go(node);
    });
    fill(this.element, svg);
  }
}
