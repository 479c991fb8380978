// Cuts what a model is given of diffs and logs down to what it needs.
import { withoutColours } from '@echelon/ground';

/** The part of a log that a model sees. */
export const LOG_TOKENS = 1_500;

/** Bytes of UTF-8 a token: the usual ratio for code and English. */
const BYTES = 4;

/** An estimate for when no provider has counted yet. */
export const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES);

/** Bytes of a line with its end. */
const size = (line: string): number => Buffer.byteLength(line) + 1;

/**
 * A diff as somebody sees it who can open each file's: whole up to `limit` tokens, but for what a package manager has
 * written, which is named; of a larger one the files with their counts.
 */
export function wholeDiff(diff: string, limit: number): string {
  const files = filesIn(diff);
  const shown = files
    .map(file => (isGenerated(file) ? `[generated, not shown: ${summarise(file)}]\n` : file))
    .join('');
  if (estimateTokens(shown) <= limit) return shown;
  const heading = `[The diff of about ${estimateTokens(diff)} tokens is too long to stand here. Open the diff of each file:]`;
  return [heading, ...files.slice(0, FILES).map(summarise), ...more(files.length)].join('\n');
}

/** Tokens of a file's change that is small. */
const SMALL = 300;

/**
 * The changes of files of at most `each` tokens within `limit` tokens, as the files come; of the others, and of what a
 * package manager has written, how many lines.
 */
export function smallDiffs(diff: string, limit: number, each = SMALL): string {
  let left = limit;
  const shown = filesIn(diff).map(file => {
    const tokens = estimateTokens(file);
    const isShown = tokens <= Math.min(each, left) && !isGenerated(file);
    const text = isShown ? file.trimEnd() : summarise(file);
    left -= estimateTokens(text);
    return text;
  });
  return [...shown.slice(0, FILES), ...more(shown.length)].join('\n');
}

/** A diff without the names of its files' blobs, as all that is shown of it is. */
export const withoutBlobs = (diff: string): string =>
  diff.replace(/(?<=^|\n)index [\da-f]+\.\.[\da-f]+(?: \d+)?\n/g, '');

/** Only a line feed ends a line here: a carriage return within one must not pass for the beginning of another file. */
const filesIn = (diff: string): string[] =>
  withoutBlobs(diff)
    .split(/(?<=^|\n)(?=diff --git )/)
    .filter(part => part.startsWith('diff --git '));

/** Files that a package manager writes, at any depth. */
const generated =
  /\/(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lock|Cargo\.lock|poetry\.lock|uv\.lock|Pipfile\.lock|Gemfile\.lock|composer\.lock|go\.sum|gradle\.lockfile|flake\.lock)"?$/;

const isGenerated = (file: string): boolean => generated.test(file.slice(0, file.indexOf('\n')));

/** Files that a summary names. */
const FILES = 100;

const more = (files: number): string[] => (files > FILES ? [`... and ${files - FILES} more files`] : []);

function summarise(file: string): string {
  const lines = file.split('\n');
  const body = lines.slice(lines.findIndex(line => line.startsWith('@@')));
  const isText = lines.some(line => line.startsWith('@@'));
  const count = (sign: string) => body.filter(line => line.startsWith(sign)).length;
  const kind = lines.some(line => line.startsWith('new file mode '))
    ? ' (new)'
    : lines.some(line => line.startsWith('deleted file mode '))
      ? ' (deleted)'
      : '';
  const header = lines[0]!.slice('diff --git '.length);
  // Both halves name one file unless it was renamed: `a/x b/x`. Only then is the half enough.
  const half = header.slice(0, (header.length - 1) / 2);
  const path = header === `${half} b${half.slice(1)}` ? half.slice(2) : header;
  return `${clip(path)}${kind} ${isText ? `+${count('+')} -${count('-')}` : 'binary or mode only'}`;
}

/** Failure messages of test runners and compilers. */
const failure =
  /\b(?:FAIL(?:ED|URE|URES)?|not ok|Traceback|panicked|AssertionError|[A-Z]\w*(?:Error|Exception))\b|\berror(?:\[\w+\])?:|[\u2716\u2717\u00d7]/;

/** True if a log line reports a failure. */
export const tellsOfFailure = (line: string): boolean => failure.test(line);

/** Three or more lines of passed tests: of TAP with what node:test says of each, cargo, pytest, go, and tools with marks. */
const passedTests =
  /^(?:(?:[ \t]*# Subtest: .*\n)?[ \t]*ok \d+ - [^#\n]*\n(?:[ \t]*---\n(?:[ \t]*(?:duration_ms|type): .*\n)*[ \t]*\.\.\.\n)?|test \S+ \.\.\. ok\n|\S.* PASSED(?: +\[ *\d+%\])?\n|PASSED \S+::.*\n|=== RUN .*\n|[ \t]*--- PASS: .*\n|[ \t]*[\u2713\u2714] .*\n){3,}/gm;

/** A log as a model sees it: without terminal colours, and of passed tests that stand together how many lines there are. */
export const withoutNoise = (log: string): string =>
  withoutColours(log)
    .replace(/\r\n?/g, '\n')
    .replace(/^# (?:suites|cancelled|skipped|todo) 0\n/gm, '')
    .replace(passedTests, text => `[${text.split('\n').length - 1} lines of passed tests]\n`);

/**
 * A log of at most `limit` tokens as it is (without noise); of a longer one the lines around the
 * first failure (a third of it) and the end, with the number of lines left out between them.
 */
export function trimLog(log: string, limit: number = LOG_TOKENS): string {
  const plain = withoutNoise(log);
  if (estimateTokens(plain) <= limit) return plain;
  const lines = plain.split('\n').map(clip);
  const first = lines.findIndex(line => failure.test(line));
  const wholeTail = tailWithin(lines, limit);
  if (first < 0 || first >= lines.length - wholeTail.length)
    return withGap([], wholeTail, lines.length - wholeTail.length);
  const around: string[] = [];
  let left = Math.floor(limit / 3) * BYTES;
  const begin = Math.max(0, first - 2);
  for (const line of lines.slice(begin)) {
    left -= size(line);
    if (left < 0) break;
    around.push(line);
  }
  const tail = tailWithin(lines.slice(begin + around.length), limit - Math.floor(limit / 3));
  const head = begin > 0 ? [`[${begin} lines left out; the first failure:]`, ...around] : around;
  return withGap(head, tail, lines.length - begin - around.length - tail.length);
}

/** The first line of a log that tells of a failure, else its last one that is not empty; without white space around it. */
export function firstFailure(log: string): string {
  const lines = withoutColours(log).split(/[\r\n]+/);
  const said = lines.map(line => clip(line.trim())).filter(line => line !== '');
  return said.find(line => failure.test(line)) ?? said.at(-1) ?? '';
}

function withGap(head: string[], tail: string[], leftOut: number): string {
  return [...head, ...(leftOut > 0 ? [`[${leftOut} lines left out]`] : []), ...tail].join('\n');
}

/** The longest a single line may be, in characters: the middle of a longer one is left out. */
const LINE = 400;

function clip(line: string): string {
  if (line.length <= LINE) return line;
  return `${line.slice(0, LINE / 2)} [...] ${line.slice(-LINE / 2)}`;
}

function tailWithin(lines: string[], limit: number): string[] {
  let left = limit * BYTES;
  let from = lines.length;
  while (from > 0 && (left -= size(lines[from - 1]!)) >= 0) from--;
  return lines.slice(from);
}
