// Functions that tests of pages in headless Chromium share: of the page in the browser, and of the pages of `heddle report`.
//
//   none("nothing is wider than the window", await page.evaluate(wideElements));
import { existsSync, readFileSync } from "node:fs";
import { executablePath } from "../../../scripts/web/browser.js";
import { check, skip } from "./count.js";

if (!existsSync(executablePath)) skip("no browser ('scripts/setup.sh browser' installs one)");
const axe = readFileSync(new URL("../../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

// Takes the folder after an option that may be first from the command line.
export const folder = (names, option) => names[0] === option ? names.splice(0, 2)[1] : null;

export const expect = (what, ok, found = "") => check(ok, `FAILED: ${what}${found ? `: ${found}` : ""}`);
export const none = (what, list) => expect(what, list.length === 0, list.join("; "));

// Collects the page's console output and network requests in these lists.
export function listen(page, said, asked) {
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(error.message));
  page.on("request", (request) => /^(file|blob|data):/.test(request.url()) || asked.push(request.url()));
}

// Within a page: what is wider than its window, but for what scrolls by itself.
export const wideElements = () => document.documentElement.scrollWidth <= innerWidth ? [] :
  [...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1)
    .filter((e) => !e.closest(".wide, .cm-editor")).map((e) => e.outerHTML.slice(0, 100));

const violations = async () => (await globalThis.axe.run({ resultTypes: ["violations"] })).violations
  .map((v) => `${v.id} (${v.help}): ${v.nodes[0].html.slice(0, 160)} ${v.nodes[0].failureSummary.slice(0, 240)}`);

// Returns the findings of axe-core; evaluated, it passes the policy of a page, which blocks scripts.
export async function accessible(page, what) {
  if (!await page.evaluate(() => "axe" in globalThis)) await page.evaluate(axe);
  none(`${what}: axe-core`, await page.evaluate(violations));
}
