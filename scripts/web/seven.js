// Bytes as text of a page, seven bits a character: an eighth more, where base64 takes a third. What HTML changes in a script (NUL,
// CR) or may read as its end (<) is another character with the same lower bits.
//
//   unspelled(spelled(bytes))      the bytes

export function spelled(bytes) {
  return Array.from({ length: Math.ceil(bytes.length * 8 / 7) }, (_, k) => {
    const at = 7 * k >> 3, code = (bytes[at] << 8 | (bytes[at + 1] ?? 0)) >> 9 - (7 * k & 7) & 127;
    return String.fromCharCode([0, 13, 60].includes(code) ? code | 128 : code);
  }).join("");
}

export function unspelled(text) {
  const bytes = new Uint8Array(text.length * 7 >> 3);
  for (let i = 0, k = 0, held = 0, have = 0; i < text.length; i++) {
    held = (held << 7 | text.charCodeAt(i) & 127) & 0x7fff;
    have += 7;
    if (have >= 8) bytes[k++] = held >> (have -= 8);
  }
  return bytes;
}
