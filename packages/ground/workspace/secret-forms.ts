// The spellings in which a secret could leave in a patch: as it is, and in the encodings any tool can undo.

/** Shorter ones would be found everywhere. */
const shortest = 8;

/**
 * Texts of which none may occur in what is delivered: the secret itself, as JSON string, base64 (wherever it begins
 * among other bytes), hexadecimal, URL-encoded; for one of several lines (a private key) also each long line. Empty
 * for a secret of less than 8 characters.
 */
function secretForms(secret: string): string[] {
  if (secret.length < shortest) return [];
  const lines = secret.split(/\r?\n/).filter(line => line.length >= 24 && !line.startsWith('-----'));
  const parts = [...new Set([secret.trim(), ...lines])];
  return [...new Set(parts.flatMap(spellings))].filter(form => form.length >= shortest);
}

function spellings(text: string): string[] {
  const bytes = Buffer.from(text);
  const hex = bytes.toString('hex');
  const percent = hex.replace(/../g, pair => `%${pair}`);
  const base64 = [0, 1, 2].map(shift => {
    const code = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    // Characters that also depend on what stands before or after the secret.
    const start = [0, 2, 3][shift]!;
    return code.slice(start, (shift + bytes.length) % 3 === 0 ? undefined : -1);
  });
  return [
    text,
    JSON.stringify(text).slice(1, -1),
    encodeURIComponent(text),
    ...base64,
    ...base64.map(code => code.replaceAll('+', '-').replaceAll('/', '_')),
    ...[hex, hex.toUpperCase(), percent, percent.toUpperCase()],
  ];
}

export const holdsSecret = (bytes: Buffer, secrets: readonly string[]): boolean =>
  secrets.flatMap(secretForms).some(form => bytes.includes(form));
