// Parts of page.js about the panels beside the kernel, and about what is taken from them.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { sentences } from "../../../scripts/web/words.js";
import zh from "../../../scripts/web/page/words/zh.js";
import { accessible, expect, none, wideElements } from "./browser.js";
import { command } from "./built.js";
import { close, editor, holds, open, opened, run, shoot, shows, still, type } from "./use.js";

// The language: what there is, with examples, and words of another one.
// Checks the switches: a run without bank conflicts, and the table of all gains.
export async function whatIf(browser) {
  const page = await opened(browser);
  await page.evaluate(() => globalThis.heddlePage.app.choose("lesson 6"));
  await page.evaluate(() => globalThis.heddlePage.app.run());
  await open(page, "ideal");
  await page.click("#measure");
  await page.waitForSelector("#panel-ideal table");
  const rows = await page.$$eval("#panel-ideal tbody tr", (list) => list.map((row) => row.textContent));
  expect("a row for the board, and one for each loss", rows.length === 8, rows.join("; "));
  const conflicts = rows.find((row) => row.startsWith("bank conflicts"));
  await page.check("#panel-ideal input[value=conflicts]");
  await shows(page, "#said", "without bank conflicts");
  const cycles = (await page.textContent("#said")).match(/^[\d,]+/)[0];
  holds("the switch runs what was measured", conflicts, `bank conflicts${cycles}`);
  await accessible(page, "what if");
  await close(page);
}

export async function language(browser) {
  const page = await opened(browser), panel = page.locator("#panel-language"), problems = page.locator("#panel-problems");
  await type(page, () => "float4 v;\n.kernel k\nint i = threadIdx.x;\n__syncthreads();\nfrobnicate r1\n");
  await shows(page, "#panel-problems", "unknown instruction '__syncthreads'");
  await open(page, "problems");
  const list = await problems.textContent();
  holds("a word of CUDA is answered", list, "threadIdx in heddle: %tid.x");
  holds("a line before any kernel, too", list, "float4 in heddle: ld.global.b128");
  holds("another one, too", list, "__syncthreads in heddle: bar.sync 0");
  expect("no command is named that a page has not", !list.includes("heddle doc isa"), list);
  await problems.getByRole("button", { name: "Language" }).click();
  holds("a word that nobody knows", await panel.textContent(), "Nothing has 'frobnicate'.");
  await accessible(page, "language, nothing found");
  for (const [query, words] of [["__shfl_xor_sync", "shfl.bfly.b32"], [".repeat", "the lines between them COUNT times"], ["%laneid", "lane"],
    ["get_global_id", "%ctaid"]]) {
    await panel.locator("input").fill(query);
    holds(`${query} is found`, await panel.textContent(), words);
  }
  await panel.locator("input").fill("shfl.bfly");
  await panel.getByRole("button", { name: "An example of shfl.bfly.b32", exact: true }).click();
  await shows(page, "#panel-language [role=status]", "is line");
  await accessible(page, "language");
  await shoot(page, "language");
  page.once("dialog", (dialog) => dialog.accept());
  await panel.locator("[role=status] button").click();
  await page.waitForFunction(() => /shfl\.bfly\.b32/.test(document.querySelector(".cm-here")?.textContent ?? ""));
  await close(page);
}

