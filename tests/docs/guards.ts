// Reads the tables of docs/security.md, and holds each row to the code: the guard is there, and a test that runs shows it.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DeclaredTest, namesIn, testsIn, textsIn } from './declared.ts';

const header = '| promise | guard | test |';
/** A span of code; of two backticks where its text holds one. */
const span = /(`+)(?!`) ?(.+?) ?(?<!`)\1(?!`)/g;
/** The tests that vitest.config.ts includes. */
const testFile = /^tests\/(?!sample\/|bench\/)[\w./-]+\.test\.ts$/;
/** What vitest puts a value of a table in for, and what a template literal does. */
const placeholder = /%[sdifjoOc#%]|\$\{[^}]*\}|\$[\w.]+/g;

/** What is wrong with the tables of `page`, each with its line; `root`: where the files that it names are. */
export function guardProblems(page: string, root: string): string[] {
  const problems: string[] = [];
  const promised = new Map<string, number>();
  const files = filesBelow(root);
  const rows = [...rowsOf(page)];
  if (rows.length === 0) problems.push(`no table has the header ${header}`);
  for (const { line, cells } of rows) {
    const say = (problem: string) => problems.push(`line ${line}: ${problem}`);
    const [promise, guards, tests] = cells;
    if (cells.length !== 3 || !promise || !guards || !tests) {
      say(`has ${cells.filter(cell => cell !== '').length} of the 3 cells: promise, guard, test`);
      continue;
    }
    const same = promised.get(promise.toLowerCase());
    if (same !== undefined) say(`promises the same as line ${same}`);
    promised.set(promise.toLowerCase(), line);
    for (const fault of [
      ...inSpans(guards, 'guard', guard => guardFault(guard, files)),
      ...inSpans(tests, 'test', test => testFault(test, files)),
    ])
      say(fault);
  }
  return problems;
}

/** Every line of a table, but for the header that all have and the rule below it. */
function* rowsOf(page: string): Generator<{ line: number; cells: string[] }> {
  for (const [index, text] of page.split('\n').entries()) {
    if (!text.startsWith('|') || text === header || text === '|---|---|---|') continue;
    const cells = text.split(/(?<!\\)\|/).map(cell => cell.trim().replaceAll('\\|', '|'));
    // Before the first bar and behind the last one there is nothing.
    yield { line: index + 1, cells: cells.slice(1, -1) };
  }
}

/** A cell holds spans with commas between them, and nothing else. */
function inSpans(cell: string, what: string, faultOf: (text: string) => string | undefined): string[] {
  if (!/^x(, x)*$/.test(cell.replaceAll(span, 'x')))
    return [`its ${what} is not \`code\`, \`code\`: ${cell}`];
  return [...cell.matchAll(span)].flatMap(([, , text = '']) => faultOf(text) ?? []);
}

type Files = ReturnType<typeof filesBelow>;

/** `src/file.ts:name` */
function guardFault(guard: string, files: Files): string | undefined {
  const [, file, name] = /^((?:src|packages)\/[\w./-]+\.ts):(\w+)$/.exec(guard) ?? [];
  if (file === undefined || name === undefined) return `a guard is src/file.ts:name, not ${guard}`;
  const source = files.source(file);
  if (source === undefined) return `there is no ${file}`;
  return namesIn(source).has(name) ? undefined : `${file} declares no ${name}`;
}

/**
 * `tests/file.test.ts > titles`: the title, behind those of its groups as far as they are needed to tell it from
 * others. A title that is only a placeholder is followed by the row of its table.
 */
function testFault(test: string, files: Files): string | undefined {
  const [, file, named] = /^([\w./-]+) > (.+)$/.exec(test) ?? [];
  if (file === undefined || named === undefined)
    return `a test is tests/file.test.ts > its title, not ${test}`;
  if (!testFile.test(file)) return `${file} is not among the tests`;
  const tests = files.tests(file);
  if (!tests) return `there is no ${file}`;
  if (tests.some(({ fault }) => fault === 'only')) return `${file} runs only some of its tests`;
  const exact = tests.filter(({ path }) => ` > ${path}`.endsWith(` > ${named}`));
  const behind = tests.filter(({ path }) => rowIn(named, path) !== undefined);
  // From its outermost group on, a path is told from those that only end alike.
  const whole = behind.filter(({ path }) => named.startsWith(`${path} > `));
  const fitting = [exact, whole, behind].find(each => each.length > 0) ?? [];
  const [found] = fitting;
  if (!found) return `${file} has no test "${named}"`;
  const paths = new Set(fitting.map(({ path }) => path));
  if (paths.size > 1) return `${file} has more than one test "${named}"; put their groups before them`;
  if (found.fault !== undefined) return `${file} > ${named}: ${found.fault}, so it shows nothing`;
  return rowFault(file, found.path, rowIn(named, found.path), files);
}

/** What is named behind the title, where the title or the end of its path stands first. */
function rowIn(named: string, path: string): string | undefined {
  const titles = path.split(' > ');
  const ends = titles.map((_, at) => `${titles.slice(at).join(' > ')} > `);
  const end = ends.find(each => named.startsWith(each));
  return end && named.slice(end.length);
}

function rowFault(file: string, path: string, row: string | undefined, files: Files): string | undefined {
  const words = path.replace(placeholder, '');
  if (row !== undefined)
    return words !== path && files.texts(file).has(row) ? undefined : `${file} has no row "${row}"`;
  return /[a-z]/i.test(words) ? undefined : `${file} > ${path}: name the row of its table, behind " > "`;
}

/** What the files below `root` hold, each read once. */
function filesBelow(root: string) {
  const once = <T>(read: (file: string) => T) => {
    const known = new Map<string, T>();
    return (file: string): T => {
      if (!known.has(file)) known.set(file, read(file));
      return known.get(file)!;
    };
  };
  const source = once(file =>
    existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : undefined,
  );
  const tests = once((file): DeclaredTest[] | undefined => {
    const text = source(file);
    return text === undefined ? undefined : testsIn(text);
  });
  /** Of a table that stands in a file beside the test, too. */
  const texts = once(file => {
    const text = source(file) ?? '';
    const beside = [...text.matchAll(/from '(\.[^']+)'/g)].map(([, path = '']) => join(dirname(file), path));
    const sources = [
      text,
      ...beside.filter(each => each.startsWith('tests/')).map(each => source(each) ?? ''),
    ];
    return new Set(sources.flatMap(each => [...textsIn(each)]));
  });
  return { source, tests, texts };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = resolve(import.meta.dirname, '../..');
  const problems = guardProblems(readFileSync(join(root, 'docs/security.md'), 'utf8'), root);
  for (const problem of problems) console.error(`docs/security.md ${problem}`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
