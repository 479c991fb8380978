// A command of the command line, or a verb of `echelon task`: its help, how it is called, and its exit code.
import { masker } from '@echelon/ground';
import { TaskError } from '../../engine/texts.ts';
import { secretsOf } from '../../engine/models/provider-keys.ts';
import { Interrupted } from '../interrupt.ts';
import { errorJson, failureText, forTerminal } from '../progress.ts';
import type { Settings } from '../settings.ts';
import { type OptionSpec, optionsHelp, type Parsed, readOptions } from './options.ts';
import { OutputFailure, print } from './output.ts';

export interface Command {
  /** From the program's name on. */
  usage: string;
  /** Description and exit codes. */
  about: string;
  options: Readonly<Record<string, OptionSpec>>;
  /** Words that it is called with besides options; absent: none. */
  takes?: {
    /** Said where it is absent. */
    missing: string;
    many?: true;
    /** Added where there is more than one. */
    hint?: string;
  };
  /**
   * Answers the exit code, or everything that is wrong with the call, `given.problems` first; nothing is done then.
   * Throws Interrupted, TaskError, OutputFailure.
   */
  run(given: Parsed, settings: Settings): Promise<number | { problems: string[] }>;
}

/** Commands by name, or the verbs of one; loaded when they are asked for, so that nothing else is. */
export type Commands = Readonly<
  Record<string, { what: string } & ({ load(): Promise<Command> } | { verbs: Commands })>
>;

/** Answers the exit code: 0 done, 1 it failed, 2 it was called wrongly, 130 ended by Ctrl-C. */
export async function call(command: Command, argv: string[], settings: Settings): Promise<number> {
  const { usage, about, options, takes } = command;
  const table = { ...options, help: { type: 'boolean', help: 'this text' } } as const;
  const given = readOptions(argv, table);
  if (given.values['help']) {
    console.log(`Usage: ${usage}\n\n${about}\n\n${optionsHelp(table)}`);
    return 0;
  }
  const extra = takes?.many ? [] : given.positionals.slice(takes ? 1 : 0);
  given.problems.push(...extra.map(word => `unexpected argument ${word}${takes?.hint ?? ''}`));
  if (takes && !given.positionals[0]?.trim()) given.problems.push(takes.missing);
  const json = given.values['json'] === true;
  const done = await command.run(given, settings).catch((error: unknown) => failed(error, json, settings));
  if (typeof done === 'number') return done;
  if (json)
    await print(
      JSON.stringify({ error: { message: 'called wrongly; nothing was done' }, problems: done.problems }),
    );
  for (const problem of done.problems) console.error(problem);
  console.error(`\n${usage.split(/ [[<"]/, 1)[0]} --help lists the options.`);
  return 2;
}

/** Tells what a command ended with; answers the exit code. Throws what is no failure of a program. */
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
