// Size of the project: figures read from its files, each of which may only go down.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { entryPoints, importsOf, open, targetOf } from '../layers/check.ts';

/** The package of a source: the folder below src/ or packages/. */
const packageOf = (file: string): string => /^(?:src|packages)\/(\w+)\//.exec(file)?.[1] ?? '';

interface Source {
  file: string;
  text: string;
}

/** Figures by name, in the order in which they are printed. */
export function figuresOf(root: string): Record<string, number> {
  const own = { cwd: root, exclude: ['**/node_modules/**'] };
  const read = (pattern: string): Source[] =>
    globSync(pattern, own).map(file => ({ file, text: readFileSync(join(root, file), 'utf8') }));
  const sources = read('{src,packages}/**/*.{ts,js}');
  const without = sources.filter(({ file }) => packageOf(file) !== 'forge');
  const passed = pastEntryPoints(root, sources);
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return {
    'lines of source': linesOf(sources),
    'lines of source without the local GitHub': linesOf(without),
    ...Object.fromEntries(
      [...Object.keys(entryPoints), 'doors'].map(name => [
        `lines in ${name}`,
        linesOf(sources.filter(({ file }) => packageOf(file) === name)),
      ]),
    ),
    'lines of tests': linesOf(read('tests/**/*.ts')),
    'files of source': sources.length,
    folders: new Set(sources.map(({ file }) => dirname(file))).size,
    'files in the fullest folder': Math.max(...countBy(sources, ({ file }) => dirname(file)).values()),
    'files over 200 lines': sources.filter(({ text }) => linesOfText(text) > 200).length,
    functions: sources.reduce((sum, { text }) => sum + functionsIn(text), 0),
    // An interface that passes dependencies or state down is named for it.
    'context objects': countOf(
      sources,
      /\binterface \w*(Context|Parts|Options|Means|Setting|Scene|Within)\b/g,
    ),
    // A function that carries one thing over from one type to another is named for it.
    'type conversions': countOf(
      sources,
      /\b(?:function|const) (?:\w+(?:Of|From|Json)|(?:to|as|from)[A-Z]\w*)\b(?= ?[=(<])/g,
    ),
    ...Object.fromEntries(
      Object.keys(entryPoints).map(name => [
        `files of ${name} imported past its entry point`,
        passed.filter(file => packageOf(file) === name).length,
      ]),
    ),
    'runtime dependencies': Object.keys(dependencies).length,
    'words of README and docs': read('{README,docs/*}.md').reduce(
      (sum, { text }) => sum + text.match(/\S+/g)!.length,
      0,
    ),
    'comments that begin with a question word': countOf(
      [...sources, ...read('tests/**/*.ts')],
      /(?:^|\s)(?:\/\/|\/\*\*(?:\n *\*)?) (?:Why|What|Where|When|Who|Whoever|Whether|How|Which)\b/gm,
    ),
  };
}

const linesOfText = (text: string) => text.split('\n').length - 1;
const linesOf = (sources: readonly Source[]) => sources.reduce((sum, { text }) => sum + linesOfText(text), 0);
const countOf = (sources: readonly Source[], pattern: RegExp) =>
  sources.reduce((sum, { text }) => sum + [...text.matchAll(pattern)].length, 0);
const functionsIn = (text: string) => [...text.matchAll(/\bfunction\b|=>(?! *[\w.[\]'"|]+[;,)])/g)].length;

function countBy<T>(all: readonly T[], key: (each: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const each of all) counts.set(key(each), (counts.get(key(each)) ?? 0) + 1);
  return counts;
}

/** Files that another package imports although they are not their package's entry point. */
function pastEntryPoints(root: string, sources: readonly Source[]): string[] {
  const passed = new Set<string>();
  for (const { file, text } of sources)
    for (const [, specifier] of importsOf(text)) {
      const target = targetOf(root, file, specifier);
      if (target === undefined) continue;
      if (packageOf(target) !== packageOf(file) && !open.has(target)) passed.add(target);
    }
  return [...passed].filter(file => /^(src|packages)\//.test(file));
}
