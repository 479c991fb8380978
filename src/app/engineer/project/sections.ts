// Sections, keys and values of an INI or TOML file, as far as commands and lists of packages need them.

/** Characters of a line that is read: what reading it takes may grow with their square. */
const MAX_LINE = 2000;

/** By the section's name: each key's value as it is written, lines that continue it included. */
export type Sections = Map<string, Map<string, string>>;

/**
 * TOML's values end where their brackets close, INI's where a line is not indented. Anything else a file may hold is
 * left out, not refused: the file belongs to another tool.
 */
export function sectionsOf(text: string, form: 'ini' | 'toml'): Sections {
  const sections: Sections = new Map();
  let section = new Map<string, string>();
  let key = '';
  let depth = 0;
  for (const line of text.split(/\r?\n/)) {
    if (line.length > MAX_LINE) continue;
    const header = /^\[{1,2}([^[\]]+)\]{1,2}\s*(?:#.*)?$/.exec(line)?.[1];
    if (key !== '' && (form === 'ini' ? /^\s+\S/.test(line) : depth > 0)) {
      const more = withoutComment(line, form);
      section.set(key, `${section.get(key)}\n${more}`);
      depth += openedIn(more);
    } else if (header !== undefined) {
      const name = header.replaceAll(/["'\s]/g, '');
      section = sections.get(name) ?? new Map<string, string>();
      sections.set(name, section);
      key = '';
    } else {
      const [, name = '', value = ''] = /^\s*["']?([\w.-]+)["']?\s*[=:](.*)$/.exec(line) ?? [];
      if (name === '') continue;
      key = name;
      section.set(key, withoutComment(value, form).trim());
      depth = openedIn(section.get(key) ?? '');
    }
  }
  return sections;
}

/** Brackets that a line opens and does not close. */
function openedIn(line: string): number {
  const outside = line.replaceAll(quotedText, '');
  return outside.split('[').length - outside.split(']').length;
}

const quotedText = /"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/g;

function withoutComment(line: string, form: 'ini' | 'toml'): string {
  if (form === 'ini') return line.replace(/(?:^|\s)[#;].*$/, '');
  return line.replaceAll(/("(?:[^"\\]|\\.)*"|'[^']*')|#.*$/g, (_all, text?: string) => text ?? '');
}

/** The quoted texts in a value of TOML. */
export const textsIn = (value: string): string[] =>
  (value.match(quotedText) ?? []).map(each => each.slice(1, -1).replaceAll(/\\(["\\])/g, '$1'));
