// The command line: which command, its help, its exit code.
import { codeOf, messageOf } from '@echelon/ground';
import { readSettings, type Settings, useProxy } from '../settings.ts';

interface Subcommand {
  /** One line for the list of commands. */
  what: string;
  /** Runs it; answers the exit code. Loaded when it is asked for, so that nothing else is. */
  run(argv: string[], settings: Settings): Promise<number>;
}

const commands: Record<string, Subcommand> = {
  demo: {
    what: 'plays a whole run in a temporary folder',
    run: async (argv, settings) => (await import('./demo.ts')).demo(argv, settings),
  },
  serve: {
    what: 'serves the GitHub App, or without credentials a local GitHub',
    run: async (argv, settings) => (await import('./serve.ts')).serve(argv, settings),
  },
  init: {
    what: 'sets up a clone for GitHub Actions',
    run: async (argv, settings) => (await import('./init.ts')).init(argv, settings),
  },
  doctor: {
    what: 'finds what a repository or the App lacks, with the fix',
    run: async argv => (await import('./doctor.ts')).doctor(argv),
  },
  task: {
    what: 'checks, runs and writes programs of the task language',
    run: async (argv, settings) => (await import('./task.ts')).task(argv, settings),
  },
  events: {
    what: 'lists the events of a session',
    run: async argv => (await import('./events.ts')).events(argv),
  },
};

const usage = () =>
  [
    'Usage: echelon <command> [options]',
    '',
    ...Object.entries(commands).map(([name, { what }]) => `  ${name.padEnd(8)}${what}`),
    '',
    'echelon <command> --help lists its options; echelon --version says which this is.',
  ].join('\n');

/** Exit codes: 0 done, 1 it failed, 2 it was called wrongly, 130 ended by Ctrl-C. */
export async function main(argv: string[]): Promise<number> {
  const [name, ...rest] = argv;
  useProxy(process.env);
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    console.log(usage());
    return name === undefined ? 2 : 0;
  }
  if (name === '--version') {
    console.log((await import('./own-command.ts')).version);
    return 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    const { didYouMean } = await import('@echelon/ground');
    console.error(`unknown command ${name}${didYouMean(name, Object.keys(commands))}\n\n${usage()}`);
    return 2;
  }
  try {
    if (name === 'serve') (await import('./options.ts')).takeEnvFile(rest);
    return await command.run(rest, readSettings());
  } catch (error) {
    const debug = rest.includes('--debug') && error instanceof Error;
    console.error(debug ? error.stack : `echelon ${name}: ${wordsOf(error)}`);
    return 1;
  }
}

function wordsOf(error: unknown): string {
  if (codeOf(error) === 'EADDRINUSE' && error instanceof Error && 'port' in error)
    return `port ${error.port} is in use; choose another with --port`;
  if (['EADDRNOTAVAIL', 'ENOTFOUND'].includes(codeOf(error) ?? '') && process.env['HOST'])
    return `HOST: ${process.env['HOST']} is no address of this machine; 127.0.0.1 is this machine alone, 0.0.0.0 every address`;
  return messageOf(error);
}
