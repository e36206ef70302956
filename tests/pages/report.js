// Looks at pages of `heddle report` in headless Chromium: in both themes, at two widths.
//
//   node tests/pages/report.js [--shots FOLDER] [--window FOLDER] [PAGE.html...]        default: pages of all kinds
//
// A page must load nothing, complain of nothing, draw every chart, save it, fit its window, and pass axe-core. With --shots
// there are pictures of each, and the page as it is printed; with --window what a window shows first, as in docs/pictures.
import {execFileSync} from "node:child_process";
import {mkdtempSync, readFileSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {basename, resolve} from "node:path";
import {address, launch} from "../../scripts/web/browser.js";
import {accessible, folder, listen, none, wideElements} from "./lib/browser.js";
import {ended} from "./lib/count.js";

const WIDTHS = [320, 1280];

const names = process.argv.slice(2);
const shots = folder(names, "--shots");
const top = folder(names, "--window");

// Contents of the pages: a run, two boards, a sweep, a study.
const COMMANDS = `run classic/transpose_tiled --board v100 --explain 66 --json one.json -q
run classic/transpose_naive --board teach32,v100 --json two.json -q
report one.json -o one.html
report two.json -o two.html
sweep run classic/saxpy --case 1 --board v100 --over sms=10,80 --over dram.channels=8..64/x2 -o s.db
report s.db -o sweep.html
make x.npy f32[1,2,24,24]:expr:(i*7919//16%13)//12
make w.npy f32[4,2,3,3]:expr:i%5
study spconv --x x.npy --weight w.npy --crossover --html study.html`;

function made() {
  const heddle = resolve(process.env.BUILD ?? "build", "heddle"), cwd = mkdtempSync(`${tmpdir()}/heddle-`);
  process.on("exit", () => rmSync(cwd, {recursive: true}));
  for (const line of COMMANDS.split("\n")) execFileSync(heddle, line.split(" "), {cwd, stdio: "ignore"});
  return ["one", "two", "sweep", "study"].map((name) => `${cwd}/${name}.html`);
}

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
for (const file of names.length ? names : made()) {
  for (const scheme of ["light", "dark"])
    for (const width of WIDTHS) await look(browser, file, scheme, width);
  await use(browser, file);
}
await browser.close();
ended();
