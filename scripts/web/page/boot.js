// Unpacks the page (build.js) and starts it. Failures are shown in the page.
import { unspelled } from "../seven.js";

const place = document.getElementById("packed");

async function start() {
  const bytes = unspelled(place.textContent);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const all = await new Response(stream).arrayBuffer(), head = new DataView(all).getUint32(0, true);
  const given = JSON.parse(new TextDecoder().decode(new Uint8Array(all, 4, head)));
  place.remove();
  const script = document.createElement("script");
  script.textContent = given.main;
  document.head.append(script);
  await globalThis.heddlePage.start({ ...given, wasm: all.slice(4 + head) });
}

start().catch((error) => {
  document.getElementById("said").textContent = `heddle did not start: ${error.message}. It needs a browser with ` +
    "WebAssembly SIMD, workers and DecompressionStream: Chromium 123, Firefox 120, Safari 17.5, or later.";
});
