// Where the page of the gadgets begins.

import { Page } from "./page";

async function loadArt(): Promise<void> {
  const response = await fetch("art.svg");
  const sheet = new DOMParser().parseFromString(await response.text(), "image/svg+xml").documentElement;
  sheet.setAttribute("aria-hidden", "true");
  sheet.classList.add("art");
  document.body.prepend(document.importNode(sheet, true));
}

const page = new Page();
document.getElementById("app")!.append(page.element);
void loadArt().catch(() => {});
void page.open();
