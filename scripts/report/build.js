// Writes plot.min.js: the parts of Observable Plot that plot.js names, after their licences.
//
//   npm ci --ignore-scripts && node scripts/report/build.js [FILE]
//
// plot.min.js is part of the repository: `heddle report` and `heddle run --html` of every build need it, and no other part of
// `make` needs npm. `make check` compares it where the packages are installed.
import {build} from "esbuild";
import {writeFileSync} from "node:fs";
import {fileURLToPath} from "node:url";
import {licences} from "../web/licences.js";

const here = fileURLToPath(new URL(".", import.meta.url)), out = process.argv[2] ?? `${here}plot.min.js`;
const result = await build({
  entryPoints: [`${here}plot.js`], bundle: true, minify: true, format: "iife", globalName: "Plot", target: "es2022",
  charset: "utf8", legalComments: "none", metafile: true, write: false, logLevel: "warning"
});

const [{inputs}] = Object.values(result.metafile.outputs);
const notices = licences(inputs).map((text) => `\n${text.replaceAll("*/", "* /")}`);
writeFileSync(out, `/* Made by build.js; not written by hand. It holds parts of:\n${notices.join("")}*/\n${result.outputFiles[0].text}`);
