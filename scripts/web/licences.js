// The licences of the packages whose code is in a bundle.
//
//   licences(result.metafile.outputs["out.js"].inputs, "scripts/web/")     the folder that has node_modules
import { readFileSync, readdirSync } from "node:fs";

// A text for each licence: the packages that are under it, a blank line, its words.
export function licences(inputs, folder) {
  const packages = new Set();
  for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
    const found = path.match(/node_modules\/((?:@[^/]+\/)?[^/]+)/);
    if (found && bytesInOutput > 0) packages.add(found[1]);
  }
  const texts = new Map();
  for (const name of [...packages].sort()) {
    const own = `${folder}node_modules/${name}/`;
    const { version, license } = JSON.parse(readFileSync(`${own}package.json`, "utf8"));
    const file = readdirSync(own).find((f) => /^licen[cs]e/i.test(f));
    const text = file ? readFileSync(own + file, "utf8").trim().replaceAll(/[ \t]+$/gm, "") : license;
    texts.set(text, [...(texts.get(text) ?? []), `${name} ${version}`]);
  }
  return [...texts].map(([text, names]) => `${names.join(", ")}\n\n${text}\n`);
}
