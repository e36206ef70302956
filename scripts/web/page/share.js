// Contents of a link, after the # of the address, which is not sent to a server:
//
//   #1 and base64url of deflate-raw of JSON      as the page writes it
//   #0 and base64url of JSON                     as written without compression
//
//   {source, name, board, case, warp, step, at, beside, picture, lesson, files, version}
//
// `board` is a name, or {name, text} of one that was edited; `step` counts all warps' instructions, `at` "0.3" is the current
// warp; `beside` and `picture` are the tabs that are open; `files` are texts by path, which the kernel includes. A link has a source or a lesson, whose starter it opens.
// Unknown keys are skipped, so that links of later versions can be read.

const MOST = 16_384; // characters; longer ones do not survive being sent around
const UNPACKED = 4 << 20; // bytes; a link of a few thousand characters can hold gigabytes of zeros
const KEYS = {
  source: "string", name: "string", board: "any", case: "string", warp: "number", step: "number", at: "string",
  beside: "string", picture: "string", lesson: "number", files: "object", version: "string"
};
const encoder = new TextEncoder(), decoder = new TextDecoder("utf-8", { fatal: true });

class TooLarge extends Error {}

// `bytes` through a stream, up to a number of bytes.
async function through(bytes, stream, most = Infinity) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader(), parts = [];
  let length = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    length += part.value.length;
    if (length <= most) continue;
    reader.cancel().catch(() => {});
    throw new TooLarge(`This link is not opened: it unpacks to more than ${most.toLocaleString("en-US")} bytes.`);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

// base64url, without padding.
export function toBase64(bytes) {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

const fromBase64 = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));

// The fragment; throws a sentence if it is too long.
export async function encode(state) {
  const given = Object.fromEntries(Object.keys(KEYS).flatMap((key) => {
    const value = state[key];
    return value === undefined || value === null || value === "" || value === 0 ? [] : [[key, value]];
  }));
  const bytes = await through(encoder.encode(JSON.stringify(given)), new CompressionStream("deflate-raw"));
  const link = `#1${toBase64(bytes)}`;
  if (link.length > MOST)
    throw new Error(`A link of this kernel would have ${link.length.toLocaleString("en-US")} characters, and ${
      MOST.toLocaleString("en-US")} are the most that survive being sent. Please send the text itself.`);
  return link;
}

function board(value) {
  if (typeof value === "string") return { name: value };
  if (typeof value?.name === "string" && typeof value.text === "string") return { name: value.name, text: value.text };
  throw new Error("its board has no name or no text");
}

// Checks the types of a link's contents; throws the error.
export function checked(given) {
  if (typeof given?.source !== "string" && !given?.lesson) throw new Error("it holds no kernel");
  const found = {};
  for (const [key, type] of Object.entries(KEYS)) {
    const value = given[key];
    if (value === undefined || value === null) continue;
    if (type !== "any" && typeof value !== type) throw new Error(`its '${key}' is no ${type}`);
    found[key] = key === "board" ? board(value) : value;
  }
  if (Object.values(found.files ?? {}).some((text) => typeof text !== "string")) throw new Error("a file of it is no text");
  if (/[\0-\x1f]/.test(found.name ?? "")) throw new Error("the name of its kernel has control characters");
  return { name: "mine.hd", ...found };
}

// Decodes a fragment, null for none; throws a sentence if it cannot be read.
export async function decode(fragment) {
  if (fragment.length < 2) return null;
  const version = fragment[1], rest = fragment.slice(2);
  if (version !== "0" && version !== "1")
    throw new Error("This link was not made by heddle, or by a later version of it that this page cannot read.");
  let given;
  try {
    const bytes = fromBase64(decodeURIComponent(rest));
    const plain = version === "1" ? await through(bytes, new DecompressionStream("deflate-raw"), UNPACKED) : bytes;
    given = JSON.parse(decoder.decode(plain));
  } catch (e) {
    if (e instanceof TooLarge) throw e;
    throw new Error("This link is broken: a part of it is missing, or was changed.");
  }
  try {
    return checked(given);
  } catch (e) {
    throw new Error(`This link is broken: ${e.message}.`);
  }
}

// The address with or without a word of its query.
export function addressed(word, value) {
  const url = new URL(location.href);
  if (value === null) url.searchParams.delete(word);
  else url.searchParams.set(word, value);
  return url.href.replace(/=(?=&|#|$)/, "");
}
