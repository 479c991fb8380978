// Replaces secrets in text that is logged, posted or delivered by `***`.
import { Buffer } from 'node:buffer';
import type { Json } from './json.ts';

/** Shorter values are not taken for secrets: they would tear ordinary text apart. */
const shortest = 6;
/** Lines of a secret of several lines (a private key) are masked one by one from this length on. */
const shortestLine = 20;

/** Tokens known by their shape: GitHub's (`ghs_` may hold dots: the longer installation tokens), Anthropic's. */
const shapes =
  /ghs_[A-Za-z0-9._-]{36,}|gh[opru]_[A-Za-z0-9_]{36,}|github_pat_[A-Za-z0-9_]{22,}|sk-ant-[A-Za-z0-9_-]{16,}/g;

/**
 * Makes a function that replaces every occurrence of a secret of at least 6 characters, also where occurrences
 * overlap, and of its base64, hexadecimal, URL-encoded and JSON-escaped forms, and everything that has the shape of a token.
 * Its time grows linearly with the text.
 */
export function masker(secrets: readonly string[]): (text: string) => string {
  const forms = [...new Set(secrets.flatMap(formsOf))].filter(form => form.length >= shortest);
  forms.sort((a, b) => b.length - a.length);
  return text => {
    const spans: [start: number, end: number][] = [];
    for (const form of forms)
      for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1))
        spans.push([at, at + form.length]);
    for (const found of text.matchAll(shapes)) spans.push([found.index, found.index + found[0].length]);
    if (spans.length === 0) return text;
    spans.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
    const parts: string[] = [];
    let end = 0;
    for (const [start, stop] of spans) {
      // An occurrence that begins inside the one before it only lengthens what is hidden.
      if (start >= end || end === 0) parts.push(text.slice(end, start), '***');
      end = Math.max(end, stop);
    }
    return parts.join('') + text.slice(end);
  };
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

function formsOf(secret: string): string[] {
  const whole = secret.toWellFormed();
  if (whole.length < shortest) return [];
  const lines = whole.split(/\r?\n/).map(line => line.trim());
  const values =
    lines.length > 1
      ? [
          whole,
          whole.trim(),
          ...lines.filter(line => line.length >= shortestLine && !line.startsWith('-----')),
        ]
      : [whole];
  return values.flatMap(value => {
    const url = encodeURIComponent(value);
    const json = JSON.stringify(value).slice(1, -1);
    const hex = Buffer.from(value).toString('hex');
    return [
      value,
      url,
      url.replace(/%[0-9A-F]{2}/g, hex => hex.toLowerCase()),
      url.replaceAll('%20', '+'),
      json,
      hex,
      hex.toUpperCase(),
      json.replaceAll('/', '\\/'),
      ...base64Forms(value),
    ];
  });
}

/** A secret inside a longer encoded text (`user:secret`) begins at one of three places of a group of four. */
function base64Forms(value: string): string[] {
  const bytes = Buffer.from(value);
  return [0, 1, 2].flatMap(offset => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const first = Math.ceil((offset * 8) / 6);
    const fixed = Math.floor(((offset + bytes.length) * 8) / 6);
    const middle = text.slice(first, fixed);
    return [middle, middle.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
