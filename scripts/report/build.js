// Writes plot.min.js: the parts of Observable Plot that plot.js names, behind the licences of what is in it.
//
//   npm ci --ignore-scripts && node build.js [FILE]
//
// heddle itself never runs this: plot.min.js is part of the repository. `make check` compares where the packages are
// installed.
import {build} from "esbuild";
import {readFileSync, readdirSync, writeFileSync} from "node:fs";

const out = process.argv[2] ?? "plot.min.js";
const result = await build({
  entryPoints: ["plot.js"], bundle: true, minify: true, format: "iife", globalName: "Plot", target: "es2022",
  charset: "utf8", legalComments: "none", metafile: true, write: false, logLevel: "warning"
});

// The packages whose code is in the bundle, by the text of their licence.
const packages = new Set();
for (const output of Object.values(result.metafile.outputs))
  for (const [path, {bytesInOutput}] of Object.entries(output.inputs))
    if (bytesInOutput > 0 && path.startsWith("node_modules/"))
      packages.add(path.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)/)[1]);

const licences = new Map();
for (const name of [...packages].sort()) {
  const folder = `node_modules/${name}/`;
  const {version, license} = JSON.parse(readFileSync(folder + "package.json", "utf8"));
  const file = readdirSync(folder).find((f) => /^licen[cs]e/i.test(f));
  const text = file ? readFileSync(folder + file, "utf8").trim().replaceAll(/[ \t]+$/gm, "") : license;
  licences.set(text, [...(licences.get(text) ?? []), `${name} ${version}`]);
}
let notice = "/* Made by build.js; not written by hand. It holds parts of:\n";
for (const [text, names] of licences) notice += `\n${names.join(", ")}\n\n${text.replaceAll("*/", "* /")}\n`;
writeFileSync(out, notice + "*/\n" + result.outputFiles[0].text);
