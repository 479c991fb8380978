// Puts lines in the place of others, if these are the ones that stand there.

/** A text with other lines in this place, counted from 1; undefined unless these stand there. Its line ends stay. */
export function withLines(
  text: string,
  { from, to }: { from: number; to: number },
  before: readonly string[],
  after: readonly string[],
): string | undefined {
  const lines = text.split('\n');
  const found = lines.slice(Math.max(0, from - 1), to);
  if (
    found.length === 0 ||
    found.length !== before.length ||
    found.some((line, at) => line.replace(/\r$/, '') !== before[at])
  )
    return undefined;
  const end = found.some(line => line.endsWith('\r')) ? '\r' : '';
  const isLast = to === lines.length;
  const put = after.map((line, at) => (isLast && at === after.length - 1 ? line : line + end));
  return lines.toSpliced(from - 1, found.length, ...put).join('\n');
}
