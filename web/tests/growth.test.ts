// The tree of a complexity-driven search, watched in a real browser: for both games, against what the server says.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AxeBuilder } from "@axe-core/playwright";
import type { EscapeSearch } from "../src/growth";
import { DESKTOP, link, PHONE, Stage } from "./harness";

const stage = new Stage("--max-searches", "4");

const START = "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w";

describe("a tree as it grows", () => {
  test("Jungle: what escaped and why, the budget, and the tree at every time", async () => {
    const { page, faults } = await stage.open(DESKTOP, link(START));
    await page.click("#tab-escape");
    await page.locator("#growth-candidates tbody tr").first().waitFor();
    const wish = { local: "power(2)", global: "linear(0,0.0667)", left: "10000" };
    const said = await stage.ask<EscapeSearch>("escape", { fen: START, ...wish });
    assert.ok((await page.locator("#growth-summary").innerText()).startsWith(said.move!));
    assert.equal(await page.locator("#growth-candidates tbody tr").count(), said.candidates.length);
    // Grown, with the best line marked.
    const shown = said.tree;
    assert.equal(await page.locator(".growth-node").count(), shown.length);
    assert.equal(await page.locator(".growth-node.best").count(), shown.filter((node) => node.best).length);
    // The chosen move is on the board.
    await page.locator(".layer-top > *").first().waitFor({ state: "attached" });
    // At the beginning only the root is there; then every node from when it was looked at.
    const time = page.locator("#growth-time");
    await time.fill("0");
    assert.equal(await page.locator(".growth-node").count(), 1);
    const middle = Math.floor(said.spent / 2);
    await time.fill(String(middle));
    const born = shown.filter((node) => node.parent === null || node.born <= middle);
    assert.equal(await page.locator(".growth-node").count(), born.length);
    // A candidate leads to the time at which it escaped, with the reason.
    const last = said.candidates.length - 1;
    await page.click(`#growth-candidate-${last}`);
    assert.equal(await time.inputValue(), String(said.candidates[last]!.spent));
    await page.locator("#growth-why", { hasText: "escaped" }).waitFor();
    // A node by keyboard.
    await time.fill(String(said.spent));
    await page.locator("#growth-node-1").focus();
    await page.keyboard.press("Enter");
    await page.locator("#growth-why", { hasText: shown[1]!.move! }).waitFor();
    assert.equal(await page.locator("#growth-node-1").getAttribute("aria-pressed"), "true");
    // Another budget is another search.
    await page.selectOption("#growth-left", "3000");
    await page.locator("#growth-summary", { hasText: "of 3" }).waitFor();
    await page.click("#growth-play");
    await page.waitForFunction(() => Number((document.querySelector("#growth-time") as HTMLInputElement).value) > 0);
    await page.click("#growth-play");
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  test("Amazons: the same, when it is switched on, in every language and on a phone", async () => {
    for (const [language, word] of [
      ["en", "escape"],
      ["zh-Hans", "逃出"],
      ["zh-Hant", "逃出"],
    ] as const) {
      const { page, faults } = await stage.open(PHONE, "amazons.html");
      await page.evaluate(
        (language) => localStorage.setItem("mousetrap.settings", JSON.stringify({ language })),
        language,
      );
      await page.reload();
      await page.selectOption("#opponent", "none");
      await page.locator(".cell.movable").first().waitFor();
      assert.equal(await page.locator("#growth-tree").isVisible(), false);
      await page.check("#growth");
      await page.locator("#growth-candidates tbody tr").first().waitFor();
      await page.selectOption("#growth-local", "power(4)");
      await page.waitForLoadState("networkidle");
      await page.locator("#growth-candidate-0").click();
      assert.match(await page.locator("#growth-why").innerText(), new RegExp(word));
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(wide <= 0, `${language}: ${wide} pixels too wide`);
      assert.deepEqual(faults, []);
      await page.context().close();
    }
  });

  test("for everybody", async () => {
    const { page } = await stage.open(DESKTOP, link(START));
    await page.click("#tab-escape");
    await page.locator("#growth-candidates tbody tr").first().waitFor();
    const { violations } = await new AxeBuilder({ page }).analyze();
    assert.deepEqual(
      violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`),
      [],
    );
    await page.context().close();
  });
});
