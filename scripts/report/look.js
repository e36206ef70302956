// Looks at pages of `heddle report` in headless Chromium: in both themes, at two widths.
//
//   node look.js [--shots FOLDER] [--window FOLDER] PAGE.html...
//
// A page must load nothing, complain of nothing, draw every chart, save it, fit its window, and pass axe-core. With --shots
// there are pictures of each, and the page as it is printed; with --window what a window shows first, as in docs/pictures.
import {readFileSync} from "node:fs";
import {basename} from "node:path";
import {accessible, address, folder, launch, listen, none, wideElements} from "../web/browser.js";
import {ended} from "../web/count.js";

const WIDTHS = [320, 1280];

const names = process.argv.slice(2);
const shots = folder(names, "--shots");
const top = folder(names, "--window");

// Charts that show nothing: a chart has marks beyond its axes and a size.
const emptyCharts = () => [...document.querySelectorAll("figure:has(> .chart)")].filter((figure) => {
  const svg = figure.querySelector(".chart > svg");
  return !svg || svg.clientHeight < 40 || !svg.querySelector("[aria-label=bar] rect, [aria-label=dot] *, " +
    "[aria-label=rect] rect, [aria-label=cell] rect, [aria-label=line] path");
}).map((figure) => figure.id);

async function look(browser, file, colorScheme, width) {
  const what = `${basename(file)}, ${colorScheme}, ${width} px`;
  const page = await browser.newPage({viewport: {width, height: 900}, colorScheme, reducedMotion: "reduce"});
  const said = [], asked = [];
  listen(page, said, asked);
  await page.goto(address(file));
  await page.waitForFunction(() => document.documentElement.dataset.drawn, null, {timeout: 10000})
    .catch(() => said.push("its script did not end"));
  none(`${what}: charts with something in them`, await page.evaluate(emptyCharts));
  none(`${what}: nothing wider than the window`, await page.evaluate(wideElements));
  if (top && width === WIDTHS[1])
    await page.screenshot({path: `${top}/${basename(file, ".html")}-${colorScheme}.png`});
  if (shots) {
    await page.screenshot({path: `${shots}/${basename(file, ".html")}-${colorScheme}-${width}.png`, fullPage: true});
    if (width === WIDTHS[1] && colorScheme === "dark")
      await page.pdf({path: `${shots}/${basename(file, ".html")}.pdf`, format: "A4", printBackground: true});
  }
  await accessible(page, what);
  none(`${what}: no message`, said);
  none(`${what}: no request`, asked);
  await page.close();
}

// The theme by its button, each chart saved, and a table opened by keyboard.
async function use(browser, file) {
  const page = await browser.newPage({colorScheme: "light"});
  await page.goto(address(file));
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  await page.click("#theme");
  none(`${basename(file)}: the button changes the theme`, await paper() === light ? [light] : []);
  for (const button of await page.locator("figure > button").all()) {
    const saved = page.waitForEvent("download");
    await button.click();
    const path = await (await saved).path(), svg = readFileSync(path, "utf8");
    none(`${basename(file)}: a saved chart has its colours`, svg.match(/var\([^)]*\)/g)?.filter((name) => !/--plot/.test(name)) ?? []);
    await page.evaluate((text) => new DOMParser().parseFromString(text, "image/svg+xml").querySelector("parsererror")?.textContent ?? "", svg)
      .then((wrong) => none(`${basename(file)}: a saved chart is XML`, wrong ? [wrong] : []));
  }
  const summary = page.locator("figure > details > summary").first();
  if (await summary.count()) {
    await summary.focus();
    await page.keyboard.press("Enter");
    const open = await page.locator("figure > details[open]").count();
    none(`${basename(file)}: Enter opens a table`, open ? [] : ["closed"]);
  }
  await page.close();
}

const browser = await launch();
for (const file of names) {
  for (const scheme of ["light", "dark"])
    for (const width of WIDTHS) await look(browser, file, scheme, width);
  await use(browser, file);
}
await browser.close();
ended();
