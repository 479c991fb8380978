// Holds src/ and packages/ against the wings of docs/architecture.md: wings on common ground, rooms in a wing that import downwards
// only, no cycles, the environment read in src/doors/ only, each SDK in its one room, pure rooms that touch nothing
// outside, and nothing exported that nobody, or only a test, imports.
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spared, unusedExports } from './exports.ts';

/** Packages that each package may import besides itself. */
export const wings: Record<string, readonly string[]> = {
  doors: ['app', 'engine', 'forge', 'workspace', 'journal', 'ground'],
  app: ['engine', 'workspace', 'journal', 'ground'],
  engine: ['workspace', 'journal', 'ground'],
  forge: ['workspace', 'ground'],
  ground: ['workspace', 'lib'],
  journal: ['workspace', 'lib'],
  workspace: ['lib'],
  lib: [],
};

const at = (folder: string, names: string) => names.split(' ').map(name => `${folder}/${name}.ts`);

/** The files through which others may import a package, by what they load: a caller of the small things loads no library. */
export const entryPoints: Readonly<Record<string, readonly string[]>> = {
  engine: at('src/engine', 'engine files language models models/provider-keys parts providers sandbox texts'),
  app: at('src/app', 'app config job set-up views'),
  forge: at('packages/forge', 'index'),
  ground: at('packages/ground', 'index journal/index workspace/index'),
};
export const open = new Set(Object.values(entryPoints).flat());

/** The rooms of a wing or of a room, with their floors; a file beside them stands below all of them. */
const floors: Record<string, Record<string, number>> = {
  doors: { app: 1, library: 1, action: 2, cli: 2 },
  app: {
    config: 1,
    github: 1,
    comments: 1,
    commands: 2,
    events: 3,
    scheduler: 3,
    cascade: 4,
    engineer: 4,
    run: 5,
    handlers: 6,
  },
  'app/engineer': { project: 1, jobs: 2, slots: 3, attempt: 4, delivery: 5, integration: 6, batch: 7 },
  engine: { language: 1, sandbox: 1, models: 2, reasoning: 3, tasks: 4, runtime: 5 },
};

