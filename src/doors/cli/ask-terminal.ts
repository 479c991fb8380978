// Models' questions to the person at the terminal: one after another, each with a line of its own.
import { createInterface, type Interface } from 'node:readline';
import { forTerminal } from '../progress.ts';

/** Asks; answers the line that is typed. Throws where the input ended, and the signal's reason. */
export type AskOnTerminal = (question: string, signal: AbortSignal) => Promise<string>;

/**
 * All questions of one run over one `input`: the next is shown when the one before has its line, and a line that came
 * early stays for it. `close` lets go of the input. What is shown goes to `output`: stdout is for the result.
 */
export function openQuestions(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): { ask: AskOnTerminal; close(): void } {
  let lines: Interface | undefined;
  let ended = false;
  const early: string[] = [];
  let waiting: { line(text: string): void; end(): void } | undefined;
  let before: Promise<unknown> = Promise.resolve();

  function open(): void {
    if (lines) {
      lines.resume();
      return;
    }
    // Not as a terminal: Ctrl-C stays the process's own signal.
    lines = createInterface({ input, terminal: false });
    lines.on('line', text => {
      const taker = waiting;
      // The line after it may come in the same piece of input.
      waiting = undefined;
      if (taker) taker.line(text);
      else early.push(text);
    });
    lines.on('close', () => {
      ended = true;
      waiting?.end();
    });
  }

  async function next(question: string, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    output.write(`${forTerminal(question)}\n> `);
    if (!ended) open();
    const known = early.shift();
    if (known !== undefined) return known;
    const gone = () => new Error('the question was not answered: the input ended');
    if (ended) throw gone();
    let abort = () => {};
    try {
      return await new Promise<string>((resolve, reject) => {
        abort = () => reject(signal.reason as Error);
        signal.addEventListener('abort', abort, { once: true });
        waiting = { line: resolve, end: () => reject(gone()) };
      });
    } finally {
      signal.removeEventListener('abort', abort);
      waiting = undefined;
      // While nobody asks, an open input must not keep the process.
      if (!ended) lines?.pause();
    }
  }

  return {
    ask(question, signal) {
      const answer = before.then(() => next(question, signal));
      // Told to who asked; the next question only waits for its end.
      before = answer.catch(() => {});
      return answer;
    },
    close: () => lines?.close(),
  };
}

let questions: ReturnType<typeof openQuestions> | undefined;

/** The line that is typed for the question; every question of the process waits for its turn. */
export const askOnTerminal: AskOnTerminal = (question, signal) => {
  questions ??= openQuestions(process.stdin, process.stderr);
  return questions.ask(question, signal);
};
