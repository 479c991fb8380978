// Suggestions in comments on lines: shown as the change that they are, with a button that commits it.
import type { Context } from 'hono';
import { html, raw } from 'hono/html';
import { changeTable } from '../diff.ts';
import { form, type Html } from '../layout.ts';
import { markdown, type Place } from '../markdown/markdown.ts';
import type { LineComment } from './line-comment.ts';

/** A block of it as `markdown` leaves it. */
const block = /<pre tabindex="0"><code class="language-suggestion">([^<]*)<\/code><\/pre>/g;

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

/** What a text suggests, each the lines that are to stand there. */
export async function suggestionsIn(text: string, place: Place): Promise<string[][]> {
  const shown = String(await markdown(text, place));
  return [...shown.matchAll(block)].map(([, inside = '']) => linesOf(inside));
}

/** The lines that a comment was written to; undefined where these are none of the new ones, or not all of its hunk. */
export function linesBefore(comment: LineComment): string[] | undefined {
  const { diff_hunk, side, original_line: last, original_start_line: first } = comment;
  if (!last || side !== 'RIGHT') return undefined;
  const count = last - (first ?? last) + 1;
  const shown = diff_hunk.split('\n').slice(1);
  const own = shown.filter(line => /^[ +]/.test(line)).map(line => line.slice(1).replace(/\r$/, ''));
  return own.length >= count ? own.slice(-count) : undefined;
}

export interface Applies {
  /** Of the pull request's page. */
  path: string;
  /** The head that the page shows. */
  head: string;
  /** It is open, and of somebody who may write. */
  mayCommit: boolean;
  isResolved: boolean;
}

/** The text of a comment, its suggestions as changes, each with a button where it can be committed. */
export async function textWithSuggestions(
  c: Context,
  place: Place,
  comment: LineComment,
  { path, head, mayCommit, isResolved }: Applies,
): Promise<Html> {
  const text = await markdown(comment.body ?? '', place);
  const parts = String(text).split(block);
  if (parts.length === 1) return text;
  const before = linesBefore(comment);
  const start = comment.original_start_line ?? comment.original_line ?? 1;
  const fate = (number: number): Html => {
    if (!before)
      return html`<p class="quiet suggested">Only lines that stand after the change can be replaced.</p>`;
    if (!comment.line) return html`<p class="quiet suggested">These lines have changed since.</p>`;
    if (!mayCommit || isResolved) return html``;
    return form(
      c,
      `${path}/suggestions/${comment.id}`,
      html`<input type="hidden" name="head" value="${head}"><input type="hidden" name="number" value="${number}"><p class="buttons"><button class="small">Commit suggestion</button></p>`,
    );
  };
  const change = (inside: string, number: number): Html =>
    html`<div class="suggestion"><p class="quiet suggested">Suggested change</p>${changeTable(before ?? [], linesOf(inside), { file: comment.path, start })}${fate(number)}</div>`;
  // Every other part is what stands in a block.
  return html`${parts.map((part, at) => (at % 2 === 0 ? raw(part) : change(part, (at - 1) / 2)))}`;
}
