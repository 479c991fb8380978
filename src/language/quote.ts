// Texts of others in a prompt: marked off so that nothing in them can pass for the prompt's own words.

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
