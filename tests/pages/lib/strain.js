// The page under strain: loops that are stopped, links and addresses, browsers that lack something, texts that are
// scripts, two tabs. Parts of page.js.
import { accessible, expect, none, wideElements } from "./browser.js";
import { close, editor, holds, open, opened, run, said, shoot, shows, status, still, told, type, url } from "./use.js";

export async function loops(browser) {
  const page = await opened(browser), text = await editor(page);
  await type(page, (t) => t.replace("@beyond exit", "again: add.u32 size, size, 1\n bra again"));
  await page.click("#run");
  await told(page, "Running");
  await page.waitForTimeout(300);
  await shoot(page, "running");
  await page.click("#stop");
  await told(page, "Stopped");
  await page.evaluate(() => globalThis.heddlePage.app.look()); // the new worker has answered
  holds("what was stopped stays said", await status(page), "Stopped. Nothing of this run is kept.");
  await type(page, () => text);
  await run(page);
  holds("the page goes on behind a loop that was stopped", await status(page), "757 cycles");
  await longProof(page);
  await close(page);
}

// A proof ends by Stop as a run does.
async function longProof(page) {
  await page.selectOption("#kernel", "gemm/mma");
  await open(page, "prove");
  await page.waitForFunction(() => document.getElementById("prove-case").options.length > 0 &&
    document.getElementById("prove-other").value === "gemm/mma");
  await page.click("#panel-prove button.main");
  await page.waitForFunction(() => !document.getElementById("stop").disabled);
  await page.click("#stop");
  await shows(page, "#panel-prove .grade", "Stopped: there is no answer.");
  expect("behind a proof nothing runs", await page.isDisabled("#stop"));
}

const SHARED = `;! run k grid=1 block=8
;! run k grid=2 block=32
.include "lib/mine.hd"
.kernel k
.reg v
five v
five v
exit
`;

// A link carries all that is chosen: board, case, warp width, step, the warp that is looked at, and files.
async function chosen(page) {
  await still(page);
  return page.evaluate(() => {
    const { app } = globalThis.heddlePage, { name, case: which, warp, board, at, files, machine } = app.state;
    return { name, which, warp, sms: board.values.find(({ key }) => key === "sms").value, at, files, steps: app.steps(),
      lanes: machine?.width };
  });
}

export async function carried(browser) {
  const page = await opened(browser), shipped = await page.evaluate(() => globalThis.heddlePage.app.state.board.text);
  const given = { name: "k.hd", source: SHARED, files: { "lib/mine.hd": ".macro five r\nmov.b32 \\r, 5\n.endmacro\n" }, case: "2",
    warp: 16, at: "1.1", step: 5, board: { name: "teach8", text: shipped.replace(/^sms: 1 /m, "sms: 2 ") } };
  await page.evaluate((hash) => { location.hash = hash; }, `#0${Buffer.from(JSON.stringify(given)).toString("base64url")}`);
  await page.waitForFunction(() => globalThis.heddlePage.app.state.at.block === 1);
  const first = await chosen(page), { which, warp, sms, at, steps, lanes } = first;
  expect("a link sets what it carries", JSON.stringify([which, warp, sms, at, steps, lanes]) ===
    JSON.stringify(["2", 16, 2, { block: 1, warp: 1 }, 5, 16]), JSON.stringify(first));
  await page.click("#share");
  await told(page, "characters");
  const other = await opened(browser, { fragment: new URL(page.url()).hash }), second = await chosen(other);
  expect("a link of a link carries the same", JSON.stringify(first) === JSON.stringify(second), JSON.stringify(second));
  await close(other);
  await close(page);
}

// Checks that address and contents agree: back from a link, past it by keyboard, and after a reload.
export async function addresses(browser) {
  const page = await opened(browser), name = () => page.evaluate(() => globalThis.heddlePage.app.state.name);
  const named = (text) => page.waitForFunction((one) => globalThis.heddlePage.app.state.name === one, text);
  const link = Buffer.from(JSON.stringify({ name: "k.hd", source: "; of a link\n" })).toString("base64url");
  await page.evaluate((hash) => { location.hash = hash; }, `#0${link}`);
  await named("k.hd");
  await page.focus(".skip");
  await page.keyboard.press("Enter");
  expect("the way past the kernel leads to the recording", await page.evaluate(() => document.activeElement.id) === "inside");
  expect("the way past the kernel leaves the address", new URL(page.url()).hash === `#0${link}`, page.url());
  await type(page, () => "; typed\n");
  await page.reload();
  await page.waitForFunction(() => document.documentElement.dataset.begun);
  expect("a reload behind a link leaves what was typed", await editor(page) === "; typed\n", await editor(page));
  await page.goBack();
  await named("kernels/classic/saxpy.hd").catch(() => {});
  expect("back from a link is the first kernel", await name() === "kernels/classic/saxpy.hd", await name());
  await close(page);
}

