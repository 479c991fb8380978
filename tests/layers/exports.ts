// Finds values and functions of the sources that are exported and that no other file of the product imports.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { type Finding, targetOf } from './check.ts';

/** Exports that only tests use, and why they may: `file name` -> reason. What goes in here has no door of its own. */
export const spared: Readonly<Record<string, string>> = {
  'src/engine/sandbox/entries.ts DESCRIPTION_CHARS': 'docs/reasoning.md is held to it',
  'src/engine/reasoning/operations/answers.ts ANSWER_CHARS': 'docs/reasoning.md is held to it',
  'src/engine/reasoning/operations/references.ts RESOLVED_CHARS': 'docs/reasoning.md is held to it',
  'src/engine/reasoning/execution/record.ts executionTransitions': 'every pair of states is tried',
  'src/engine/reasoning/execution/report-to-model.ts RECOVERY_ATTEMPTS': 'docs/reasoning.md is held to it',
  'src/engine/reasoning/execution/executor.ts createExecutor': 'an executor without a configuration',
  'src/engine/models/provider-keys.ts idNames': 'npm run docs makes workflows with them',
  'src/engine/tasks/written-program.ts programIn': 'a program among other words, as a table',
  'src/app/engineer/attempt/attempt-journal.ts answerText': 'hostile answers, without a session that asks',
  'src/app/engineer/attempt/candidates.ts pick': 'candidates as a table, without their jobs',
  'src/app/comments/attempt-end.ts attemptEnds': 'each clause is held to one form',
  'src/app/engineer/project/new-packages.ts newPackages': 'lock files as a table, without a repository',
  'src/engine/reasoning/operations/change.ts bytesOf': 'sizes as a table, without a session',
  'src/doors/app/server-settings.ts readCaps': 'caps as a table, without a server',
  'src/engine/runtime/engines/program-engine.ts openBooks': 'the books alone, without a program',
  'src/app/run/run-journal.ts readSignal': 'values of signals as a table, without a run',
  'src/app/handlers/listening-limits.ts hasRoom': 'the limits as a table, without GitHub',
  'src/app/commands/parse.ts parseCommands': 'texts that hold no command, without a comment',
  'src/app/run/receive-signals.ts signalOf': 'each command there and back, without GitHub',
  'packages/forge/actions/expressions.ts evaluate': 'expressions as a table, without brackets',
  'packages/forge/actions/triggers.ts skipsWorkflows': 'messages as a table, without a push',
  'packages/forge/actions/workflow-file.ts schemaProblems': 'workflow files as a table, without a commit',
  'packages/forge/runner/process.ts lines': 'chunks as a table, without a process',
  'packages/forge/runner/runner-host.ts hosted': 'what is put in front of PATH, without a job',
  'packages/forge/pages/markdown/diagram.ts mermaidSvg': 'one picture, without its frame',
  'src/doors/cli/ask-terminal.ts openQuestions': "streams in the place of the process's own",
  'src/doors/cli/task/repl/completion.ts readGrammar': 'the elements that the schema for editors lists',
};

/**
 * One finding for each exported value that neither a source nor action/ imports and that is not spared, and for each spared
 * one that need not be. Types may stand exported where an exported signature names them; what package.json exports is
 * the world's.
 */
export function unusedExports(root: string, spare: Readonly<Record<string, string>>): Finding[] {
  const sources = globSync('{src,packages}/**/*.{ts,js}', { cwd: root, exclude: ['**/node_modules/**'] });
  const others = globSync('action/*.ts', { cwd: root });
  const used = new Set<string>();
  for (const file of [...sources, ...others])
    for (const use of usesIn(root, file, readFileSync(join(root, file), 'utf8'))) used.add(use);
  const open = publicFiles(root);
  const unused = sources
    .filter(file => !open.has(file))
    .flatMap(file => {
      const text = readFileSync(join(root, file), 'utf8');
      return [...exportsOf(text)]
        .filter(({ name }) => !used.has(`${file} ${name}`))
        .map(({ name, index }) => ({
          file,
          line: text.slice(0, index).split('\n').length,
          place: `${file} ${name}`,
          message: `nothing imports ${name}: remove \`export\`, or ${name}`,
        }));
    });
  const lonely = new Set(unused.map(({ place }) => place));
  const needless = Object.keys(spare).filter(place => !lonely.has(place));
  return [
    ...unused.filter(({ place }) => !Object.hasOwn(spare, place)).map(({ place, ...finding }) => finding),
    ...needless.map(place => ({
      file: 'tests/layers/exports.ts',
      line: 1,
      message: `${place} need not be spared`,
    })),
  ];
}

/** Files that package.json opens to others. */
function publicFiles(root: string): Set<string> {
  const manifest = join(root, 'package.json');
  const { exports = {} } = existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')) : {};
  return new Set(Object.values(exports as Record<string, string>).map(path => path.replace(/^\.\//, '')));
}

/** Names of exported values, with where they stand. */
function* exportsOf(text: string): Generator<{ name: string; index: number }> {
  const declared =
    /^export (?:default )?(?:async )?(?:function\*?|const|let|(?:abstract )?class|enum) (?:(\w+)|[{[]([^}\]]*)[}\]])/gm;
  for (const { 1: name, 2: names, index } of text.matchAll(declared)) {
    if (name !== undefined) yield { name, index };
    else for (const each of namesIn(names ?? '')) yield { name: each.to, index };
  }
  for (const { 1: names, index } of text.matchAll(/^export \{([^}]*)\}/gm))
    for (const { to, isType } of namesIn(names ?? '')) if (!isType) yield { name: to, index };
}

/**
 * Names that a file takes of others, as `file name`. If a file is loaded or named other than by an import (`import()`,
 * a path in a text), each word of the text may be a name taken of it.
 */
function* usesIn(root: string, file: string, text: string): Generator<string> {
  const statements = /^(?:import|export)\b([^'";]*?)\bfrom\s*['"]([^'"]+)['"]/gm;
  const rest = text.replaceAll(statements, '');
  for (const { 1: clause = '', 2: path = '' } of text.matchAll(statements)) {
    const target = placeOf(root, file, path);
    if (target === undefined) continue;
    if (/\*/.test(clause)) for (const word of wordsIn(rest)) yield `${target} ${word}`;
    for (const { from } of namesIn(/\{([^}]*)\}/.exec(clause)?.[1] ?? '')) yield `${target} ${from}`;
  }
  for (const [, path = ''] of rest.matchAll(/['"`]([\w./-]+\.(?:ts|js))['"`]/g)) {
    const target = placeOf(root, file, path);
    if (target !== undefined) for (const word of wordsIn(rest)) yield `${target} ${word}`;
  }
}

/** The source that a path means: beside the file that says it, or from the root. */
function placeOf(root: string, file: string, path: string): string | undefined {
  return [resolve(root, targetOf(root, file, path) ?? join(dirname(file), path)), resolve(root, path)]
    .filter(place => existsSync(place))
    .map(place => relative(root, place))
    .find(place => /^(src|packages)\//.test(place));
}

/** `a, type b as c`, as in braces. */
const namesIn = (list: string) =>
  list
    .split(',')
    .map(each => /^\s*(type\s+)?(\w+)(?:\s*(?:as|:)\s*(\w+))?/.exec(each))
    .flatMap(found => {
      const [, type, from, to = from] = found ?? [];
      return from === undefined || to === undefined ? [] : [{ from, to, isType: type !== undefined }];
    });

const wordsIn = (text: string) => new Set(text.match(/\w+/g));