// The debugger: breakpoints that move with their lines and stay from run to run, watches, the last writer.
export async function stops(browser) {
  const page = await opened(browser), where = () => page.textContent("#where"), marked = page.locator(".cm-lineNumbers .cm-stop");
  const panel = page.locator("#panel-debug"), list = panel.locator(".stops li");
  const ask = async (line, words) => {
    await panel.locator("input").fill(line);
    await panel.locator("input").press("Enter");
    await shows(page, "#panel-debug .log", words);
    return still(page);
  };
  await open(page, "debug");
  await ask("continue", "there is no breakpoint");
  await page.evaluate(() => globalThis.heddlePage.app.line(38));
  await page.locator(".cm-lineNumbers .cm-gutterElement", { hasText: /^38$/ }).click();
  await shows(page, "#panel-debug .log", "breakpoint 1: 38");
  holds("the line of a breakpoint is marked", await marked.textContent(), "38");
  await panel.getByRole("button", { name: "Continue", exact: true }).click();
  holds("it is met", await still(page), "line 38:");
  await ask("who xv", "xv was written by warp");
  holds("the cursor goes to the last write", await where(), "line 36:");
  await ask("delete 1", "deleted: break 38");
  await ask("break 38 if i[2] == 18", "38 if i[2] == 18");
  await ask("continue", ": 38 if i[2] == 18\ncycle");
  holds("the condition holds in one warp", await where(), "Warp 0.2, line 38:");
  await ask("watch yv", "yv of warp");
  await ask("break 999", "line 999 has no instruction");
  expect("a mistake sets no stop", await list.count() === 2, await list.allTextContents());
  await page.evaluate(() => globalThis.heddlePage.app.editor.goto({ line: 35, column: 1 }));
  await page.keyboard.insertText("; a line more\n");
  await run(page);
  holds("a breakpoint has moved with its line, its condition too", await list.nth(0).textContent(), "break 39 if i[2] == 18 (1)");
  holds("and the mark", await marked.textContent(), "39");
  await page.focus("#inside");
  await page.keyboard.press("c");
  await still(page);
  await page.locator("#registers .who", { hasText: /^py$/ }).click();
  await shows(page, "#panel-debug .log", "was written by warp");
  await accessible(page, "debugger");
  await shoot(page, "debugger");
  await list.nth(0).getByRole("button").click();
  await page.waitForFunction(() => !document.querySelector(".cm-stop"));
  await close(page);
}

// A run that is kept, beside the next one: counters, lines, timeline.
export async function beside(browser) {
  const page = await opened(browser), counters = page.locator("#panel-counters");
  await open(page, "counters");
  await counters.getByRole("button", { name: "Keep this run" }).click();
  const first = await page.evaluate(() => globalThis.heddlePage.app.state.result.cycles);
  holds("the kept run has a name", await counters.textContent(), `Kept: classic/saxpy on teach8, ${first} cycles.`);
  await type(page, (text) => text.replace("fma.f32         yv, alpha, xv, yv", "fma.f32         yv, alpha, xv, yv\n.repeat 8\nadd.f32 yv, yv, 0.0\n.endrepeat"));
  await run(page);
  await open(page, "counters");
  const text = await counters.textContent(), [now] = text.match(/(\d+) cycles, [\d.]+ times as slow as the kept run/).slice(1).map(Number);
  expect("a slower run is called so", now > first, text.slice(0, 200));
  const row = (await counters.locator("tr", { hasText: /^cycles/ }).first().locator("td, th").allTextContents()).slice(0, 4);
  expect("a counter has both values and the change", row.join(" ") === `cycles ${now} ${first} +${now - first}`, row.join(" "));
  const added = (await counters.locator("tr", { hasText: "add.f32" }).first().locator("td, th").allTextContents());
  expect("a new line has no cost before", added[4] === "-" && added[2] !== "-", added.join(" "));
  await accessible(page, "counters of two runs");
  await shoot(page, "kept-counters");
  await open(page, "timeline");
  const pictures = page.locator("#panel-timeline figure:visible");
  expect("two timelines", await pictures.count() === 2, await pictures.count());
  holds("the second is of the kept run", await pictures.nth(1).textContent(), `classic/saxpy on teach8, ${first} cycles`);
  await accessible(page, "timelines of two runs");
  await shoot(page, "kept-timeline");
  await page.locator("#panel-timeline").getByRole("button", { name: "Forget" }).click();
  expect("one timeline again", await pictures.count() === 1, await pictures.count());
  await close(page);
}