// Opens the page without scripts, and with the system's own colours.
export async function surroundings(browser) {
  const context = await browser.newContext({ javaScriptEnabled: false }), page = await context.newPage();
  await page.goto(url);
  const words = await page.locator("noscript p").boundingBox();
  expect("without scripts a sentence stands above", words && words.y < 200, JSON.stringify(words));
  expect("without scripts nothing is unpacked", !await page.locator("#said").isVisible());
  await shoot(page, "no-scripts");
  await context.close();
  const forced = await opened(browser, { forcedColors: "active" });
  await still(forced);
  const line = (place) => forced.locator(place).first().evaluate((e) => getComputedStyle(e).borderBottomColor);
  const [chosenTab, other] = [await line("[role=tab][aria-selected=true]"), await line("[role=tab][aria-selected=false]")];
  expect("the open tab differs in forced colours", chosenTab !== other, other);
  expect("the line of the cursor differs in forced colours", await forced.locator(".cm-here").evaluate((e) =>
    getComputedStyle(e).outlineStyle) === "solid");
  await shoot(forced, "forced-colours");
  await close(forced);
}

// A text that became a part of the page would still run nothing.
export async function injected(browser) {
  const page = await opened(browser), before = said.length;
  await page.evaluate(() => {
    const place = document.body.appendChild(document.createElement("div"));
    place.innerHTML = "<img src='data:,' onerror='globalThis.ran = 1'><a href='javascript:globalThis.ran = 2'>a</a>";
    place.querySelector("a").click();
    place.appendChild(document.createElement("script")).textContent = "globalThis.ran = 3";
  });
  await page.waitForTimeout(300);
  expect("a script in a text runs", await page.evaluate(() => globalThis.ran) === undefined);
  const refusals = said.splice(before).filter((text) => text.includes("Content Security Policy"));
  expect("each of three scripts is refused", refusals.length === 3, refusals.join("; "));
  await close(page);
}

// Checks that two tabs keep their lessons without losing the other's.
export async function twoTabs(browser) {
  const page = await opened(browser), other = await page.context().newPage();
  await other.goto(url);
  await other.waitForFunction(() => document.documentElement.dataset.begun);
  for (const [tab, lesson] of [[page, 1], [other, 2]]) {
    await open(tab, "lesson");
    await tab.evaluate((number) => globalThis.heddlePage.app.choose(`lesson ${number}`), lesson);
    const text = `; of tab ${lesson}\n`;
    await type(tab, () => text);
    for (const one of [page, other]) // an event informs the other tab, soon
      await one.waitForFunction((number) => localStorage.getItem("heddle.lessons")?.includes(`of tab ${number}`), lesson);
  }
  const kept = await page.evaluate(() => localStorage.getItem("heddle.lessons"));
  expect("both tabs' kernels are kept", kept.includes("of tab 1") && kept.includes("of tab 2"), kept);
  await close(page);
}

// A link as a frame of another page: the kernel, its step and one picture, and the way to the whole page.
export async function framed(browser) {
  const page = await opened(browser);
  await page.locator("#slider").fill("300");
  await open(page, "timeline");
  await still(page);
  await page.click("#share");
  await told(page, "characters");
  await page.evaluate(() => { navigator.clipboard.writeText = () => Promise.reject(new Error("none")); });
  await page.click("#frame");
  const html = await page.inputValue("#said input");
  for (const width of [320, 720]) {
    const around = await browser.newPage({ viewport: { width, height: 560 } });
    await around.goto(url.replace(/[^/]*$/, "")); // a page of the same folder
    await around.setContent(`<!doctype html><html lang="en"><title>A page</title><main><h1>A page</h1>${html.replace('loading="lazy"', "")}</main></html>`);
    const inner = await (await around.waitForSelector("iframe")).contentFrame();
    await inner.waitForFunction(() => document.documentElement.dataset.begun);
    holds(`${width} px: the frame is at the step`, await inner.textContent("#place"), "300 of 544");
    expect(`${width} px: its picture is the one that was open`, await inner.isVisible("#panel-timeline") && !await inner.isVisible("#panel-access"));
    expect(`${width} px: no more than that`, !await inner.isVisible("#kernel") && !await inner.isVisible("#beside") && !await inner.isVisible("[role=tab]"));
    none(`${width} px: nothing wider than the frame`, await inner.evaluate(wideElements));
    await inner.click("#step-any");
    await inner.waitForFunction(() => document.querySelector("#place").textContent.startsWith("301 of 544"));
    const whole = await inner.getAttribute("header a", "href");
    expect(`${width} px: the whole page is the link itself`, whole === page.url(), whole);
    await shoot(around, `frame-${width}`);
    if (width === 720) await accessible(around, "a frame");
    await around.close();
  }
  await close(page);
}
