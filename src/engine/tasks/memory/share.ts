// The share of a model's window that context may take, and files laid out and cut to fit it.
import { fencedOff } from '../../language/quote.ts';
import { estimateTokens } from '../../language/trim.ts';
import type { EvaluateOptions } from '../options.ts';
import type { FileMatch } from './memory.ts';

/** The share of a window that context, or the listing of an index, may fill: most is left to the task itself. */
const WINDOW_SHARE = 0.25;

/** Tokens where the window is not known: a quarter of 80,000, which every model of today has. */
export const SHARE_TOKENS = 20_000;

/**
 * Tokens of files for a task that can open them: every one of them is paid for in each of its calls, and what it needs is
 * one call away. So many it is shown all the same, since it would open them at once.
 */
export const AID_TOKENS = 1_000;

/** Bytes of UTF-8 a token, as `estimateTokens` counts. */
const BYTES = 4;

/** Tokens of a heading and two fences. */
const FRAME_TOKENS = 12;

/** Fewer tokens of a file than this say nothing. */
const LEAST_TOKENS = 50;

/** Tokens of context for a session of `model`, a provider's name, which may itself be limited to `limit` tokens. */
export function shareOf(
  model: string,
  { window }: Pick<EvaluateOptions, 'window'>,
  limit: number = Number.POSITIVE_INFINITY,
): number {
  const tokens = Math.min(limit, window?.(model) ?? SHARE_TOKENS / WINDOW_SHARE);
  return Math.floor(tokens * WINDOW_SHARE);
}

/** Tokens that a file of so many bytes takes in a context. */
function tokensOf({ path, bytes }: { path: string; bytes: number }): number {
  return Math.ceil(bytes / BYTES) + estimateTokens(path) + FRAME_TOKENS;
}

/** True if all of these files can be shown whole within `tokens`. */
export const allFit = (files: readonly { path: string; bytes: number }[], tokens: number): boolean =>
  files.reduce((sum, file) => sum + tokensOf(file), 0) <= tokens;

export interface FileText {
  path: string;
  metadata: string;
  text: string;
}

/**
 * The files in their order, each under its path and between fences that nothing in it closes, within `tokens`. Short
 * ones are whole; the longest are cut at the end of a line, all to the same length, with a note behind the fence.
 * One of which nothing useful would be left is left out, and is no match.
 */
export function layOutFiles(
  files: readonly FileText[],
  tokens: number,
): { text: string; matches: FileMatch[] } {
  const needs = files.map(({ path, text }) => tokensOf({ path, bytes: Buffer.byteLength(text) }));
  const given = sharedOut(needs, tokens);
  const shown = files.flatMap((file, at) => {
    if (given[at]! >= needs[at]!) return [{ file, body: framed(file.text) }];
    const room = given[at]! - tokensOf({ path: file.path, bytes: 0 });
    return room < LEAST_TOKENS ? [] : [{ file, body: cutShort(file.text, room) }];
  });
  return {
    text: shown.map(({ file, body }) => `## ${file.path}\n${body}`).join('\n\n'),
    matches: shown.map(({ file: { path, metadata } }): FileMatch => [path, metadata]),
  };
}

/** `room` shared out: who needs less than an equal part gets all it needs, the rest share what is left. */
function sharedOut(needs: readonly number[], room: number): number[] {
  const given = needs.map(() => 0);
  let left = Math.max(0, room);
  const smallestFirst = needs.map((need, at) => ({ need, at })).sort((a, b) => a.need - b.need);
  for (const [done, { need, at }] of smallestFirst.entries()) {
    given[at] = Math.min(need, Math.floor(left / (needs.length - done)));
    left -= given[at]!;
  }
  return given;
}

const framed = (text: string) => fencedOff(text) || '(empty)';

function cutShort(text: string, tokens: number): string {
  const head = headOf(text, tokens);
  const lines = (part: string) => part.replace(/\n$/, '').split('\n').length;
  return `${framed(head)}\n[cut off: about the first ${lines(head)} of ${lines(text)} lines]`;
}

/** The beginning of a text of more than `tokens`, up to the end of a line where one is near, with `note` behind it. */
export function headOf(text: string, tokens: number, note = ''): string {
  if (estimateTokens(text) <= tokens) return text;
  const bytes = Buffer.from(text).subarray(0, Math.max(0, tokens) * BYTES);
  const head = bytes.toString('utf8').replace(/\ufffd$/, '');
  const end = head.lastIndexOf('\n');
  return (end > head.length / 2 ? head.slice(0, end) : head) + note;
}

/** The end of a text of more than `tokens`, from the beginning of a line where one is near, with a note before it. */
export function tailOf(text: string, tokens: number): string {
  if (estimateTokens(text) <= tokens) return text;
  const bytes = Buffer.from(text);
  const tail = bytes
    .subarray(bytes.length - Math.max(0, tokens) * BYTES)
    .toString('utf8')
    .replace(/^\ufffd+/, '');
  const end = tail.indexOf('\n');
  return `[the beginning is left out]\n${end >= 0 && end < tail.length / 2 ? tail.slice(end + 1) : tail}`;
}