/** Package (or scope) -> the only rooms that may import it. */
const homes: [RegExp, string[]][] = [
  [/^@anthropic-ai\//, ['engine/models']],
  [/^@octokit\//, ['app/github']],
  [/^@actions\/core$/, ['doors/action']],
  [/^@actions\/expressions(\/|$)/, ['forge', 'engine/language']],
  [/^@actions\/workflow-parser(\/|$)/, ['forge']],
  [/^(probot|prom-client)$/, ['doors/app']],
  [/^smee-client$/, ['doors/cli']],
  [/^quickjs/, ['engine/sandbox']],
  [/^@modelcontextprotocol\//, ['engine/runtime']],
  [/^saxes$/, ['engine/language']],
  [/^minisearch$/, ['engine/tasks']],
  [/^acorn$/, ['engine/reasoning']],
  [/^(hono|@hono\/.*|graphql)$/, ['forge', 'doors/app', 'doors/cli']],
  [/^markdown-it$/, ['app/commands', 'forge']],
  [/^beautiful-mermaid$/, ['forge']],
  [/^(markdown-it-.*|sanitize-html|idiomorph|shiki|libsodium-wrappers)(\/|$)/, ['forge']],
];

/** Node modules that touch nothing outside: allowed in every room. */
const pure = new Set([
  'node:crypto',
  'node:zlib',
  'node:util',
  'node:buffer',
  'node:events',
  'node:assert',
  'node:path',
]);
/** Rooms that may touch the outside. */
const edges = /^(doors|forge|journal|workspace|app\/github|engine\/(models|sandbox|runtime))(\/|$)/;
/** Rooms without a clock. */
const timeless = /^(lib|journal|app\/(events|commands|comments|config)|engine\/language)(\/|$)/;

export interface Finding {
  file: string;
  line: number;
  message: string;
}

/** The sources of the product and of its packages. */
export const sources = '{src,packages}/**/*.{ts,js}';

/** All findings for the sources below `root`; empty when they keep the rules. */
export function checkLayers(root: string, spare = spared): Finding[] {
  const findings: Finding[] = [];
  const graph = new Map<string, string[]>();
  for (const file of globSync(sources, { cwd: root, exclude: ['**/node_modules/**'] })) {
    const text = readFileSync(join(root, file), 'utf8');
    const say = (index: number, message: string) =>
      findings.push({ file, line: text.slice(0, index).split('\n').length, message });
    const room = roomOf(file);
    const [wing = '', name = ''] = room.split('/');
    const reach = wings[wing];
    if (!reach || floorOf(room) === undefined) say(0, `${room} is not a room of the house`);
    const targets: string[] = [];
    graph.set(file, targets);
    for (const [index, specifier] of importsOf(text)) {
      const target = targetOf(root, file, specifier);
      if (target !== undefined) {
        targets.push(normalize(target));
        if (!/^(src|packages)\//.test(target)) {
          if (!target.endsWith('package.json')) say(index, `imports ${target}, outside src/ and packages/`);
          continue;
        }
        const there = roomOf(target);
        const [other = ''] = there.split('/');
        if (other !== wing) {
          if (!reach?.includes(other)) say(index, `${wing}/ may not import ${other}/`);
        } else if (there !== room && !open.has(file) && !goesDown(room, there))
          say(index, `imports go down only: ${room}/ imports ${there}/`);
      } else if (specifier.startsWith('node:')) {
        if (!pure.has(specifier) && !edges.test(room)) say(index, `${specifier} in a room without I/O`);
      } else {
        for (const [pattern, rooms] of homes)
          if (pattern.test(specifier) && !rooms.includes(name ? room : wing))
            say(index, `${specifier} belongs to ${rooms.join(', ')}/ only`);
      }
    }
    if (wing !== 'doors')
      for (const found of text.matchAll(/process\s*(\.|\?\.|\[['"])\s*env\b/g))
        say(found.index, 'the environment is read in src/doors/ only');
    if (timeless.test(room) && file !== 'packages/ground/lib/clock.ts')
      for (const found of text.matchAll(/\b(Date\.now\(|new Date\(\)|Math\.random\(|setTimeout\(|fetch\()/g))
        say(found.index, `${found[1]} in a room without a clock: take one, or a value, instead`);
  }
  for (const cycle of cyclesOf(graph))
    findings.push({ file: cycle[0]!, line: 1, message: `cycle: ${cycle.join(' -> ')}` });
  return [...findings, ...unusedExports(root, spare)];
}

/** The file that an import of a source leads to, by its path from `root`; undefined for a module from elsewhere. */
export function targetOf(root: string, file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return relative(root, resolve(root, dirname(file), specifier));
  return /^@echelon\//.test(specifier) ? `${specifier.replace('@echelon', 'packages')}/index.ts` : undefined;
}

/** `app/run` or `app/engineer/jobs` for a file of a room, `app` for one beside the rooms of a wing. */
function roomOf(file: string): string {
  if (file === 'packages/ground/index.ts') return 'ground';
  const [wing = '', ...folders] = dirname(file.replace(/^(src|packages\/ground|packages)\//, '')).split('/');
  return folders.reduce((room, folder) => (floors[room] ? `${room}/${folder}` : room), wing);
}

/** Undefined for what is no room. */
function floorOf(room: string): number | undefined {
  return room.includes('/') ? floors[dirname(room)]?.[basename(room)] : 0;
}

/** True if, where the paths of the two modules part, the second is on a lower floor. */
function goesDown(from: string, to: string): boolean {
  const [there, here] = [to.split('/'), from.split('/')];
  const parts = there.findIndex((folder, at) => folder !== here[at]) + 1 || there.length + 1;
  const floor = (folders: string[]) =>
    folders.length < parts ? 0 : floorOf(folders.slice(0, parts).join('/'));
  return (floor(there) ?? 99) < (floor(here) ?? -1);
}

export function* importsOf(text: string): Generator<[number, string]> {
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
