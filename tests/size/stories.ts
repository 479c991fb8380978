// `node tests/size/stories.ts`: the share of the lines in function bodies that the stories of the demo run, by package.
// It takes minutes, and is run by hand. Node runs the sources as they are, so V8's offsets are those of the files.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(import.meta.dirname, '../..');
const stories = [[], ['--story', 'review'], ['--story', 'trouble']];

interface Range {
  startOffset: number;
  endOffset: number;
  count: number;
}
interface Covered {
  url: string;
  functions: { functionName: string; ranges: Range[] }[];
}
/** Of each line: it is in no function, in one that was not run, or run. */
type Line = undefined | false | true;

const folder = mkdtempSync(join(tmpdir(), 'echelon-stories-'));
try {
  for (const story of stories)
    execFileSync(process.execPath, ['src/doors/cli/echelon.js', 'demo', '--json', ...story], {
      cwd: root,
      env: { ...process.env, NODE_V8_COVERAGE: folder },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  const lines = new Map<string, Line[]>();
  for (const name of readdirSync(folder))
    note(JSON.parse(readFileSync(join(folder, name), 'utf8')).result, lines);
  print(lines);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function note(result: readonly Covered[], lines: Map<string, Line[]>): void {
  for (const { url, functions } of result) {
    if (!url.startsWith('file:')) continue;
    const file = relative(root, fileURLToPath(url));
    if (!/^src\/.*\.[tj]s$/.test(file)) continue;
    const before = lines.get(file) ?? [];
    lines.set(file, merged(before, linesOf(readFileSync(join(root, file), 'utf8'), functions)));
  }
}

/** Ranges of a function are nested, the outer first: the innermost says how often a line was run. */
function linesOf(text: string, functions: Covered['functions']): Line[] {
  const starts = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
  const lines: Line[] = [];
  // The first is the module itself.
  for (const { ranges } of functions.slice(1))
    for (const { startOffset, endOffset, count } of ranges)
      for (const [at, start] of starts.entries()) {
        const first = start + (text.slice(start).match(/^ */)?.[0].length ?? 0);
        if (first > startOffset && first < endOffset) lines[at] = count > 0;
      }
  return lines;
}

function merged(a: Line[], b: Line[]): Line[] {
  return Array.from({ length: Math.max(a.length, b.length) }, (_none, at) =>
    a[at] === undefined && b[at] === undefined ? undefined : a[at] === true || b[at] === true,
  );
}

function print(lines: ReadonlyMap<string, Line[]>): void {
  const counts = new Map<string, { all: number; run: number }>();
  for (const [file, its] of lines)
    for (const name of [file.split('/')[1] ?? '', 'all loaded files']) {
      const count = counts.get(name) ?? { all: 0, run: 0 };
      for (const line of its) if (line !== undefined) count.all++;
      count.run += its.filter(line => line === true).length;
      counts.set(name, count);
    }
  for (const [name, { all, run }] of counts)
    console.log(`${name.padEnd(20)}${run} of ${all} lines in functions: ${Math.round((100 * run) / all)} %`);
}
