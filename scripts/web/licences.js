// Collects the licences of the packages in a bundle.
//
//   licences(result.metafile.outputs["out.js"].inputs)
import { readFileSync, readdirSync } from "node:fs";

// A text for each licence: the packages that are under it, a blank line, its words.
const modules = new URL("../../node_modules/", import.meta.url);

export function licences(inputs) {
  const packages = new Set();
  for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
    const found = path.match(/node_modules\/((?:@[^/]+\/)?[^/]+)/);
    if (found && bytesInOutput > 0) packages.add(found[1]);
  }
  const texts = new Map();
  for (const name of [...packages].sort()) {
    const own = new URL(`${name}/`, modules);
    const { version, license } = JSON.parse(readFileSync(new URL("package.json", own), "utf8"));
    const file = readdirSync(own).find((f) => /^licen[cs]e/i.test(f));
    const text = file ? readFileSync(new URL(file, own), "utf8").trim().replaceAll(/[ \t]+$/gm, "") : license;
    texts.set(text, [...(texts.get(text) ?? []), `${name} ${version}`]);
  }
  return [...texts].map(([text, names]) => `${names.join(", ")}\n\n${text}\n`);
}
