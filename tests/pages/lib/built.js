// Output of `make` and `make web` for the suites of the page: the folder BUILD, or build/.
import { existsSync, readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { skip } from "./count.js";

const build = resolve(process.env.BUILD ?? "build");
export const command = `${build}/heddle`, page = `${build}/web/heddle.html`;
export const module = () => readFileSync(`${build}/web/heddle.wasm`);

if (!existsSync(page)) skip("there is no page ('make web' builds it)");
if (statSync(page).mtimeMs < statSync(command).mtimeMs) skip("the page is older than the command ('make web' builds it again)");
