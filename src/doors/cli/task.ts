// `echelon task <verb>`: which verb, its help, and what is wrong with how it was called.
import { didYouMean, masker } from '@echelon/ground';
import { secretsOf } from '../../engine/models/provider-keys.ts';
import { TaskError } from '../../engine/language/result.ts';
import { Interrupted } from '../interrupt.ts';
import { optionsHelp, readOptions, type Verb } from './options.ts';
import { OutputFailure, print } from './output.ts';
import type { Settings } from '../settings.ts';
import { errorJson, failureText, forTerminal } from '../progress.ts';

/** Loaded when it is asked for, so that nothing else is. */
const verbs: Record<string, { what: string; load(): Promise<Verb> }> = {
  check: {
    what: 'checks programs: every problem as file:line:column message',
    load: async () => (await import('./task/check.ts')).check,
  },
  format: {
    what: 'writes programs in their canonical form',
    load: async () => (await import('./task/format.ts')).format,
  },
  convert: {
    what: 'writes a program as S-expressions, or back as XML',
    load: async () => (await import('./task/format.ts')).convert,
  },
  show: {
    what: 'shows what a program consists of, before it runs',
    load: async () => (await import('./task/show.ts')).show,
  },
  test: {
    what: 'plays programs with scripted replies, and says what is not as expected',
    load: async () => (await import('./task/test.ts')).test,
  },
  run: { what: 'runs a program', load: async () => (await import('./task/run.ts')).run },
  do: {
    what: 'does what a request in plain words asks for',
    load: async () => (await import('./task/run.ts')).doVerb,
  },
  repl: {
    what: 'defines and runs programs as they are entered',
    load: async () => (await import('./task/repl.ts')).repl,
  },
  compile: {
    what: 'writes a program for a request in plain words',
    load: async () => (await import('./task/compile.ts')).compileVerb,
  },
  js: {
    what: 'runs JavaScript in the sandbox of the tool js',
    load: async () => (await import('./task/js.ts')).js,
  },
  index: {
    what: 'indexes the files of a folder',
    load: async () => (await import('./task/index-folder.ts')).indexFolder,
  },
};

const overview = () =>
  [
    'Usage: echelon task <verb> [options]',
    '',
    ...Object.entries(verbs).map(([name, { what }]) => `  ${name.padEnd(10)}${what}`),
    '',
    'echelon task <verb> --help lists its options.',
  ].join('\n');

/** Exit codes: 0 done, 1 it failed, 2 it was called wrongly, 130 ended by Ctrl-C. */
export async function task(argv: string[], settings: Settings): Promise<number> {
  const [name, ...rest] = argv;
  if (name === '--help') {
    console.log(overview());
    return 0;
  }
  const row = name !== undefined && Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  if (!row) {
    const wrong =
      name === undefined ? 'say what to do' : `unknown verb ${name}${didYouMean(name, Object.keys(verbs))}`;
    console.error(`${wrong}\n\n${overview()}`);
    return 2;
  }
  const verb = await row.load();
  const help = { help: { type: 'boolean', help: 'this text' } } as const;
  const table = { ...verb.options, ...help };
  const given = readOptions(rest, table);
  if (given.values['help']) {
    console.log(`Usage: echelon task ${verb.usage}\n\n${verb.about}\n\n${optionsHelp(table)}`);
    return 0;
  }
  const json = given.values['json'] === true;
  const done = await verb
    .run(given, settings)
    .catch(async (error: unknown) => await failed(error, json, settings));
  if (typeof done === 'number') return done;
  if (json)
    await print(
      JSON.stringify({ error: { message: 'called wrongly; nothing was done' }, problems: done.problems }),
    );
  for (const problem of done.problems) console.error(problem);
  console.error(`\nechelon task ${name} --help lists the options.`);
  return 2;
}

/** Tells what a verb ended with; answers the exit code. Throws what is no failure of a program. */
async function failed(error: unknown, json: boolean, settings: Settings): Promise<number> {
  const mask = masker(secretsOf(settings.providers));
  if (json && !(error instanceof OutputFailure))
    await print(mask(JSON.stringify({ error: errorJson(error) })));
  if (error instanceof Interrupted) {
    console.error('interrupted');
    return 130;
  }
  if (!(error instanceof TaskError)) throw error;
  console.error(mask(forTerminal(failureText(error))));
  return 1;
}