// A picture as a file: the same shapes, and no style, colour or script of the page's.
export async function saved(browser) {
  for (const colorScheme of ["light", "dark"]) {
    const page = await opened(browser, { colorScheme });
    await page.locator("#slider").fill("400");
    for (const [id, title] of [["timeline", "Timeline"], ["access", "Last access"]]) {
      await open(page, id);
      const drawing = page.locator(`#panel-${id} figure:visible >> nth=0`).locator(".chart svg");
      for (let before = ""; before !== (before = await drawing.first().innerHTML());) await page.waitForTimeout(100); // its width is known
      const shapes = await drawing.locator("*").count(), waiting = page.waitForEvent("download");
      await page.locator(`#panel-${id}`).getByRole("button", { name: `Save as SVG: ${title}` }).click();
      const file = await waiting, path = await file.path(), text = readFileSync(path, "utf8");
      expect(`${id}: the file's name`, file.suggestedFilename() === `${title.toLowerCase().replaceAll(" ", "-")}.svg`, file.suggestedFilename());
      expect(`${id}: it stands alone`, !/var\(|class=|oklab|color-mix|<script|href=/.test(text), text.slice(0, 300));
      const alone = await browser.newPage();
      await alone.setContent(`<body style="margin:0">${text}</body>`);
      expect(`${id}: all shapes are there`, await alone.locator("svg svg *").count() === shapes, `${shapes}`);
      await shoot(alone, `saved-${id}-${colorScheme}`);
      await alone.close();
      const drawn = page.waitForEvent("download"), wide = +text.match(/width="([\d.]+)"/)[1];
      await page.locator(`#panel-${id}`).getByRole("button", { name: `Save as PNG: ${title}` }).click();
      const png = readFileSync(await (await drawn).path());
      expect(`${id}: a PNG with twice the pixels`, png.toString("latin1", 1, 4) === "PNG" && png.readUInt32BE(16) === Math.floor(2 * wide), png.readUInt32BE(16));
    }
    const height = () => page.locator("#panel-access .chart:visible svg").first().evaluate((e) => e.getBoundingClientRect().height);
    const usual = await height();
    await page.click("#large");
    await page.waitForTimeout(200);
    expect("large type makes pictures larger", await height() > 1.2 * usual, `${usual}, ${await height()}`);
    none("large type: nothing wider than the window", await page.evaluate(wideElements));
    await shoot(page, `large-${colorScheme}`);
    expect("large type is part of the address", new URL(page.url()).searchParams.has("large"), page.url());
    await close(page);
  }
}

// Each sentence that is seen, or read out, and is English in the table: [text]. Parts of the report are English.
const untranslated = (keys) => {
  const found = new Set(), known = new Set(keys), walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode())
    if (known.has(node.textContent.trim()) && !node.parentElement.closest("code, pre, script, .cm-editor, [hidden], #panel-traffic, #panel-roofline")) found.add(node.textContent);
  for (const name of ["title", "aria-label", "placeholder"])
    for (const element of document.querySelectorAll(`[${name}]`)) if (known.has(element.getAttribute(name))) found.add(element.getAttribute(name));
  return [...found];
};

