// The text and the attributes of an envelope's tags, as the model meant them.

/**
 * The value of one attribute of a tag, and all other attributes as they were written. `second`: the tag has another
 * one of its name, with this other value. What `ignored` names is left out.
 */
export function attributeOf(
  written: string,
  wanted: string,
  ignored?: string,
): { value: string | undefined; second?: string; others: string } {
  let found: string | undefined;
  let second: string | undefined;
  const others: string[] = [];
  for (const [whole, name, double, single, bare] of written.matchAll(attribute)) {
    const value = double ?? single ?? bare;
    if (value !== undefined && name === wanted) {
      if (found === undefined) found = value;
      else if (value !== found) second ??= value;
    } else if (/[\p{L}\p{N}]/u.test(whole) && (name !== ignored || value === undefined)) others.push(whole);
  }
  return { value: found, ...(second !== undefined && { second }), others: others.join(' ') };
}

const attribute = /([^\s=/"']+|["'])(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'/]+)))?/g;

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Text that was escaped is read; text with raw markup in it is taken as it stands. */
export function decode(raw: string, part: string, warnings: string[]): string {
  let isRaw = false;
  const plain = (piece: string): string => {
    if (!/<|&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});)/i.test(piece)) return unescaped(piece);
    isRaw = true;
    return piece;
  };
  let text = '';
  let at = 0;
  for (;;) {
    const begin = raw.indexOf('<![CDATA[', at);
    const end = begin < 0 ? -1 : raw.indexOf(']]>', begin);
    if (end < 0) break;
    text += plain(raw.slice(at, begin)) + raw.slice(begin + 9, end);
    at = end + 3;
  }
  text += plain(raw.slice(at));
  if (isRaw) warnings.push(`the text of <${part}> holds unescaped markup and is taken as it stands`);
  return text.trim();
}

function unescaped(text: string): string {
  return text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return entities[name] ?? whole;
    const point = hex === undefined ? Number.parseInt(decimal, 10) : Number.parseInt(hex, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}
