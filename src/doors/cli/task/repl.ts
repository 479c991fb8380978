// `echelon task repl`: programs of the task language are defined and run as they are entered.
import type { Json } from '@echelon/ground';
import { modelTables } from '../../../app/config.ts';
import { modelNames } from '../../../engine/models.ts';
import { openMemory, openServers, readInputs, secretsOfServers } from '../../../engine/engine.ts';
import { eventLine, forTerminal, oneLine, progressLine } from '../../progress.ts';
import { interruption } from '../../interrupt.ts';
import type { Settings } from '../../settings.ts';
import { openSetupModel, openSetupRuntime } from '../../task-setup.ts';
import { folderOf, type Parsed, textOf } from '../options.ts';
import { print, showingPrompts } from '../output.ts';
import { withGiven } from './repl/carry-out.ts';
import type { CommandParts } from './repl/commands.ts';
import { completed } from './repl/completion.ts';
import { converse, takeEntries } from './repl/converse.ts';
import type { Whole } from './repl/entry.ts';
import { openHistory, openTerminal, type Terminal } from './repl/terminal.ts';
import { hasFailed, type Outcome, outcomeJson, outcomeText } from './repl/outcome.ts';
import { openRepl, type Repl } from './repl/repl.ts';
import { keepingBooks } from './repl/spending.ts';
import { emptyState } from './repl/state.ts';
import { folderOptions, inputOption, mcpOption, modelOptions, setUp, type Setup } from './setup.ts';
import type { Command } from '../command.ts';

interface Plan {
  setup: Setup;
  folder: string;
  inputs: Record<string, Json>;
  given: Parsed;
}

export const repl: Command = {
  usage: 'echelon task repl [--input name=text ...] [options]',
  about: `Takes programs and expressions one after the other, from a terminal or standard input. A function is defined. Any other
task is run; its result is bound to "it" and its name (name = <task ...> names it). An expression such as draft.files > 3
is evaluated. An entry ends when its elements and brackets are closed and no operator is last. :help lists the commands.
Exit code 0: done; 1: an entry of standard input failed; 2: wrong call; 130: Ctrl-C.`,
  options: {
    input: {
      ...inputOption,
      help: 'a name bound at the start; name=@file reads a file, name:=json gives JSON',
    },
    ...modelOptions,
    ...folderOptions,
    mcp: mcpOption,
    'no-history': { type: 'boolean', help: 'does not use the history of entries' },
    json: {
      type: 'boolean',
      help: 'reads standard input, and prints a JSON line for each entry',
    },
    debug: { type: 'boolean', help: 'print events, prompts and stack traces on stderr' },
  },
  async run(given, settings) {
    const { problems } = given;
    const folder = folderOf(given, problems);
    const { inputs, problems: wrongInputs } = readInputs(given.lists['input'] ?? []);
    const { setup, problems: wrongSetup } = setUp(given, settings, folder);
    problems.push(...wrongInputs, ...wrongSetup);
    if (problems.length > 0 || !setup || folder === undefined) return { problems };
    return await sit({ setup, folder, inputs, given }, settings);
  },
};

async function sit(plan: Plan, settings: Settings): Promise<number> {
  const terminal = terminalOf(plan, settings);
  // On a terminal Ctrl-C ends what runs and not the REPL.
  const signal = terminal ? interruption(['SIGTERM', 'SIGHUP']) : interruption();
  const { repl: open, close } = await openOver(plan, settings, signal, terminal);
  try {
    if (!terminal) return (await takeEntries(open, process.stdin, telling(plan), signal)) ? 0 : 1;
    terminal.complete = line => completed(line, open);
    terminal.show('Programs and expressions of the task language; :help says how, Ctrl-D leaves.');
    await converse(open, terminal, signal);
    return 0;
  } finally {
    terminal?.close();
    await close();
  }
}

/** Undefined where the entries come from elsewhere. */
function terminalOf({ given: { values }, setup: { mask } }: Plan, settings: Settings): Terminal | undefined {
  if (!process.stdin.isTTY || values['json'] === true) return undefined;
  const note = (text: string) => void process.stderr.write(`${oneLine(text)}\n`);
  return openTerminal({
    input: process.stdin,
    output: process.stdout.isTTY ? process.stdout : process.stderr,
    signals: process,
    history: values['no-history'] === true ? { lines: [], add() {} } : openHistory(settings.state, note),
    mask,
  });
}

function telling({ given, setup: { mask } }: Plan) {
  const isJson = given.values['json'] === true;
  let count = 0;
  return async (outcome: Outcome, { line }: Whole): Promise<void> => {
    count++;
    if (isJson) return await print(mask(JSON.stringify({ entry: count, line, ...outcomeJson(outcome) })));
    const { answer, told } = outcomeText(outcome);
    if (answer !== undefined) await print(forTerminal(mask(answer)));
    if (told !== undefined) console.error(mask(forTerminal(told)));
    if (hasFailed(outcome)) console.error(`entry ${count} failed (line ${line} of standard input)`);
  };
}

/** `terminal`: where somebody can be asked. */
async function openOver(
  { setup, folder, inputs, given }: Plan,
  settings: Settings,
  signal: AbortSignal,
  terminal: Terminal | undefined,
): Promise<{ repl: Repl; close: () => Promise<void> }> {
  const { mask, choice, config, budget, servers } = setup;
  const isDebug = given.values['debug'] === true;
  const isQuiet = !isDebug && !process.stderr.isTTY;
  const say = (line: string) => {
    if (!isQuiet) process.stderr.write(`${mask(oneLine(line))}\n`);
  };
  const { model } = await openSetupModel(setup, '--budget');
  const { model: booked, spending } = keepingBooks(model);
  const asked = isDebug ? showingPrompts(booked, text => process.stderr.write(`${mask(text)}\n`)) : booked;
  let named = setup.models;
  const allowScripts = given.values['allow-scripts'] === true;
  const indexed = textOf(given, 'folder');
  const runtime = openSetupRuntime({ ...setup, models: (name, task) => named(name, task) }, asked, {
    ...{ folder, allowScripts, host: settings, scope: 'repl' },
    secretsPresent: choice.provider !== 'scripted' || secretsOfServers(servers).length > 0,
    source: openServers(servers, { ...settings, mask, onNote: line => say(line) }),
    ...(terminal && { ask: terminal.ask }),
    ...(indexed !== undefined && { memory: openMemory({ folder }, { signal, onNote: say }) }),
    onEvent(event) {
      const line = progressLine(event);
      if (line !== undefined) say(line);
      if (isDebug) say(`event ${eventLine(event)}`);
    },
  });
  const parts: CommandParts = {
    ...{ library: setup.library, settings: setup.settings, runtime, allowScripts },
    ...{ ask: terminal?.ask, spending, budget, indexed },
    tell: line => void process.stderr.write(`${mask(oneLine(line))}\n`),
    failed(error) {
      if (isDebug && error instanceof Error)
        process.stderr.write(`${mask(forTerminal(error.stack ?? error.message))}\n`);
    },
    models: {
      told: () =>
        choice.provider === 'scripted'
          ? `the replies of ${choice.file} are played`
          : named(undefined, 'task'),
      choose(name) {
        if (choice.provider === 'scripted')
          throw new Error(`the replies of ${choice.file} are played, whatever model is named`);
        const chosen = modelNames(modelTables(config), name);
        chosen(name, 'task');
        named = chosen;
      },
    },
  };
  const begin = Object.entries(inputs).reduce(
    (state, [name, value]) => withGiven(state, name, value),
    emptyState,
  );
  return { repl: openRepl(parts, begin), close: () => runtime.close() };
}