// Chinese: chosen by a button, remembered, part of a link; every tab without an English sentence.
export async function languages(browser) {
  const keys = Object.keys(sentences()).filter((key) => key.includes(" ") && !key.includes("{}") && zh[key] !== key);
  const page = await opened(browser), chinese = (one) => one.waitForFunction(() => document.documentElement.lang === "zh-Hans" && document.documentElement.dataset.begun);
  expect("the page is English first", (await page.evaluate(untranslated, keys)).length > 20);
  await type(page, (text) => `; mine\n${text}`);
  await page.click("#in-zh");
  await chinese(page);
  expect("the language is part of the address", new URL(page.url()).searchParams.get("lang") === "zh", page.url());
  holds("what was typed stays", await editor(page), "; mine");
  await page.click("#run");
  await shows(page, "#said", "个周期");
  await page.locator("#slider").fill("420");
  for (const id of await page.$$eval("[role=tab]", (tabs) => tabs.map((tab) => tab.id.replace("tab-", "")))) {
    await open(page, id);
    await still(page);
    none(`${id} in Chinese`, await page.evaluate(untranslated, keys));
    await shoot(page, `zh-${id}`);
  }
  await page.click("#theme");
  expect("the theme changes", ["light", "dark"].includes(await page.evaluate(() => document.documentElement.dataset.theme)));
  await accessible(page, "Chinese");
  await page.evaluate(() => globalThis.heddlePage.app.choose("lesson 3"));
  await open(page, "lesson");
  holds("a lesson is Chinese", await page.textContent("#panel-lesson"), "线程束每次发射一条指令");
  await page.locator("#panel-lesson .tools button.main").click();
  await shows(page, "#panel-lesson .grade", "第 3 课：未通过");
  none("a grade in Chinese", await page.evaluate(untranslated, keys));
  holds("its reason, too", await page.textContent("#panel-lesson .grade"), "平均只有线程束中");
  await shoot(page, "zh-lesson");
  await page.click("#share");
  await shows(page, "#said", "个字符");
  const link = page.url();
  await page.goto(link.replace(/[?#].*/, ""));
  await chinese(page);
  await close(page);
  const other = await opened(browser, { fragment: link.match(/[?#].*/)[0] });
  await chinese(other);
  await shows(other, "#inside", "先运行内核");
  await other.setViewportSize({ width: 320, height: 900 });
  none("320 px: nothing wider than the window", await other.evaluate(wideElements));
  await other.click("#in-en");
  await other.waitForFunction(() => document.documentElement.lang === "en" && document.documentElement.dataset.begun);
  await close(other);
}

// Drops a folder on the lessons, as a file manager does: the browser reads it from the disk.
async function drop(page, folder) {
  const { x, y, width } = await page.locator("#panel-lesson").boundingBox(), session = await page.context().newCDPSession(page);
  const data = { items: [], files: [folder], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"])
    await session.send("Input.dispatchDragEvent", { type, x: x + width / 2, y: y + 20, data });
}

// Lessons of a folder: taken, graded, and what is wrong in it named as the command names it.
export async function course(browser) {
  const page = await opened(browser), panel = page.locator("#panel-lesson"), folder = mkdtempSync(`${tmpdir()}/course-`);
  const press = (name) => panel.getByRole("button", { name, exact: true }).click();
  const change = (file, from, to) => writeFileSync(`${folder}/own/01-twice/${file}`, readFileSync(`docs/lessons/own/01-twice/${file}`, "utf8").replace(from, to));
  cpSync("docs/lessons/own", `${folder}/own`, { recursive: true });
  await open(page, "lesson");
  await drop(page, `${folder}/own`);
  await shows(page, "#panel-lesson", "0 of 1 passed");
  await press("The lessons of heddle");
  await shows(page, "#panel-lesson", "of 20 passed");
  await page.setInputFiles("#course", `${folder}/own`);
  await shows(page, "#panel-lesson", "0 of 1 passed");
  expect("the list of kernels has it", (await page.textContent("#kernel optgroup")) === "Lesson 1: twice", await page.textContent("#kernel optgroup"));
  await accessible(page, "a folder of lessons");
  await shoot(page, "course");
  await press("twice");
  await press("Start");
  await shows(page, "#said", "lesson 1 is in the editor");
  await press("Check");
  await shows(page, "#panel-lesson .grade", "Lesson 1: not passed, at 'loads'");
  await type(page, () => readFileSync("docs/lessons/own/01-twice/reference.hd", "utf8"));
  await page.evaluate(() => globalThis.heddlePage.app.stop()); // the new worker has the lessons again
  await press("Check");
  await shows(page, "#panel-lesson .grade", "Lesson 1: passed.");
  await page.fill("#prediction", "100");
  await press("Ask");
  await shows(page, "#panel-lesson output", "100 is right.");
  await press("All lessons");
  change("lesson.lua", "st.global", "st.globl");
  await page.setInputFiles("#course", `${folder}/own`);
  await shows(page, "#panel-lesson .wrong", "measure");
  const told = spawnSync(command, ["lesson", "--lessons", `${folder}/own`]).stderr.toString().replaceAll(`${folder}/own/`, "").replace("heddle lesson: error: ", "");
  expect("what is wrong is named as the command does", await panel.locator(".wrong").textContent() === told.trim(), told);
  holds("the lessons before stay", await panel.textContent(), "1 of 1 passed");
  change("lesson.lua", "", "");
  change("reference.hd", "add.u32       v, v, v", "add.u32       v, v, 3");
  await page.setInputFiles("#course", `${folder}/own`);
  await press("twice");
  await press("Check");
  await shows(page, "#panel-lesson .grade", "01-twice/reference.hd:4: the solution is wrong in its case with n = 1, warp 8: 1 of 1");
  await press("All lessons");
  await page.setInputFiles("#course", "docs/pictures");
  await shows(page, "#panel-lesson .wrong", "There is no lesson");
  await press("The lessons of heddle");
  await shows(page, "#panel-lesson", "of 20 passed");
  rmSync(folder, { recursive: true });
  await close(page);
}
