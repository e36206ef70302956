// Parts of page.js that take long: all lessons from Start to Passed, and how soon pictures follow the slider.
import { execFileSync } from "node:child_process";
import { expect } from "./browser.js";
import { command } from "./built.js";
import { close, open, opened, run, shows, told, type } from "./use.js";

const LONG = 10_000; // instructions of a recording
const PLACES = 20;
const MOST = 3, LAYOUTS = 2.2, CALLS = 12_000; // of a move: calls beside a short recording, layouts, calls

// Returns the solutions that tests of the lesson name: the gate each has to fail at, or "passed", and the text.
function solutions(name) {
  const all = `for _, s in ipairs(require "heddle.lessons.solutions".of {name = "${name}"}) do io.write(s.gate, "\\0", s.text, "\\0") end`;
  const parts = execFileSync(command, ["lua", "-e", all], { encoding: "utf8" }).split("\0");
  return Array.from({ length: parts.length >> 1 }, (_, i) => ({ gate: parts[2 * i], text: parts[2 * i + 1] }));
}

// Each lesson as a student does it: Start, a grade that has not passed, a named solution that is wrong, and the reference.
export async function walk(browser) {
  const page = await opened(browser), panel = page.locator("#panel-lesson"), grade = panel.locator(".grade");
  const press = (name) => panel.getByRole("button", { name, exact: true }).click();
  const list = await page.evaluate(() => globalThis.heddlePage.app.lessons.map(({ number, name, title }) => ({ number, name, title })));
  const graded = async (number) => {
    await grade.evaluate((element) => element.replaceChildren());
    await press("Check");
    await shows(page, "#panel-lesson .grade", `Lesson ${number}: `);
    return grade.textContent();
  };
  await open(page, "lesson");
  for (const { number, name, title } of list) {
    await press(title.replace(/^Lesson \d+: /, ""));
    await press("Start");
    await told(page, `lesson ${number} is in the editor`);
    const first = await graded(number);
    expect(`${name}: the kernel to begin with does not pass`, first.includes("not passed, at '"), first);
    const { gate, text: wrong } = solutions(name).find((one) => one.gate !== "passed");
    await type(page, () => wrong);
    const said = await graded(number), words = `not passed, at '${gate}'`;
    expect(`${name}, a wrong solution: ${words}`, said.startsWith(`Lesson ${number}: ${words}`), said.slice(0, 200));
    const { text } = await page.evaluate((kernel) => globalThis.heddlePage.app.client.kernel(kernel), `lessons/${name}/reference`);
    await type(page, () => text);
    const last = await graded(number);
    expect(`${name}: the reference passes`, last.startsWith(`Lesson ${number}: passed.`), last.slice(0, 200));
    await press("All lessons");
  }
  expect("all are remembered as passed", (await panel.textContent()).includes(`${list.length} of ${list.length} passed`));
  await close(page);
}

// Within the page: moves the slider to places all over the recording, and returns the time of each until all is laid out.
const moved = async (places) => {
  const { app } = globalThis.heddlePage, slider = document.getElementById("slider"), times = [];
  let drawn;
  app.on("move", () => drawn()); // after all others
  for (let i = 1; i <= places; i++) {
    const began = performance.now(), end = new Promise((resolve) => { drawn = resolve; });
    slider.value = Math.floor(slider.max * ((i * 0.618) % 1));
    slider.dispatchEvent(new Event("input"));
    await end;
    times.push(document.body.offsetHeight && performance.now() - began);
  }
  return times.sort((a, b) => a - b);
};

// Pictures of values follow the slider as soon on a recording of 10,000 steps as on one of 500. A move's work is counted: calls of
// the page's functions, and layouts. Its time is reported, and no test of the computer; a frame of 60 a second has 16.7 ms.
export async function frames(browser) {
  const page = await opened(browser), session = await page.context().newCDPSession(page), costs = [];
  const metric = async (one) => (await session.send("Performance.getMetrics")).metrics.find(({ name }) => name === one).value;
  for (const domain of ["Performance", "Profiler"]) await session.send(`${domain}.enable`, domain === "Performance" ? { timeDomain: "threadTicks" } : {});
  const work = async () => {
    await session.send("Profiler.startPreciseCoverage", { callCount: true });
    const before = await metric("LayoutCount");
    await page.evaluate(moved, PLACES);
    const layouts = await metric("LayoutCount") - before, { result } = await session.send("Profiler.takePreciseCoverage");
    await session.send("Profiler.stopPreciseCoverage");
    const counts = result.filter(({ functions }) => functions.length > 20).flatMap(({ functions }) => functions.map(({ ranges: [{ count }] }) => count));
    return { layouts: layouts / PLACES, calls: counts.reduce((sum, count) => sum + count, 0) / PLACES };
  };
  for (const long of [false, true]) {
    if (long) await page.evaluate(() => globalThis.heddlePage.app.choose("lesson 7")); // whose warps run from the beginning to the end
    await run(page);
    const steps = await page.evaluate(() => globalThis.heddlePage.app.state.record.issues.length), found = {};
    expect("the recording is long", !long || steps >= LONG, steps);
    for (const id of ["access", "memory", "timeline"]) {
      await open(page, id);
      await page.evaluate(moved, 3);
      const before = await metric("TaskDuration"), times = await page.evaluate(moved, PLACES);
      const busy = (await metric("TaskDuration") - before) * 1000 / PLACES, { layouts, calls } = found[id] = await work();
      console.log(`${id}, a move of the slider over ${steps} steps: ${busy.toFixed(1)} ms of the processor, ${Math.round(calls)} calls, ` +
        `${layouts.toFixed(1)} layouts; on the clock ${times[PLACES >> 1].toFixed(1)} ms in the middle, ${times.at(-1).toFixed(1)} ms at most`);
    }
    costs.push(found);
  }
  for (const [id, { layouts, calls }] of Object.entries(costs[1])) {
    expect(`${id}: as soon on a long recording`, calls < MOST * costs[0][id].calls, `${calls} calls, ${costs[0][id].calls} on a short one`);
    expect(`${id}: few layouts of a move`, layouts <= LAYOUTS, layouts);
    expect(`${id}: little work of a move`, calls <= CALLS, calls);
  }
  await close(page);
}
