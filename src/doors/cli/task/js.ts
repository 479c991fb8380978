// `echelon task js <file | ->`: JavaScript that a person runs, in the sandbox of the tool js.
import { buffer } from 'node:stream/consumers';
import { resolve } from 'node:path';
import { messageOf, systemClock } from '@echelon/ground';
import type { ErrorRecord, Sandbox, SandboxOutcome } from '../../../engine/sandbox.ts';
import { configuredExecutor, emptyStores, openSandbox } from '../../../engine/sandbox.ts';
import type { Config } from '../../../app/config.ts';
import { eventLine, forTerminal, oneLine } from '../../progress.ts';
import { interruption } from '../../interrupt.ts';
import { print } from '../output.ts';
import { readTaskConfig } from '../../folder-library.ts';
import { readNamed, textOfBytes } from '../../../engine/texts.ts';
import type { Command } from '../command.ts';

export const js: Command = {
  usage: 'echelon task js <file | -> [--json]',
  about: `Runs JavaScript of a file or standard input once, as the tool js does: the body of an async function, in a sandbox without
files, network or processes, with an empty vault. Its value goes to stdout as JSON, its console to stderr.
Exit code 0: done; 1: the code failed; 2: wrong call; 130: Ctrl-C.`,
  options: {
    json: { type: 'boolean', help: 'print the record of the execution as JSON' },
    debug: { type: 'boolean', help: 'print events and stack traces on stderr' },
  },
  takes: { missing: 'name the file of JavaScript to run, or - for standard input' },
  async run({ positionals: [file = ''], values, problems }) {
    const config = configHere(problems);
    if (problems.length > 0 || !config) return { problems };
    const read = file === '-' ? textOfBytes(await buffer(process.stdin)) : readNamed(file);
    if ('problem' in read) return { problems: [`${file}: ${read.problem}`] };
    const ran = openRun(config, values['debug'] === true);
    try {
      const { record } = await ran.executor.execute(read.text, {
        id: 'js',
        stores: emptyStores,
        signal: interruption(),
        startedBy: 'person',
      });
      if (values['json'] === true) await print(JSON.stringify(record));
      else await tell(ran.outcome(), record.error);
      return record.state === 'completed' ? 0 : 1;
    } finally {
      await ran.close();
    }
  },
};

function configHere(problems: string[]): Config | undefined {
  try {
    return readTaskConfig(resolve('.'));
  } catch (error) {
    problems.push(messageOf(error));
    return undefined;
  }
}

/** The record keeps the beginning of output and value alone: `outcome` is the whole of what the sandbox answered. */
function openRun(config: Config, tells: boolean) {
  const sandbox = openSandbox();
  let outcome: SandboxOutcome | undefined;
  const watched: Sandbox = {
    ...sandbox,
    run: async request => (outcome = await sandbox.run(request)),
  };
  const executor = configuredExecutor(config.reasoning, {
    sandbox: watched,
    clock: systemClock,
    onEvent(event) {
      if (tells) process.stderr.write(`event ${oneLine(eventLine(event))}\n`);
    },
  });
  return { executor, outcome: () => outcome, close: () => sandbox.close() };
}

async function tell(outcome: SandboxOutcome | undefined, error: ErrorRecord | undefined): Promise<void> {
  for (const { level, text } of outcome?.console ?? []) console.error(forTerminal(`${level}: ${text}`));
  const { lines = 0, chars = 0 } = outcome?.omittedOutput ?? {};
  if (lines > 0) console.error(`${lines} lines were cut or left out, ${chars} characters of them`);
  if (error) {
    const { class: kind, name, message, line } = error;
    const place = line === undefined ? '' : ` (line ${line})`;
    console.error(forTerminal(`${kind}: ${name}: ${message}${place}`));
  } else if (outcome?.status === 'completed') {
    if (outcome.late !== undefined) console.error(forTerminal(outcome.late));
    await print(process.stdout.isTTY ? forTerminal(outcome.value) : outcome.value);
    if (outcome.valueKind === 'cut')
      console.error(`the value is longer: these are its first ${outcome.value.length} characters`);
  }
}
