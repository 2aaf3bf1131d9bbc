// Making elements, the short way.

type Child = Node | string | null | undefined | false;
type Props = Record<string, unknown>;

/** An element with properties, listeners (`onclick`) and children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: (Child | Child[])[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  apply(element, props);
  add(element, children);
  return element;
}

/** The same for SVG. */
export function s(tag: string, props: Props = {}, ...children: (Child | Child[])[]): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(props)) {
    if (value !== undefined && value !== null && value !== false) element.setAttribute(name, String(value));
  }
  add(element, children);
  return element;
}

function apply(element: HTMLElement, props: Props): void {
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), value as EventListener);
    } else if (name === "class") {
      element.className = String(value);
    } else if (name === "value" || name === "checked" || name === "disabled" || name === "selected") {
      (element as unknown as Props)[name] = value;
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
}

function add(element: Element, children: (Child | Child[])[]): void {
  for (const child of children.flat()) {
    if (child) element.append(child);
  }
}

/** Replaces all children. */
export function fill(element: Element, ...children: (Child | Child[])[]): void {
  element.replaceChildren();
  add(element, children);
}

/** Redraws something; what had the focus in it has it again, if it is still there under its id. */
export function keepingFocus(draw: () => void): void {
  const id = document.activeElement?.id;
  draw();
  if (id && document.activeElement?.id !== id) document.getElementById(id)?.focus();
}

/** A small picture for buttons: paths on a 24 by 24 grid. */
export function icon(name: keyof typeof ICONS): SVGElement {
  return s(
    "svg",
    {
      viewBox: "0 0 24 24",
      class: "icon",
      "aria-hidden": "true",
      fill: "none",
      stroke: "currentColor",
      "stroke-width": 2,
      "stroke-linecap": "round",
      "stroke-linejoin": "round",
    },
    s("path", { d: ICONS[name] }),
  );
}

const ICONS = {
  first: "M18 6l-6 6 6 6M7 6v12",
  back: "M15 6l-6 6 6 6",
  forward: "M9 6l6 6-6 6",
  last: "M6 6l6 6-6 6M17 6v12",
  flip: "M7 4v14M7 18l-3-3M7 18l3-3M17 20V6M17 6l-3 3M17 6l3 3",
  undo: "M9 8H15a4.5 4.5 0 0 1 0 9H8M9 8l3-3M9 8l3 3",
  hint: "M9 18h6M10 21h4M8.5 14.5a6 6 0 1 1 7 0c-.6.5-.9 1-1 1.8h-5c-.1-.8-.4-1.300-1-1.800z",
  settings: "M4 7h10M18 7h2M4 17h2M10 17h10M16 5v4M8 15v4M4 12h4M12 12h8M10 10v4",
  flag: "M6 21V4M6 4h11l-2 4 2 4H6",
  copy: "M9 9h10v11H9zM5 15V4h10",
  download: "M12 4v11M12 15l-4-4M12 15l4-4M5 20h14",
  play: "M8 5l11 7-11 7z",
  stop: "M7 7h10v10H7z",
  hand: "M12 3v18M3 12h18M12 3l-3 3M12 3l3 3M12 21l-3-3M12 21l3-3M3 12l3-3M3 12l3 3M21 12l-3-3M21 12l-3 3",
  eraser: "M9 20H20M4.500 15.500l9-10 6 5.500-8 9H8.500zM9.500 10l6 5.500",
  equal: "M6 9.500h12M6 14.500h12",
  star: "M12 4l2.400 5.300 5.600.600-4.200 3.900 1.200 5.700L12 16.600 7 19.500l1.200-5.700L4 9.900l5.600-.600z",
  check: "M5 12.500l4.500 4.500L19 7.500",
  close: "M6 6l12 12M18 6L6 18",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  fit: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  book: "M5 5h6a2 2 0 0 1 2 2v12a2 2 0 0 0-2-2H5zM19 5h-4a2 2 0 0 0-2 2M19 5v12h-4a2 2 0 0 0-2 2",
  share:
    "M8 12l8-5M8 12l8 5M6 10a2 2 0 1 0 0 4 2 2 0 0 0 0-4M18 4a2 2 0 1 0 0 4 2 2 0 0 0 0-4M18 16a2 2 0 1 0 0 4 2 2 0 0 0 0-4",
  search: "M11 5a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM20 20l-4.500-4.500",
};
