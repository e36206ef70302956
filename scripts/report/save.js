// Saves charts of a page as its readers do, by their buttons.
//
//   node save.js PAGE.html light|dark ID=FILE.svg...
//
// Needs what scripts/setup.sh browser installs.
import {address, launch} from "../web/browser.js";

const [file, colorScheme, ...charts] = process.argv.slice(2);
const browser = await launch();
const page = await browser.newPage({colorScheme});
await page.goto(address(file));
for (const chart of charts) {
  const [id, path] = chart.split("="), saved = page.waitForEvent("download");
  await page.click(`figure[id="${id}"] > button`);
  await (await saved).saveAs(path);
}
await browser.close();
