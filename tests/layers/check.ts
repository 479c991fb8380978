// Holds src/ against the floors of docs/architecture.md: imports go down only, no cycles, the environment is
// read in src/main/ only, each SDK is imported by its one folder, pure floors touch nothing outside, and nothing is
// exported that nobody imports.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unusedExports } from './exports.ts';

const floors: Record<string, number> = {
  lib: 0,
  events: 1,
  commands: 1,
  language: 1,
  record: 1,
  comments: 1,
  models: 2,
  github: 2,
  workspace: 2,
  sandbox: 2,
  reasoning: 3,
  scheduler: 3,
  tasks: 4,
  cascade: 5,
  engineer: 5,
  run: 6,
  handlers: 7,
  main: 8,
};

/** Package (or scope) -> the only folders that may import it. */
const homes: [RegExp, string[]][] = [
  [/^@anthropic-ai\//, ['models']],
  [/^@octokit\//, ['github']],
  [/^probot$/, ['main']],
  [/^quickjs/, ['sandbox']],
  [/^saxes$/, ['language']],
  [/^minisearch$/, ['tasks']],
  [/^acorn$/, ['reasoning']],
  [/^(hono|@hono\/.*|graphql)$/, ['forge', 'main']],
  [/^markdown-it$/, ['commands', 'forge']],
];

/** Node modules that touch nothing outside: allowed on every floor. */
const pure = new Set([
  'node:crypto',
  'node:zlib',
  'node:util',
  'node:buffer',
  'node:events',
  'node:assert',
  'node:path',
]);
const edges = new Set(['models', 'github', 'workspace', 'sandbox', 'main', 'forge']);

export interface Finding {
  file: string;
  line: number;
  message: string;
}

/** All findings for the tree below `root`/src; empty when it keeps the rules. */
export function checkLayers(root: string): Finding[] {
  const findings: Finding[] = [];
  const graph = new Map<string, string[]>();
  for (const file of globSync('src/**/*.{ts,js}', { cwd: root })) {
    const text = readFileSync(join(root, file), 'utf8');
    const say = (index: number, message: string) =>
      findings.push({ file, line: text.slice(0, index).split('\n').length, message });
    const room = file.split('/')[1] ?? '';
    const floor = floors[room];
    if (floor === undefined && room !== 'forge') say(0, `src/${room} is not a room of the house`);
    const targets: string[] = [];
    graph.set(file, targets);
    for (const match of importsOf(text)) {
      const [index, specifier] = match;
      if (specifier.startsWith('.')) {
        const target = relative(root, resolve(root, dirname(file), specifier));
        targets.push(normalize(target));
        const there = target.split('/')[1] ?? '';
        if (!target.startsWith('src/')) {
          if (!target.endsWith('package.json')) say(index, `imports ${target}, outside src/`);
        } else if (room === 'forge') {
          if (there !== 'forge' && there !== 'lib') say(index, `the forge imports lib/ only, not ${there}/`);
        } else if (there === 'forge') {
          if (room !== 'main') say(index, 'only main/ may import the forge');
        } else if (there !== room && (floors[there] ?? 99) >= (floor ?? -1)) {
          say(
            index,
            `imports go down only: ${room}/ (floor ${floor}) imports ${there}/ (floor ${floors[there]})`,
          );
        }
      } else if (specifier.startsWith('node:')) {
        if (!pure.has(specifier) && !edges.has(room)) say(index, `${specifier} on a floor without I/O`);
      } else {
        for (const [name, rooms] of homes)
          if (name.test(specifier) && !rooms.includes(room))
            say(index, `${specifier} belongs to ${rooms.join(', ')}/ only`);
      }
    }
    if (room !== 'main')
      for (const found of text.matchAll(/process\s*(\.|\?\.|\[['"])\s*env\b/g))
        say(found.index, 'the environment is read in src/main/ only');
    if (floor !== undefined && floor <= 1 && file !== 'src/lib/clock.ts')
      for (const found of text.matchAll(/\b(Date\.now\(|new Date\(\)|Math\.random\(|setTimeout\(|fetch\()/g))
        say(found.index, `${found[1]} on a pure floor: take a clock or a value instead`);
  }
  for (const cycle of cyclesOf(graph))
    findings.push({ file: cycle[0]!, line: 1, message: `cycle: ${cycle.join(' -> ')}` });
  return [...findings, ...unusedExports(root)];
}

function* importsOf(text: string): Generator<[number, string]> {
  const pattern =
    /(?:^|\n)\s*(?:import|export)\b[^'";]*?\bfrom\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]|(?:^|\n)import\s+['"]([^'"]+)['"]|\brequire\(\s*['"]([^'"]+)['"]/g;
  for (const match of text.matchAll(pattern))
    yield [match.index + 1, match[1] ?? match[2] ?? match[3] ?? match[4] ?? ''];
}

function cyclesOf(graph: Map<string, string[]>): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  const visit = (node: string, path: string[]) => {
    const at = path.indexOf(node);
    if (at >= 0) cycles.push([...path.slice(at), node]);
    else if (!done.has(node)) {
      for (const next of graph.get(node) ?? []) visit(next, [...path, node]);
      done.add(node);
    }
  };
  for (const node of graph.keys()) visit(node, []);
  return cycles;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const findings = checkLayers(resolve(import.meta.dirname, '../..'));
  for (const { file, line, message } of findings) console.error(`${file}:${line} ${message}`);
  process.exitCode = findings.length > 0 ? 1 : 0;
}
