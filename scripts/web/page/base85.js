// Bytes as text: 5 characters for 4 bytes, where base64 needs 5.33. The characters are ( to |, none of which a script element
// of HTML minds, since } stands for <.
const FIRST = 40, BASE = 85, LESS = 60, OTHER = 125;

export function encode(bytes) {
  const groups = Math.ceil(bytes.length / 4), out = new Uint8Array(5 * groups);
  for (let g = 0; g < groups; g++) {
    let value = 0;
    for (let i = 0; i < 4; i++) value = 256 * value + (bytes[4 * g + i] ?? 0);
    for (let i = 0; i < 5; i++, value = Math.floor(value / BASE)) {
      const c = FIRST + value % BASE;
      out[5 * g + i] = c === LESS ? OTHER : c;
    }
  }
  return new TextDecoder().decode(out);
}

// The bytes, and up to three zeros behind them.
export function decode(text) {
  const out = new Uint8Array(text.length / 5 * 4), view = new DataView(out.buffer);
  for (let g = 0; 5 * g < text.length; g++) {
    let value = 0;
    for (let i = 4; i >= 0; i--) {
      const c = text.charCodeAt(5 * g + i);
      value = BASE * value + (c === OTHER ? LESS : c) - FIRST;
    }
    view.setUint32(4 * g, value);
  }
  return out;
}
