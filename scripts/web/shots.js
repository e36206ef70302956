// The pictures of the page in docs/pictures: README.md and docs/teaching.md show them. Needs what scripts/setup.sh browser installs.
//
//   node scripts/web/shots.js build/web/heddle.html docs/pictures
import { address, launch } from "./browser.js";

const [file, folder] = process.argv.slice(2);
const browser = await launch();

async function shot(name, colorScheme, prepare) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 1080 }, colorScheme, reducedMotion: "reduce" });
  await page.goto(address(file));
  await page.waitForFunction(() => document.documentElement.dataset.begun);
  await prepare(page);
  await page.evaluate(() => document.activeElement.blur());
  await page.waitForTimeout(500); // until everything is drawn
  await page.screenshot({ path: `${folder}/${name}.png` });
  await page.close();
}

const open = (page, id) => page.evaluate((tab) => globalThis.heddlePage.app.open(tab), id);
const app = (page, call) => page.evaluate(`globalThis.heddlePage.app.${call}`);

// The column of a tile in shared memory: all lanes in one bank.
for (const theme of ["light", "dark"]) await shot(`page-access-${theme}`, theme, async (page) => {
  await app(page, 'choose("classic/transpose_tiled")');
  await app(page, "run()");
  await app(page, "reach(67)");
  await open(page, "access");
  await open(page, "counters");
  await page.fill("#counters-filter", "conflict shared");
});

// A lesson that is not passed, and what its warps waited for.
await shot("page-lesson-dark", "dark", async (page) => {
  await app(page, 'choose("lesson 6")');
  await app(page, "run()");
  await open(page, "lesson");
  await page.locator("#panel-lesson").getByRole("button", { name: "Check" }).click();
  await page.waitForSelector("#panel-lesson .gates");
  await app(page, "place(1400)");
  await open(page, "timeline");
});
await browser.close();
