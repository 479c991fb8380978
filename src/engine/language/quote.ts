// Texts of others in a prompt: marked off so that nothing in them can pass for the prompt's own words.
import { seen } from '@echelon/ground';

/** A text by others, every line behind `> `: none of them can pass for a heading or a tag of the prompt. */
export function quoted(text: string): string {
  if (text.trim() === '') return '';
  return text.replace(/\s+$/, '').replace(/^/gm, '> ');
}

/** Code or a diff between fences longer than any run of backticks in it; an empty text stays empty. */
export function fencedOff(text: string): string {
  if (text.trim() === '') return '';
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text.replace(/\s+$/, '')}\n${fence}`;
}

/** A text of one line, such as a title, in quotation marks, with every line end made a space. */
export const quotedLine = (text: string) => `"${text.replace(/\s+/g, ' ').trim().replaceAll('"', "'")}"`;

/**
 * Text of others for a model to read, without what a person does not see: HTML comments (one that opens a line and
 * never ends hides all after it) and invisible characters. `stripped` counts the characters left out. The caller
 * marks where the text begins and ends.
 */
export function quoteForModel(text: string): { text: string; stripped: number } {
  const visible = seen(text);
  const shown = visible.text;
  let { stripped } = visible;
  const parts: string[] = [];
  let at = 0;
  for (let open = shown.indexOf('<!--'); open >= 0; open = shown.indexOf('<!--', open)) {
    // `<!-->` is a whole comment.
    const close = shown.indexOf('-->', open + 2);
    if (close < 0 && !/(?:^|[\r\n])[ \t]*$/.test(shown.slice(Math.max(0, open - 20), open))) {
      const line = /[\r\n][ \t]{0,20}<!--/.exec(shown.slice(open));
      if (!line) break;
      open += line.index + line[0].length - 4;
    }
    const end = close < 0 ? shown.length : close + 3;
    // A space in its place, so that what stood around it cannot become another comment.
    parts.push(shown.slice(at, open), ' ');
    stripped += end - open;
    at = end;
    open = end;
  }
  return { text: parts.join('') + shown.slice(at), stripped };
}
