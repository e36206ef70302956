// Writes plot.min.js: the parts of Observable Plot that plot.js names, behind the licences of what is in it.
//
//   npm ci --ignore-scripts && node build.js [FILE]
//
// heddle itself never runs this: plot.min.js is part of the repository. `make check` compares where the packages are
// installed.
import {build} from "esbuild";
import {writeFileSync} from "node:fs";
import {licences} from "../web/licences.js";

const out = process.argv[2] ?? "plot.min.js";
const result = await build({
  entryPoints: ["plot.js"], bundle: true, minify: true, format: "iife", globalName: "Plot", target: "es2022",
  charset: "utf8", legalComments: "none", metafile: true, write: false, logLevel: "warning"
});

const [{inputs}] = Object.values(result.metafile.outputs);
const notices = licences(inputs, "").map((text) => `\n${text.replaceAll("*/", "* /")}`);
writeFileSync(out, `/* Made by build.js; not written by hand. It holds parts of:\n${notices.join("")}*/\n${result.outputFiles[0].text}`);
