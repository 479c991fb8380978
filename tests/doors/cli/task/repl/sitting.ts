// A sitting at the REPL over streams in memory: the scripted model, the product's library, nothing of the machine.
import { EventEmitter, once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { guarded } from '../../../../../src/engine/models/guarded-model.ts';
import { modelNames } from '../../../../../src/engine/models/names.ts';
import type { ScriptReply } from '../../../../../src/engine/models/script.ts';
import { scriptedModel } from '../../../../../src/engine/models/scripted.ts';
import { libraryOf, defaultTaskConfig, programSettings } from '../../../../../src/doors/folder-library.ts';
import { openRuntime } from '../../../../../src/engine/runtime/runtime.ts';
import { systemClock } from '../../../../../packages/ground/lib/clock.ts';
import type { CommandParts } from '../../../../../src/doors/cli/task/repl/commands.ts';
import { completed } from '../../../../../src/doors/cli/task/repl/completion.ts';
import { converse, takeEntries } from '../../../../../src/doors/cli/task/repl/converse.ts';
import { type Outcome, outcomeJson, outcomeText } from '../../../../../src/doors/cli/task/repl/outcome.ts';
import { openRepl } from '../../../../../src/doors/cli/task/repl/repl.ts';
import { keepingBooks } from '../../../../../src/doors/cli/task/repl/spending.ts';
import { openTerminal, type Terminal } from '../../../../../src/doors/cli/task/repl/terminal.ts';

export interface SittingOptions {
  replies?: readonly ScriptReply[];
  /** USD. */
  budget?: number;
}

const { library } = libraryOf([]);
const { settings, reasoning } = programSettings(defaultTaskConfig());
const mask = (text: string) => text.replaceAll('hunter2', '***');
export const never = new AbortController().signal;

export function replOver({ replies = [], budget = 5 }: SittingOptions, terminal?: Terminal) {
  const played = scriptedModel({ version: 1, replies: [...replies] }, { clock: systemClock });
  const within = guarded(played, { clock: systemClock }).within({
    most: budget,
    remedy: 'give more with --budget',
  });
  const { model, spending } = keepingBooks(within);
  const told: string[] = [];
  let models = modelNames({ models: {}, rows: {} });
  const runtime = openRuntime({
    ...{ model, settings, scope: 'repl', reasoning, secretsPresent: false },
    models: (name, task) => models(name, task),
    host: { temporary: '/nowhere', path: '', allows: { isolationNone: false, network: false } },
    ...(terminal && { ask: terminal.ask }),
  });
  const parts: CommandParts = {
    ...{ library, settings, runtime, allowScripts: false, ask: terminal?.ask, spending, budget },
    indexed: undefined,
    failed() {},
    tell: line => (terminal ? terminal.show(line) : void told.push(line)),
    models: {
      told: () => models(undefined, 'task'),
      choose(name) {
        const chosen = modelNames({ models: {}, rows: {} }, name);
        chosen(name, 'task');
        models = chosen;
      },
    },
  };
  return { repl: openRepl(parts), told, close: () => runtime.close() };
}

/**
 * Results of piped entries. `texts`: answers and messages of each, in order; `told`: messages before something ran.
 */
export async function piped(input: string | readonly Uint8Array[], options: SittingOptions = {}) {
  const { repl, told, close } = replOver(options);
  const outcomes: Outcome[] = [];
  const bytes = typeof input === 'string' ? [Buffer.from(input)] : input;
  try {
    const isGood = await takeEntries(
      repl,
      Readable.from(bytes),
      async outcome => void outcomes.push(outcome),
      never,
    );
    const texts = outcomes.map(outcome => {
      const { answer, told: beside } = outcomeText(outcome);
      return [answer, beside].filter(each => each !== undefined).join('\n');
    });
    return { isGood, outcomes, texts, json: outcomes.map(outcomeJson), told };
  } finally {
    await close();
  }
}

/** A dialogue with somebody at a terminal. */
export async function sitting(options: SittingOptions = {}) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  output.setEncoding('utf8');
  let shown = '';
  output.on('data', (text: string) => {
    shown += text;
  });
  const kept: string[] = [];
  const history = { lines: [], add: (line: string) => void kept.push(line) };
  const terminal = openTerminal({ input, output, signals: new EventEmitter(), history, mask });
  const over = replOver(options, terminal);
  terminal.complete = line => completed(line, over.repl);
  const ended = converse(over.repl, terminal, never).finally(async () => {
    terminal.close();
    await over.close();
  });
  return {
    kept,
    ended,
    write: (text: string) => void input.write(text),
    /** Resolves with what was shown since it was last asked, once that fits. */
    async shows(pattern: RegExp): Promise<string> {
      for (;;) {
        const text = stripVTControlCharacters(shown);
        const found = pattern.exec(text);
        if (found) {
          shown = '';
          return text;
        }
        await once(output, 'data', { signal: AbortSignal.timeout(5000) }).catch(() => {
          throw new Error(`${pattern} was not shown: ${JSON.stringify(text)}`);
        });
      }
    },
    raw: () => shown,
  };
}
