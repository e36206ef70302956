// heddle's messages, "k.hd:3:9: error: words" with the line and a caret below, as rows for the editor and the list.
//
//   diagnostics(text)        [{file, line, column, width, severity, message, detail}]

const HEAD = /^(.*?):(\d+)(?::(\d+))?: (error|warning|fault|note): (.*)$/;

export function diagnostics(text) {
  const found = [];
  for (const row of (text ?? "").split("\n")) {
    const head = row.match(HEAD);
    if (head) {
      const [, file, line, column, severity, message] = head;
      found.push({ file, line: +line, column: column ? +column : null, width: 1, severity, message, detail: [] });
    } else if (found.length && row) {
      const last = found.at(-1), caret = row.match(/^ *\| *(\^~*)$/);
      if (caret) last.width = caret[1].length;
      else if (!/^ *\d+ \| /.test(row)) last.detail.push(row.trim());
    } else if (row) {
      found.push({ file: null, line: null, column: null, width: 1, severity: "error", message: row, detail: [] });
    }
  }
  return found;
}

// Finds a place in the editor's text, as {from, to}; without a column, or past the end, the line or the last place.
export function place(doc, { line, column, width }) {
  const row = doc.line(Math.max(1, Math.min(line ?? 1, doc.lines)));
  if (!column) return { from: row.from + row.text.search(/\S|$/), to: row.to };
  const from = Math.min(row.from + column - 1, row.to);
  return { from, to: Math.min(Math.max(from + width, from), row.to) };
}
