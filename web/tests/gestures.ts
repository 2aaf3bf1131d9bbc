// Making a move as people do: by mouse, clicks, touch and keys.

import type { Page } from "playwright-core";
import { cell, middle } from "./harness";

export type Make = (page: Page, from: string, to: string) => Promise<void>;

export const byMouse: Make = async (page, from, to) => {
  const [a, b] = [await middle(page, from), await middle(page, to)];
  await page.mouse.move(a.x, a.y);
  await page.mouse.down();
  await page.mouse.move((a.x + b.x) / 2, (a.y + b.y) / 2, { steps: 4 });
  await page.mouse.move(b.x, b.y, { steps: 4 });
  await page.mouse.up();
};

export const byClicks: Make = async (page, from, to) => {
  await cell(page, from).click();
  await cell(page, to).click();
};

export const byTouch: Make = async (page, from, to) => {
  await cell(page, from).tap();
  await cell(page, to).tap();
};

export const byKeys: Make = async (page, from, to) => {
  const walk = async (square: string) => {
    for (let steps = 0; steps < 20; steps++) {
      const at = await page.evaluate(() => (document.activeElement as HTMLElement).dataset["square"] ?? "");
      if (at === square) return;
      const [file, rank] = [at.charCodeAt(0) - square.charCodeAt(0), Number(at[1]) - Number(square[1])];
      await page.keyboard.press(file < 0 ? "ArrowRight" : file > 0 ? "ArrowLeft" : rank < 0 ? "ArrowUp" : "ArrowDown");
    }
  };
  await page.locator('[role=gridcell][tabindex="0"]').focus();
  await walk(from);
  await page.keyboard.press("Enter");
  await walk(to);
  await page.keyboard.press("Enter");
};
