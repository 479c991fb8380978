// A person at a terminal: a line with a prompt and what was entered before; questions; Ctrl-C.
import { clearScreenDown, createInterface, cursorTo } from 'node:readline';
import { forTerminal } from '../../../progress.ts';
import type { AskOnTerminal } from '../../ask-terminal.ts';

export interface TerminalParts {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
}

export interface Terminal {
  /** The next line, one that came early first; undefined: the input ended. Throws the signal's reason. */
  line(prompt: string, signal: AbortSignal): Promise<string | undefined>;
  ask: AskOnTerminal;
  /** Shows lines that may be anybody's text. */
  show(text: string): void;
  /** What Ctrl-C does; it gets what is written on the line, which is dropped. A line that waits is asked for anew by it. */
  onInterrupt(act: (written: string) => void): void;
  close(): void;
}

/** Takes a line, or the end of the input. */
type Taker = (line: string | undefined) => void;

export function openTerminal({ input, output }: TerminalParts): Terminal {
  const reader = createInterface({ input, output, terminal: true, historySize: 1000 });
  const early: string[] = [];
  let hasEnded = false;
  let taker: Taker | undefined;
  /** Questions of sessions side by side are put one after the other. */
  let before: Promise<unknown> = Promise.resolve();

  reader.on('line', line => {
    const takes = taker;
    taker = undefined;
    if (takes) takes(line);
    else early.push(line);
  });
  reader.on('close', () => {
    hasEnded = true;
    taker?.(undefined);
  });

  const next = async (prompt: string, signal: AbortSignal): Promise<string | undefined> => {
    signal.throwIfAborted();
    if (hasEnded) return undefined;
    reader.setPrompt(prompt);
    reader.prompt(true);
    const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
    const abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    taker = resolve;
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', abort);
      taker = undefined;
    }
  };
  const show = (text: string) => {
    // In the place of a prompt that waits.
    if (taker) {
      cursorTo(output, 0);
      clearScreenDown(output);
    }
    output.write(`${forTerminal(text)}\n`);
  };

  return {
    show,
    line: async (prompt, signal) => early.shift() ?? (await next(prompt, signal)),
    ask(question, signal) {
      const answer = before.then(async () => {
        show(question);
        const line = await next('? ', signal);
        if (line === undefined) throw new Error('the input ended');
        return line;
      });
      before = answer.catch(() => {});
      return answer;
    },
    onInterrupt: act =>
      void reader.on('SIGINT', () => {
        const written = reader.line;
        output.write('^C\n');
        // To the end of the line, and all of it away.
        reader.write(null, { ctrl: true, name: 'e' });
        reader.write(null, { ctrl: true, name: 'u' });
        act(written);
      }),
    close: () => reader.close(),
  };
}
