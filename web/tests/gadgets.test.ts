// The page of the gadgets in a real browser: formulas become boards, games are played on them, signals travel.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { DESKTOP, PHONE, Stage } from "./harness";

const stage = new Stage();
const link = (formula: string) => `gadgets.html#formula=${encodeURIComponent(formula)}`;

interface Play {
  moves: { move: string; piece: string }[];
  reply: { move: string } | null;
}

async function board(formula: string, options = DESKTOP): Promise<{ page: Page; faults: string[] }> {
  const opened = await stage.open(options, link(formula));
  await opened.page.locator(".piece").first().waitFor();
  return opened;
}

const box = async (page: Page) => (await page.locator("svg.window").getAttribute("viewBox"))!.split(" ").map(Number);

describe("formulas and boards", () => {
  test("a formula without parentheses becomes a board; a wrong one is refused with its place", async () => {
    const { page, faults } = await board("x | y");
    assert.equal(await page.locator("#formula-shown").innerText(), "(x ∨ y)");
    assert.equal(await page.locator(".gate.variable").count(), 2);
    await page.getByText("White wins this formula if White begins.").waitFor();
    await page.fill("#formula", "x & !y");
    await page.click("#compile");
    await page.locator("#formula-fault", { hasText: "Line 1, column 5: “!” negates" }).waitFor();
    assert.equal(await page.getAttribute("#formula", "aria-invalid"), "true");
    // The old board is still there.
    assert.equal(await page.locator("#formula-shown").innerText(), "(x ∨ y)");
    await page.fill("#formula", "a & b & c & d & e & f & g & h & i & j");
    await page.press("#formula", "Enter");
    await page.locator("#formula-fault", { hasText: "too large" }).waitFor();
    await page.fill("#formula", "x & y");
    await page.press("#formula", "Enter");
    await page.getByText("Black wins this formula if White begins.").waitFor();
    assert.equal(await page.locator("#formula-fault").innerText(), "");
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  test("a gadget is shown with what is proved of it", async () => {
    const { page, faults } = await board("x");
    await page.selectOption("#shown", "mended-and");
    await page.locator("#contract").waitFor();
    const [gadget] = await stage.ask<{ contract: { black_states: number; white_states: number } }[]>("gadgets", {
      name: "mended-and",
    });
    const states = gadget!.contract.black_states + gadget!.contract.white_states;
    assert.ok((await page.locator("#contract").innerText()).includes(states.toLocaleString("en")));
    assert.equal(await page.locator(".port").count(), 3);
    await page.selectOption("#shown", "");
    await page.locator("#formula-shown").waitFor();
    assert.deepEqual(faults, []);
    await page.context().close();
  });
});

describe("playing", () => {
  test("the program plays itself to the end, and the signal's wire lights up", async () => {
    const { page, faults } = await board("x");
    await page.click("#run");
    await page.locator(".wire.carried").waitFor();
    await page.getByText("White has entered the den.").waitFor({ timeout: 20_000 });
    assert.equal(await page.locator("#played li").count(), 3);
    await page.click("#undo");
    await page.getByText("White to move").waitFor();
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  test("a reader who should lose does, by list and by board", async () => {
    const { page, faults } = await board("x & y");
    await page.selectOption("#you", "white");
    const wish = { formula: "x & y", first: "white" };
    const { moves } = await stage.ask<Play>("gadgets/play", wish);
    await page.locator("#choices li").first().waitFor();
    assert.equal(await page.locator("#choices li").count(), moves.length);
    await page.locator(`#move-${moves[0]!.move}`).click();
    // The strategy takes the other variable, and the formula cannot be true any more.
    await page.locator(".clause.fails").waitFor();
    await page.getByText("Your move").waitFor();
    assert.equal(await page.locator("#played li").count(), 2);
    // What the program would play is pointed at, and played by tapping where it goes.
    await page.click("#suggest");
    await page.locator(".target").first().waitFor();
    await page.waitForTimeout(400);
    const target = (await page.locator(".target").first().boundingBox())!;
    await page.mouse.click(target.x + target.width / 2, target.y + target.height / 2);
    await page.locator("#played li").nth(3).waitFor();
    assert.deepEqual(faults, []);
    await page.context().close();
  });
});

describe("the window", () => {
  test("moves by mouse, wheel, buttons and keys", async () => {
    const { page } = await board("(x | y) & z");
    const whole = await box(page);
    await page.click("#zoom-in");
    const closer = await box(page);
    assert.ok(closer[2]! < whole[2]!);
    const frame = (await page.locator("svg.window").boundingBox())!;
    const [x, y] = [frame.x + frame.width / 2, frame.y + frame.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 60, y + 40, { steps: 4 });
    await page.mouse.up();
    const dragged = await box(page);
    assert.ok(dragged[0]! < closer[0]! && dragged[1]! < closer[1]!);
    await page.mouse.wheel(0, -300);
    await page.waitForFunction(
      (width) => Number(document.querySelector("svg.window")!.getAttribute("viewBox")!.split(" ")[2]) < width,
      dragged[2]!,
    );
    await page.locator("#window").focus();
    const before = await box(page);
    await page.keyboard.press("ArrowRight");
    assert.ok((await box(page))[0]! > before[0]!);
    await page.keyboard.press("-");
    assert.ok((await box(page))[2]! > before[2]!);
    await page.keyboard.press("0");
    assert.deepEqual(await box(page), whole);
    await page.context().close();
  });
});

describe("for everybody", () => {
  test("axe finds no violations, and nothing sticks out, in any language", async () => {
    for (const [theme, options] of [
      ["light", DESKTOP],
      ["dark", PHONE],
    ] as const) {
      const { page } = await stage.open({ ...options, colorScheme: theme }, link("x | y"));
      await page.locator(".piece").first().waitFor();
      await page.selectOption("#you", "white");
      await page.locator("#choices li").first().waitFor();
      for (const [language, words] of [
        ["zh-Hans", "公式博弈"],
        ["zh-Hant", "公式賽局"],
        ["en", "The formula game"],
      ] as const) {
        await page.click("#settings");
        await page.selectOption("#set-language", language);
        await page.getByRole("heading", { name: words }).waitFor();
        const width = await page.evaluate(() =>
          [document.documentElement, document.querySelector(".panel")!].map((one) => one.scrollWidth - one.clientWidth),
        );
        assert.deepEqual(width, [0, 0], `${language}: something sticks out`);
      }
      await page.waitForTimeout(250);
      const { violations } = await new AxeBuilder({ page }).analyze();
      assert.deepEqual(
        violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 160)).join(" | ")}`),
        [],
        theme,
      );
      await page.context().close();
    }
  });

  test("there and back again", async () => {
    const { page } = await stage.open();
    await page.getByRole("link", { name: "Gadgets" }).click();
    await page.locator(".piece").first().waitFor();
    await page.getByRole("link", { name: "Jungle" }).click();
    await page.locator("#start").waitFor();
    await page.context().close();
  });
});
