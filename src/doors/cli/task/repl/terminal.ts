// A person at a terminal: a line with a prompt, completion and what was entered before; questions; Ctrl-C.
import { clearScreenDown, createInterface, cursorTo } from 'node:readline';
import { forTerminal } from '../../../progress.ts';
import { inTurn, Lines } from '../../ask-terminal.ts';
import { appendFileSync, chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '@echelon/ground';

interface TerminalParts {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
  /** Tell of a SIGINT that does not come from the keyboard. */
  signals: NodeJS.EventEmitter;
  history: History;
  /** Takes secrets out of what is shown and kept. */
  mask: (text: string) => string;
}

export type Terminal = ReturnType<typeof openTerminal>;

export function openTerminal({ input, output, signals, history, mask }: TerminalParts) {
  const reader = createInterface({
    ...{ input, output, history: [...history.lines] },
    completer: (line: string) => terminal.complete(line),
    terminal: true,
    historySize: history.lines.length + 1000,
  });
  const lines = new Lines(reader);
  let promptNow = () => '';
  const showPrompt = () => {
    reader.setPrompt(promptNow());
    reader.prompt(true);
  };
  const next = async (prompt: () => string, signal: AbortSignal): Promise<string | undefined> => {
    signal.throwIfAborted();
    promptNow = prompt;
    if (!lines.hasEnded) showPrompt();
    return await lines.next(signal);
  };

  const terminal = {
    /** Shows lines that may be anybody's text. */
    show(text: string): void {
      // In the place of a prompt that waits.
      if (lines.isAwaited) {
        cursorTo(output, 0);
        clearScreenDown(output);
      }
      output.write(`${forTerminal(mask(text))}\n`);
    },
    /** The next line, one that came early first; undefined: the input ended. Throws the signal's reason. */
    async line(prompt: () => string, signal: AbortSignal): Promise<string | undefined> {
      const line = lines.early.shift() ?? (await next(prompt, signal));
      if (line !== undefined) history.add(mask(line));
      return line;
    },
    ask: inTurn(async (question, signal) => {
      terminal.show(question);
      const line = await next(() => '? ', signal);
      if (line === undefined) throw new Error('the input ended');
      return line;
    }),
    /** Sets the handler of Ctrl-C. It receives the text on the line, which is dropped; a pending prompt is shown again. */
    onInterrupt(act: (written: string) => void): void {
      const interrupt = () => {
        const written = reader.line;
        output.write('^C\n');
        // To the end of the line, and all of it away.
        reader.write(null, { ctrl: true, name: 'e' });
        reader.write(null, { ctrl: true, name: 'u' });
        act(written);
        if (lines.isAwaited) showPrompt();
      };
      for (const source of [reader, signals]) source.on('SIGINT', interrupt);
    },
    /** The completions that Tab offers for the line, and the end of the line that they replace. */
    complete: (line: string): [string[], string] => [[], line],
    close: () => reader.close(),
  };
  return terminal;
}

/** Lines that are kept. */
const MOST = 1000;

type History = ReturnType<typeof openHistory>;

/** `folder`: made where it is not there. `tell`: why nothing is kept, once. The newest line is the first, as for readline. */
export function openHistory(folder: string, tell: (problem: string) => void) {
  const file = join(folder, 'task-repl-history');
  let lines: string[] = [];
  let isKept = true;
  const attempt = (act: () => void) => {
    try {
      if (isKept) act();
    } catch (error) {
      isKept = false;
      tell(`the history is not kept: ${file} (${codeOf(error) ?? String(error)})`);
    }
  };
  attempt(() => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    appendFileSync(file, '', { mode: 0o600 });
    // It may have been made readable to others.
    chmodSync(file, 0o600);
    const all = readFileSync(file, 'utf8').split('\n').filter(Boolean);
    lines = all.slice(-MOST);
    if (all.length > MOST) writeFileSync(file, `${lines.join('\n')}\n`);
  });
  return {
    lines: lines.toReversed(),
    add(line: string): void {
      if (line.trim() !== '') attempt(() => appendFileSync(file, `${line}\n`));
    },
  };
}
