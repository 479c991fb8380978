// Rows of comma-separated values, read and written.

/** Throws an Error with the line of a quote that is never closed. */
export function parse(text) {
  const rows = [];
  let row = [];
  let at = 0;
  const lineOf = index => text.slice(0, index).split('\n').length;
  while (at < text.length || row.length > 0) {
    let field = '';
    if (text[at] === '"') {
      const opened = at++;
      for (;;) {
        const end = text.indexOf('"', at);
        if (end < 0) throw new Error(`a quote is never closed: line ${lineOf(opened)}`);
        field += text.slice(at, end);
        at = end + 1;
        if (text[at] !== '"') break;
        field += '"';
        at++;
      }
    }
    const rest = /[^,\r\n]*/y;
    rest.lastIndex = at;
    field += rest.exec(text)[0];
    at = rest.lastIndex;
    row.push(field);
    if (text[at] === ',') {
      at++;
      continue;
    }
    if (text[at] === '\r') at++;
    if (text[at] === '\n') at++;
    rows.push(row);
    row = [];
  }
  return rows;
}

export function format(rows) {
  const quoted = field => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);
  return rows.map(row => `${row.map(quoted).join(',')}\n`).join('');
}
