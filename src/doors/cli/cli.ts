// The command line: which command, its help, its exit code.
import { codeOf, didYouMean, messageOf } from '@echelon/ground';
import { readSettings, useProxy } from '../settings.ts';
import { call, type Commands } from './command.ts';
import { takeEnvFile } from './options.ts';

/** Of `echelon task`. */
const verbs: Commands = {
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

const commands: Commands = {
  demo: {
    what: 'plays a whole run in a temporary folder',
    load: async () => (await import('./demo.ts')).demo,
  },
  serve: {
    what: 'serves the GitHub App, or without credentials a local GitHub',
    load: async () => (await import('./serve.ts')).serve,
  },
  init: {
    what: 'sets up a clone for GitHub Actions',
    load: async () => (await import('./init.ts')).init,
  },
  doctor: {
    what: 'finds what a repository or the App lacks, with the fix',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  task: {
    what: 'checks, runs and writes programs of the task language',
    verbs,
  },
  events: {
    what: 'lists the events of a session',
    load: async () => (await import('./events.ts')).events,
  },
};

/** Exit codes: 0 done, 1 it failed, 2 it was called wrongly, 130 ended by Ctrl-C. */
export async function main(argv: string[]): Promise<number> {
  useProxy(process.env);
  if (argv[0] === '--version') {
    console.log((await import('./own-command.ts')).version);
    return 0;
  }
  try {
    if (argv[0] === 'serve') takeEnvFile(argv);
    return await chosen('echelon', commands, argv);
  } catch (error) {
    const debug = argv.includes('--debug') && error instanceof Error;
    console.error(debug ? error.stack : `echelon ${argv[0]}: ${wordsOf(error)}`);
    return 1;
  }
}

/** Calls the one of `commands` that the first word names. */
async function chosen(program: string, commands: Commands, [name, ...rest]: string[]): Promise<number> {
  const noun = program === 'echelon' ? 'command' : 'verb';
  const overview = [
    `Usage: ${program} <${noun}> [options]\n`,
    ...Object.entries(commands).map(([each, { what }]) => `  ${each.padEnd(10)}${what}`),
    `\n${program} <${noun}> --help lists its options; echelon --version says which this is.`,
  ].join('\n');
  if (name === '--help' || name === '-h' || name === 'help') {
    console.log(overview);
    return 0;
  }
  const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    const unknown = `unknown ${noun} ${name}${didYouMean(name ?? '', Object.keys(commands))}`;
    console.error(`${name === undefined ? 'say what to do' : unknown}\n\n${overview}`);
    return 2;
  }
  return 'verbs' in command
    ? await chosen(`${program} ${name}`, command.verbs, rest)
    : await call(await command.load(), rest, readSettings());
}

function wordsOf(error: unknown): string {
  if (codeOf(error) === 'EADDRINUSE' && error instanceof Error && 'port' in error)
    return `port ${error.port} is in use; choose another with --port`;
  if (['EADDRNOTAVAIL', 'ENOTFOUND'].includes(codeOf(error) ?? '') && process.env['HOST'])
    return `HOST: ${process.env['HOST']} is no address of this machine; 127.0.0.1 is this machine alone, 0.0.0.0 every address`;
  return messageOf(error);
}
