// Looks at pages of `heddle report` in headless Chromium: in both themes, at two widths.
//
//   node look.js [--shots FOLDER] [--window FOLDER] PAGE.html...
//
// A page must load nothing, complain of nothing, draw every chart, fit its window, and pass axe-core. With --shots
// there are pictures of each, and the page as it is printed; with --window what a window shows first, as in docs/pictures.
// CHROMIUM names another browser than /usr/bin/chromium.
import {readFileSync} from "node:fs";
import {basename, resolve} from "node:path";
import {pathToFileURL} from "node:url";
import {chromium} from "playwright-core";

const WIDTHS = [320, 1280];
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];
const axe = readFileSync(new URL("node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

const names = process.argv.slice(2);
const folder = (option) => names[0] === option ? names.splice(0, 2)[1] : null;
const shots = folder("--shots");
const top = folder("--window");
let passed = 0, failed = 0;

function check(what, wrong) {
  if (wrong.length === 0) return passed++;
  failed++;
  console.log(`FAILED: ${what}: ${wrong.join("; ")}`);
}

// Charts that show nothing: a chart has marks beyond its axes and a size.
const emptyCharts = () => [...document.querySelectorAll("figure:has(> .chart)")].filter((figure) => {
  const svg = figure.querySelector(".chart svg");
  return !svg || svg.clientHeight < 40 || !svg.querySelector("[aria-label=bar] rect, [aria-label=dot] *, " +
    "[aria-label=rect] rect, [aria-label=line] path");
}).map((figure) => figure.id);

// What is wider than its window, but for what scrolls by itself.
const wideElements = () => document.documentElement.scrollWidth <= innerWidth ? [] :
  [...document.querySelectorAll("body *")]
    .filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest(".wide"))
    .map((e) => e.outerHTML.slice(0, 80));

const violations = async () => (await globalThis.axe.run({resultTypes: ["violations"]})).violations
  .map((v) => `${v.id} (${v.help}): ${v.nodes[0].html.slice(0, 120)} ${v.nodes[0].failureSummary.slice(0, 200)}`);

async function look(browser, file, colorScheme, width) {
  const what = `${basename(file)}, ${colorScheme}, ${width} px`;
  const page = await browser.newPage({viewport: {width, height: 900}, colorScheme, reducedMotion: "reduce"});
  const said = [], asked = [];
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(error.message));
  page.on("request", (request) => request.url().startsWith("file:") || asked.push(request.url()));
  await page.goto(pathToFileURL(resolve(file)).href);
  await page.waitForFunction(() => document.documentElement.dataset.drawn, null, {timeout: 10000})
    .catch(() => said.push("its script did not end"));
  check(`${what}: charts with something in them`, await page.evaluate(emptyCharts));
  check(`${what}: nothing wider than the window`, await page.evaluate(wideElements));
  if (top && width === WIDTHS[1])
    await page.screenshot({path: `${top}/${basename(file, ".html")}-${colorScheme}.png`});
  if (shots) {
    await page.screenshot({path: `${shots}/${basename(file, ".html")}-${colorScheme}-${width}.png`, fullPage: true});
    if (width === WIDTHS[1] && colorScheme === "dark")
      await page.pdf({path: `${shots}/${basename(file, ".html")}.pdf`, format: "A4", printBackground: true});
  }
  await page.evaluate(axe); // behind the policy of the page, which lets nothing in
  check(`${what}: axe-core`, await page.evaluate(violations));
  check(`${what}: no message`, said);
  check(`${what}: no request`, asked);
  await page.close();
}

// The theme by its button, and a table opened by keyboard.
async function use(browser, file) {
  const page = await browser.newPage({colorScheme: "light"});
  await page.goto(pathToFileURL(resolve(file)).href);
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  await page.click("#theme");
  check(`${basename(file)}: the button changes the theme`, await paper() === light ? [light] : []);
  const summary = page.locator("figure > details > summary").first();
  if (await summary.count()) {
    await summary.focus();
    await page.keyboard.press("Enter");
    const open = await page.locator("figure > details[open]").count();
    check(`${basename(file)}: Enter opens a table`, open ? [] : ["closed"]);
  }
  await page.close();
}

const browser = await chromium.launch({executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS});
for (const file of names) {
  for (const scheme of ["light", "dark"])
    for (const width of WIDTHS) await look(browser, file, scheme, width);
  await use(browser, file);
}
await browser.close();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
