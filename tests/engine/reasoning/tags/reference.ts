// The tags of a text, found slowly: character by character, with regular expressions on the rest of the text.
import { operations } from '../../../../src/engine/reasoning/operations/table.ts';
import { attributeNames, isNearTag, tagNamed } from '../../../../src/engine/reasoning/tags/forms.ts';

export interface Found {
  blocks: {
    tag: string;
    attributes: [string, string][];
    body: string | undefined;
    start: number;
    end: number;
  }[];
  /** Each problem is somewhere in its tag. */
  problems: { from: number; to: number }[];
}

const blank = '[ \\t\\r\\n]';
const value = `"[^"]*"|'[^']*'`;
const attribute = `${blank}+([A-Za-z_][\\w-]*)(?:${blank}*=${blank}*(${value}))?`;
const rest = new RegExp(`^((?:${attribute})*)${blank}*(/?)>\\}\\}`);

export function reference(text: string): Found {
  const found: Found = { blocks: [], problems: [] };
  const orphaned = new Set<string>();
  let fence: string | undefined;
  let isLineStart = true;
  let at = 0;
  /** End of the last tag. */
  let tagEnd = -1;
  while (at < text.length) {
    const line = isLineStart && /^ {0,3}(`{3,}|~{3,})([^\r\n]*)/.exec(text.slice(at));
    if (line) {
      const [whole, run = '', info = ''] = line;
      if (fence === undefined) {
        if (run[0] === '~' || !info.includes('`')) {
          fence = run;
          at += whole.length;
        }
      } else if (run[0] === fence[0] && run.length >= fence.length && /^[ \t]*$/.test(info)) {
        fence = undefined;
        at += whole.length;
      }
    }
    isLineStart = false;
    if (at >= text.length) break;
    const lineStart = startOfLastLine(text.slice(0, at));
    const before = text.slice(Math.max(lineStart, tagEnd), at);
    const isQuoted = lineStart >= tagEnd && /^ {0,3}>/.test(text.slice(lineStart));
    const lines = text.slice(0, lineStart).replace(/(\r\n|\r|\n)$/, '');
    const previous = lines.slice(startOfLastLine(lines));
    const isIndented =
      lineStart >= tagEnd &&
      /^( {4}|\t)/.test(text.slice(lineStart)) &&
      (lineStart === 0 || /^( {4}|\t)|^\s*$/.test(previous));
    const isHidden = [
      ['<!--', '-->'],
      ['<think>', '</think>'],
    ].some(([from = '', to = '']) => {
      const open = text.lastIndexOf(from, at);
      return open >= Math.max(tagEnd, 0) && text.indexOf(to, open) > at;
    });
    const mayBegin = !isQuoted && !isIndented && !isHidden && (before.match(/`+/g) ?? []).length % 2 === 0;
    const tag =
      fence === undefined && mayBegin
        ? /^\{\{<(\/?)([ \t\r\n]*)([A-Za-z_][\w-]*)/.exec(text.slice(at))
        : null;
    if (!tag || tag[3]!.length > 64 || (tag[1] && tag[2])) {
      isLineStart = text[at] === '\n' || text[at] === '\r';
      at += 1;
      continue;
    }
    const [head, isClosing, gap, name = ''] = tag;
    const start = at;
    const nameEnd = at + head.length;
    const known = tagNamed(name);
    at = nameEnd;
    if (name === 'vaultref' || (gap && !known)) continue;
    if (isClosing) {
      const isWhole = text.startsWith('>}}', nameEnd);
      if (!known && !(isWhole && isNearTag(name))) continue;
      if (!orphaned.delete(name)) found.problems.push({ from: start, to: start });
      tagEnd = isWhole ? nameEnd + 3 : nameEnd;
      continue;
    }
    if (!known && !isNearTag(name)) continue;
    const whole = rest.exec(text.slice(nameEnd));
    const attributes: [string, string][] = [...(whole?.[1] ?? '').matchAll(new RegExp(attribute, 'g'))].map(
      ([, key = '', quoted = '"true"']) => [key, quoted.slice(1, -1)],
    );
    const keys = attributes.map(([key]) => key);
    const isSound =
      known &&
      whole &&
      !gap &&
      new Set(keys).size === keys.length &&
      keys.every(key => attributeNames(known).has(key));
    const rawEnd = text.indexOf('>}}', nameEnd);
    const next = text.indexOf('{{<', nameEnd);
    if (!isSound && (rawEnd < 0 || (next >= 0 && next < rawEnd))) {
      if (!known) continue;
      found.problems.push({ from: start, to: start });
      orphaned.add(name);
      tagEnd = at;
      continue;
    }
    const end = isSound ? nameEnd + whole[0].length : rawEnd + 3;
    const closesItself = text[end - 4] === '/';
    const close = closesItself ? end : text.indexOf(`{{</${name}>}}`, end);
    at = end;
    if (close < 0) {
      orphaned.add(name);
      found.problems.push({ from: start, to: end });
      tagEnd = at;
      continue;
    }
    let body: string | undefined;
    if (!closesItself) {
      body = text
        .slice(end, close)
        .replace(/^\r?\n/, '')
        .replace(/\r?\n$/, '');
      at = close + `{{</${name}>}}`.length;
    }
    tagEnd = at;
    const isNamed = /["']/.test(text[start - 1] ?? '') && text[at] === text[start - 1];
    if (isSound && fits(known, new Map(attributes), body)) {
      if (!isNamed) found.blocks.push({ tag: name, attributes, body, start, end: at });
    } else found.problems.push({ from: start, to: end });
  }
  return found;
}

const startOfLastLine = (text: string) => Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;

function fits(
  tag: NonNullable<ReturnType<typeof tagNamed>>,
  attributes: Map<string, string>,
  body: string | undefined,
): boolean {
  const form = operations[tag].forms.find(each => each.action === attributes.get('action'));
  if (!form) return false;
  const { presence, field } = form.body;
  return (
    [...attributes.keys()].every(name => name === 'action' || Object.hasOwn(form.attributes, name)) &&
    !(presence === 'required' && body === undefined) &&
    !(presence === 'none' && body?.trim()) &&
    !(body !== undefined && field !== undefined && attributes.has(field))
  );
}
