// Models' questions to the person at the terminal: one after another, each with a line of its own.
import { createInterface, type Interface } from 'node:readline';
import { forTerminal } from '../progress.ts';

/** Asks; answers the line that is typed. Throws where the input ended, and the signal's reason. */
export type AskOnTerminal = (question: string, signal: AbortSignal) => Promise<string>;

/** All questions over one `input`: a line that came early stays for the next. `output`: stdout is for the result. */
export function openQuestions(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): AskOnTerminal {
  // Not as a terminal: Ctrl-C stays the process's own signal.
  const reader = createInterface({ input, terminal: false });
  const lines = new Lines(reader);
  return inTurn(async (question, signal) => {
    signal.throwIfAborted();
    output.write(`${forTerminal(question)}\n> `);
    const early = lines.early.shift();
    if (early !== undefined) return early;
    if (!lines.hasEnded) reader.resume();
    // While nobody asks, an open input must not keep the process.
    const line = await lines.next(signal).finally(() => lines.hasEnded || reader.pause());
    if (line === undefined) throw new Error('the question was not answered: the input ended');
    return line;
  });
}

/** Asks the next when the one before has its end, which is told to who asked it. */
export function inTurn(ask: AskOnTerminal): AskOnTerminal {
  let before: Promise<unknown> = Promise.resolve();
  return (question, signal) => {
    const answer = before.then(() => ask(question, signal));
    before = answer.catch(() => {});
    return answer;
  };
}

/** The lines of a reader, each for who waits for it. */
export class Lines {
  /** Those for which nobody waited. */
  readonly early: string[] = [];
  #taker: ((line: string | undefined) => void) | undefined;
  hasEnded = false;

  constructor(reader: Interface) {
    reader.on('line', line => {
      const taker = this.#taker;
      // The line after it may come in the same piece of input.
      this.#taker = undefined;
      if (taker) taker(line);
      else this.early.push(line);
    });
    reader.on('close', () => {
      this.hasEnded = true;
      this.#taker?.(undefined);
    });
  }

  get isAwaited(): boolean {
    return this.#taker !== undefined;
  }

  /** The next to come; undefined: the input ended. Throws the signal's reason. */
  async next(signal: AbortSignal): Promise<string | undefined> {
    signal.throwIfAborted();
    if (this.hasEnded) return undefined;
    const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
    const abort = () => {
      this.#taker = undefined;
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', abort, { once: true });
    this.#taker = resolve;
    return await promise.finally(() => signal.removeEventListener('abort', abort));
  }
}

let questions: AskOnTerminal | undefined;

/** The line that is typed for the question; every question of the process waits for its turn. */
export const askOnTerminal: AskOnTerminal = (question, signal) => {
  questions ??= openQuestions(process.stdin, process.stderr);
  return questions(question, signal);
};
