// Headless Chromium, for pictures and tests of pages.
//
//   const browser = await launch();
//   await page.goto(address("build/web/heddle.html"));
//
// CHROMIUM names another browser than /usr/bin/chromium.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];

export const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
export const launch = () => chromium.launch({ executablePath, args: FLAGS });
export const address = (file) => pathToFileURL(resolve(file)).href;
