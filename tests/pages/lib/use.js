// Functions that tests of the page in headless Chromium share: opening it, typing, running, and waiting for its text.
//
//   const page = await opened(browser, { fragment: "#1..." });
//   await type(page, (text) => text.replace("fma", "fmb"));
//   await run(page);
//   holds("a wrong word does not run", await status(page), "Not run");
//
// The command line may name a folder for pictures, after --shots, and one part of the suite.
import { address } from "../../../scripts/web/browser.js";
import { expect, folder, listen } from "./browser.js";
import { page } from "./built.js";

const LIMIT = 20_000; // ms, of anything

const names = process.argv.slice(2);
export const shots = folder(names, "--shots");
export const [only] = names;
export const url = address(page);
export const said = [], asked = [];

export const holds = (what, found, words) => expect(what, found.includes(words), found);

export async function opened(browser, { width = 1280, colorScheme = "light", fragment = "", ...more } = {}) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, reducedMotion: "reduce", ...more });
  const page = await context.newPage();
  page.setDefaultTimeout(LIMIT);
  listen(page, said, asked);
  await page.goto(url + fragment);
  await page.waitForFunction(() => document.documentElement.dataset.begun);
  return page;
}

export const close = (page) => page.context().close();
export const status = (page) => page.textContent("#said");
export const told = (page, words) => shows(page, "#said", words);
export const shows = (page, place, words) =>
  page.waitForFunction(([at, text]) => document.querySelector(at)?.textContent.includes(text), [place, words]);
export const editor = (page) => page.evaluate(() => globalThis.heddlePage.app.text());
export const inside = async (page) => (await page.locator(".time, .here, #registers, #masks").allInnerTexts()).join("\n");
export const shoot = (page, name) => shots && page.screenshot({ path: `${shots}/${name}.png` });

// Waits until the cursor stands still: the page has drawn the result of the last step.
export async function still(page) {
  let before;
  for (let now = await inside(page); now !== before; now = await inside(page)) {
    before = now;
    await page.waitForTimeout(60);
  }
  return before;
}

// Puts another text into the kernel's editor, as if typed.
export async function type(page, change) {
  await page.focus("#editor .cm-content");
  await page.keyboard.press("Control+a");
  const text = await editor(page);
  await page.keyboard.insertText(change(text));
}

export const open = (page, id) => page.evaluate((tab) => globalThis.heddlePage.app.open(tab), id);

export async function run(page) {
  await page.click("#run");
  await page.waitForFunction(() => document.getElementById("run").getAttribute("aria-disabled") === "false");
}
