// The spellings in which a secret may stand in a text: as it is, and in the encodings that any tool can undo.
import { Buffer } from 'node:buffer';

/** Lines of a secret of several lines (a private key) are looked for one by one from this length on. */
const shortestLine = 20;

/**
 * The secret itself, as JSON string, base64 (wherever it begins among other bytes), hexadecimal, URL-encoded; for one of
 * several lines also each long line. Each has `shortest` characters at least, and a shorter secret has none: it would be
 * found everywhere.
 */
export function secretForms(secret: string, shortest: number): string[] {
  const whole = secret.toWellFormed();
  if (whole.length < shortest) return [];
  const lines = whole
    .split(/\r?\n/)
    .map(line => line.trim())
    .filter(line => line.length >= shortestLine && !line.startsWith('-----'));
  const parts = [...new Set([whole, whole.trim(), ...lines])];
  return [...new Set(parts.flatMap(spellings))].filter(form => form.length >= shortest);
}

function spellings(text: string): string[] {
  const bytes = Buffer.from(text);
  const json = JSON.stringify(text).slice(1, -1);
  const url = encodeURIComponent(text);
  const hex = bytes.toString('hex');
  const percent = hex.replace(/../g, pair => `%${pair}`);
  return [
    text,
    ...[json, json.replaceAll('/', '\\/')],
    ...[url, url.replace(/%[0-9A-F]{2}/g, code => code.toLowerCase()), url.replaceAll('%20', '+')],
    ...[hex, hex.toUpperCase(), percent, percent.toUpperCase()],
    ...[0, 1, 2].flatMap(offset => base64Forms(bytes, offset)),
  ];
}

/** A secret inside a longer encoded text (`user:secret`) begins at one of three places of a group of four. */
function base64Forms(bytes: Buffer, offset: number): string[] {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  // Without the characters that also depend on what stands before or after the secret.
  const first = Math.ceil((offset * 8) / 6);
  const fixed = Math.floor(((offset + bytes.length) * 8) / 6);
  const middle = text.slice(first, fixed);
  return [middle, middle.replaceAll('+', '-').replaceAll('/', '_')];
}
