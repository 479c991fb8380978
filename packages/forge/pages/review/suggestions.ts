// Suggestions in comments on lines, shown as changes.
import { html, raw } from 'hono/html';
import { changeTable } from '../diff.ts';
import type { Html } from '../layout.ts';
import { markdown, type Place } from '../markdown/markdown.ts';
import type { LineComment } from './line-comment.ts';

/** A block of it as `markdown` leaves it. */
const block = /<pre tabindex="0"><code class="language-suggestion">([^<]*)<\/code><\/pre>/;

const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

/** The lines that are to stand there; none to remove what does. */
function linesOf(shown: string): string[] {
  const text = unescaped(shown);
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

/** The lines that a comment was written to; undefined where these are none of the new ones, or not all of its hunk. */
function linesBefore(comment: LineComment): string[] | undefined {
  const { diff_hunk, side, original_line: last, original_start_line: first } = comment;
  if (!last || side !== 'RIGHT') return undefined;
  const count = last - (first ?? last) + 1;
  const shown = diff_hunk.split('\n').slice(1);
  const own = shown.filter(line => /^[ +]/.test(line)).map(line => line.slice(1).replace(/\r$/, ''));
  return own.length >= count ? own.slice(-count) : undefined;
}

/** The text of a comment, with its suggestions shown as changes. */
export async function textWithSuggestions(place: Place, comment: LineComment): Promise<Html> {
  const text = await markdown(comment.body ?? '', place);
  const parts = String(text).split(block);
  if (parts.length === 1) return text;
  const before = linesBefore(comment) ?? [];
  const start = comment.original_start_line ?? comment.original_line ?? 1;
  const change = (inside: string): Html =>
    html`<div class="suggestion"><p class="quiet suggested">Suggested change</p>${changeTable(before, linesOf(inside), { file: comment.path, start })}</div>`;
  // Every other part is the inside of a block.
  return html`${parts.map((part, at) => (at % 2 === 0 ? raw(part) : change(part)))}`;
}
