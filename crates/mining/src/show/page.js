const water = (f, r) => [1, 2, 4, 5].includes(f) && r >= 3 && r <= 5;
const trap = (f, r) => ((r === 0 || r === 8) && (f === 2 || f === 4)) || (f === 3 && (r === 1 || r === 7));
const den = (f, r) => f === 3 && (r === 0 || r === 8);
const frame = document.querySelector("#board div");
const caption = document.querySelector("#board figcaption");

function draw(fen) {
  const size = 30, parts = [];
  for (let r = 0; r < 9; r++) for (let f = 0; f < 7; f++) {
    const fill = water(f, r) ? "#9cc7e0" : den(f, r) ? "#5c4a3d" : trap(f, r) ? "#d9a66b" : "#e6dfc4";
    parts.push(`<rect x="${f * size}" y="${(8 - r) * size}" width="${size}" height="${size}" fill="${fill}" stroke="#fff8"/>`);
  }
  fen.split(" ")[0].split("/").forEach((row, down) => {
    let f = 0;
    for (const c of row) {
      if (c >= "1" && c <= "7") { f += Number(c); continue; }
      const white = c === c.toUpperCase(), x = (f + .5) * size, y = (down + .5) * size;
      parts.push(white
        ? `<circle cx="${x}" cy="${y}" r="12" fill="#c0392b"/>`
        : `<rect x="${x - 11}" y="${y - 11}" width="22" height="22" rx="5" fill="#1f4e9c"/>`);
      parts.push(`<text x="${x}" y="${y + 5}" text-anchor="middle" font-size="15" font-weight="bold" fill="#fff">${c}</text>`);
      f++;
    }
  });
  frame.innerHTML = `<svg viewBox="0 0 ${7 * size} ${9 * size}" role="img" aria-label="${fen}">${parts.join("")}</svg>`;
  caption.textContent = fen;
}

for (const node of document.querySelectorAll("[data-fen]"))
  for (const event of ["mouseenter", "focus", "click"])
    node.addEventListener(event, () => draw(node.dataset.fen));
const first = document.querySelector("[data-fen]");
if (first) draw(first.dataset.fen);
const all = open => document.querySelectorAll("details").forEach(d => { d.open = open; });
document.getElementById("open").onclick = () => all(true);
document.getElementById("close").onclick = () => all(false);
