// A file with its lines numbered and its code in colours. Its text is hostile, and may be of any size.
import { html, raw } from 'hono/html';
import { escapeMarkup } from '@echelon/ground';
import { Refusal } from '../api.ts';
import { type Html, pager } from '../layout.ts';
import { colouredLines } from '../markdown/colours.ts';
import { markdown } from '../markdown/markdown.ts';
import { bytesOf, charsetOf, type File, isMarkdown, size } from './contents.ts';
import { addressOf, type FilePlace, readable, textAt } from './place.ts';

/** Of one page: with the marks around each line it stays below 300 KB. */
const mostLines = 2000;
const mostCharacters = 100_000;
/** With colours; more is shown without them. */
const mostColoured = 200_000;
/** A longer line is cut. */
const longestLine = 5000;
/** Characters of Markdown that are rendered; longer ones are shown as they stand. */
const longestRendered = 100_000;

interface Asked {
  /** As they stand, although they could be rendered. */
  plain: boolean;
  /** The page that shows them. */
  page: number;
  /** Lines that are marked; the page is theirs. */
  lines?: { from: number; to: number } | undefined;
}

/** `10` or `10-20`, with or without an `L` before each. */
export function linesOf(text: string | undefined): Asked['lines'] {
  const [, first, last] = /^\s*L?(\d{1,7})(?:\s*-\s*L?(\d{1,7}))?\s*$/.exec(text ?? '') ?? [];
  if (first === undefined) return undefined;
  const [a, b] = [Number(first), Number(last ?? first)];
  return { from: Math.min(a, b), to: Math.max(a, b) };
}

export function fileView(place: FilePlace, file: File, asked: Asked): Html {
  if (file.type === 'submodule')
    return html`<p class="empty">A submodule at commit <code>${file.sha}</code> of another repository.</p>`;
  if (file.type === 'symlink')
    return html`<p class="empty">A symbolic link to <code>${readable(file.target ?? '')}</code></p>`;
  const bytes = bytesOf(file);
  const rawLink = html`<a href="${addressOf('raw', place)}">raw</a>`;
  if (!bytes) return html`<p class="empty">Too large to be shown (${size(file.size)}): ${rawLink}</p>`;
  if (bytes.length === 0) return html`<p class="empty">An empty file.</p>`;
  const charset = charsetOf(bytes);
  if (!charset) return html`<p class="empty">A binary file (${size(file.size)}): ${rawLink}</p>`;
  const text = new TextDecoder(charset).decode(bytes);
  if (isMarkdown(place.path) && !asked.plain && !asked.lines && text.length <= longestRendered)
    return html`<article class="card">${markdown(text, { repository: place.repository, anchor: 'file', file: textAt(place) })}</article>`;
  const notes = [
    ...(charset !== 'utf-8' ? ['It is not UTF-8, and shown as Latin-1.'] : []),
    ...(/[\u202a-\u202e\u2066-\u2069]/.test(text)
      ? ['It holds characters that turn the direction of writing: it may read otherwise than it runs.']
      : []),
  ];
  return html`${notes.map(note => html`<p class="warning">${note}</p>`)}${source(place, text, asked)}`;
}

async function source(place: FilePlace, text: string, { page, lines: marked }: Asked): Promise<Html> {
  const endsOpen = !text.endsWith('\n');
  const all = (endsOpen ? text : text.slice(0, -1)).split('\n').map(line => line.replace(/\r$/, ''));
  const shown = parts(all);
  const asked = marked
    ? shown.findIndex(({ from, to }) => marked.from > from && marked.from <= to) + 1
    : page;
  const here = shown[(asked || 1) - 1];
  if (!here) throw new Refusal(404, `${place.path} has no page ${asked}.`);
  const { from, to } = here;
  const lines = all.slice(from, to);
  const cut = lines.map(line => line.slice(0, longestLine).replaceAll('\r', '␍'));
  const inColours = await colouredLines(cut.join('\n'), place.path);
  const isTooMuch = inColours.reduce((sum, line) => sum + line.length, 0) > mostColoured;
  const coloured = isTooMuch ? cut.map(escapeMarkup) : inColours;
  const isMarked = (number: number) => marked && number >= marked.from && number <= marked.to;
  return html`<div class="scroll source-box" tabindex="0" role="region" aria-label="Lines ${from + 1} to ${to}"><table class="source"><tbody>${coloured.map(
    (line, at) => {
      const number = from + at + 1;
      const left = (lines[at]?.length ?? 0) - longestLine;
      return html`<tr id="L${number}"${isMarked(number) ? raw(' class="marked"') : ''}><td><a href="#L${number}" tabindex="-1">${number}</a></td><td><code>${raw(line)}</code>${left > 0 ? html` <span class="quiet">${left} more characters</span>` : ''}</td></tr>`;
    },
  )}</tbody></table></div>
${endsOpen && to === all.length ? html`<p class="quiet">No newline at the end of the file.</p>` : ''}
${shown.length > 1 ? html`<p class="quiet">Lines ${from + 1} to ${to} of ${all.length}</p>` : ''}
${pager(`${addressOf('blob', place)}?plain=1`, asked || 1, (asked || 1) < shown.length, ['Before', 'After'])}`;
}

/** Lines of one page each: `from` counted from 0, `to` behind the last. */
function parts(lines: readonly string[]): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  let [from, characters] = [0, 0];
  for (const [at, line] of lines.entries()) {
    const length = escapeMarkup(line.slice(0, longestLine)).length;
    if (at > from && (at - from >= mostLines || characters + length > mostCharacters)) {
      found.push({ from, to: at });
      [from, characters] = [at, 0];
    }
    characters += length;
  }
  return [...found, { from, to: lines.length }];
}
