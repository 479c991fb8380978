// Replaces secrets in text that is logged, posted or delivered by `***`.
import type { Change } from './in-pieces.ts';
import type { Json } from './json.ts';
import { secretForms } from './secret-forms.ts';

/** Shorter values are not taken for secrets: they would tear ordinary text apart. */
const shortest = 6;

/**
 * Tokens known by their shape: GitHub's (`ghs_` may hold dots: the longer installation tokens), Anthropic's. How they
 * begin, in characters of their own, which of them follow, and how many at least.
 */
const shapes = [
  { begins: 'ghs_', of: 'A-Za-z0-9._-', least: 36 },
  ...['gho_', 'ghp_', 'ghr_', 'ghu_'].map(begins => ({ begins, of: 'A-Za-z0-9_', least: 36 })),
  { begins: 'github_pat_', of: 'A-Za-z0-9_', least: 22 },
  { begins: 'sk-ant-', of: 'A-Za-z0-9_-', least: 16 },
];
const tokens = new RegExp(
  shapes.map(({ begins, of, least }) => `${begins}[${of}]{${least},}`).join('|'),
  'g',
);
const shapesOf = shapes.map(({ begins, of }) => ({ begins, of: new RegExp(`[${of}]`) }));

/** Puts `***` in the place of secrets. */
export type Mask = Change;

/**
 * Makes a function that replaces every occurrence of a secret of at least 6 characters, also where occurrences
 * overlap, and of its base64, hexadecimal, URL-encoded and JSON-escaped forms, and everything that has the shape of a token.
 * Its time grows linearly with the text.
 */
export function masker(secrets: readonly string[]): Mask {
  const forms = [...new Set(secrets.flatMap(secret => secretForms(secret, shortest)))];
  forms.sort((a, b) => b.length - a.length);
  const mask = (text: string) => {
    const parts: string[] = [];
    let end = 0;
    for (const [start, stop] of spansIn(text, forms)) {
      parts.push(text.slice(end, start), '***');
      end = stop;
    }
    return parts.length === 0 ? text : parts.join('') + text.slice(end);
  };
  const settled = (text: string) => {
    const open = Math.min(
      ...forms.map(form => openAt(text, form)),
      ...shapesOf.map(each => runAt(text, each)),
    );
    const around = spansIn(text, forms).find(([start, stop]) => start < open && open < stop);
    return Math.min(text.length, around?.[0] ?? open);
  };
  return Object.assign(mask, { settled });
}

/** Positions of secrets, in order; overlapping ones are merged. */
function spansIn(text: string, forms: readonly string[]): [start: number, end: number][] {
  const found: [start: number, end: number][] = [];
  for (const form of forms)
    for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1))
      found.push([at, at + form.length]);
  for (const token of text.matchAll(tokens)) found.push([token.index, token.index + token[0].length]);
  found.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  const spans: typeof found = [];
  for (const [start, end] of found) {
    const last = spans.at(-1);
    // An occurrence that begins inside the one before it only lengthens what is hidden.
    if (last && start < last[1]) last[1] = Math.max(last[1], end);
    else spans.push([start, end]);
  }
  return spans;
}

/** Position from which the text's end is a proper prefix of `form`; infinite if none is. */
function openAt(text: string, form: string): number {
  const first = form.charAt(0);
  let at = text.indexOf(first, Math.max(0, text.length - form.length + 1));
  while (at >= 0 && !form.startsWith(text.slice(at))) at = text.indexOf(first, at + 1);
  return at < 0 ? Number.POSITIVE_INFINITY : at;
}

/** Start of a token that may continue after the text's end. */
function runAt(text: string, { begins, of }: (typeof shapesOf)[number]): number {
  let run = text.length;
  while (run > 0 && of.test(text.charAt(run - 1))) run--;
  const whole = text.indexOf(begins, run);
  return whole >= 0 ? whole : openAt(text, begins);
}

/**
 * The same value with every string and every name in it masked: it stays JSON, which masked JSON text need not.
 * With `numbers`, a number that holds a secret becomes the masked text; without, numbers stay what their readers need.
 */
export function maskValue(value: Json, mask: (text: string) => string, { numbers = false } = {}): Json {
  if (typeof value === 'string') return mask(value);
  if (typeof value === 'number') {
    const text = JSON.stringify(value);
    return numbers && mask(text) !== text ? mask(text) : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(each => maskValue(each, mask, { numbers }));
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([name, each]) => [mask(name), maskValue(each, mask, { numbers })]));
}
