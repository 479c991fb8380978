// Checks each promise of docs/security.md by promises.yml: its guards exist in the code, and tests that run show it.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { type DeclaredTest, namesIn, testsIn, textsIn } from './declared.ts';

/** The tests that vitest.config.ts includes. */
const testFile = /^tests\/(?!sample\/|bench\/)[\w./-]+\.test\.ts$/;
/** Placeholders of vitest's table titles and of template literals. */
const placeholder = /%[sdifjoOc#%]|\$\{[^}]*\}|\$[\w.]+/g;

const Texts = z.array(z.string()).min(1);
const Promises = z.record(z.string(), z.strictObject({ guards: Texts, tests: Texts }));

/**
 * Problems of the promises in `data` (YAML), each with its promise. `page` lists the same promises, a list item each;
 * `root`: where the files are that `data` names.
 * @throws where `data` names a promise twice, or one without guards and tests.
 */
export function guardProblems(page: string, data: string, root: string): string[] {
  const promises = Object.entries(Promises.parse(parse(data) ?? {}));
  const files = filesBelow(root);
  const [list = ''] = page.replaceAll(/\n {2}/g, ' ').split('## What is not promised');
  const listed = [...list.matchAll(/^- (.+)$/gm)].map(([, promise = '']) => promise);
  const unguarded = listed.filter(each => !promises.some(([promise]) => promise === each));
  return [
    ...unguarded.map(each => `"${each}": tests/docs/promises.yml has no guard and no test`),
    ...promises.flatMap(([promise, { guards, tests }]) =>
      [
        ...(listed.filter(each => each === promise).length === 1
          ? []
          : ['docs/security.md does not list it once']),
        ...guards.flatMap(guard => guardFault(guard, files) ?? []),
        ...tests.flatMap(test => testFault(test, files) ?? []),
      ].map(fault => `"${promise}": ${fault}`),
    ),
  ];
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

/** The row named behind a title, if the title or the end of its path comes first. */
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

/** Contents of the files below `root`, each read once. */
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

/** Problems of this repository. */
export function problemsHere(): string[] {
  const root = resolve(import.meta.dirname, '../..');
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  return guardProblems(read('docs/security.md'), read('tests/docs/promises.yml'), root);
}

if (import.meta.main) {
  const problems = problemsHere();
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
