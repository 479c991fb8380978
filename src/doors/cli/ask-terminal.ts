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
  const lines = new Lines(input);
  let before: Promise<unknown> = Promise.resolve();
  return {
    ask(question, signal) {
      const answer = before.then(() => {
        signal.throwIfAborted();
        output.write(`${forTerminal(question)}\n> `);
        return lines.next(signal);
      });
      // Told to who asked; the next question only waits for its end.
      before = answer.catch(() => {});
      return answer;
    },
    close: () => lines.close(),
  };
}

/** Lines of an input that is read only while somebody waits for one. */
class Lines {
  readonly #input: NodeJS.ReadableStream;
  #reader: Interface | undefined;
  #ended = false;
  readonly #early: string[] = [];
  #waiting: { line(text: string): void; end(): void } | undefined;

  constructor(input: NodeJS.ReadableStream) {
    this.#input = input;
  }

  /** Throws where the input ended, and the signal's reason. */
  async next(signal: AbortSignal): Promise<string> {
    if (!this.#ended) this.#open();
    const known = this.#early.shift();
    if (known !== undefined) return known;
    const gone = () => new Error('the question was not answered: the input ended');
    if (this.#ended) throw gone();
    let abort = () => {};
    try {
      return await new Promise<string>((resolve, reject) => {
        abort = () => reject(signal.reason as Error);
        signal.addEventListener('abort', abort, { once: true });
        this.#waiting = { line: resolve, end: () => reject(gone()) };
      });
    } finally {
      signal.removeEventListener('abort', abort);
      this.#waiting = undefined;
      // While nobody asks, an open input must not keep the process.
      if (!this.#ended) this.#reader?.pause();
    }
  }

  close(): void {
    this.#reader?.close();
  }

  #open(): void {
    if (this.#reader) {
      this.#reader.resume();
      return;
    }
    // Not as a terminal: Ctrl-C stays the process's own signal.
    this.#reader = createInterface({ input: this.#input, terminal: false });
    this.#reader.on('line', text => {
      const taker = this.#waiting;
      // The line after it may come in the same piece of input.
      this.#waiting = undefined;
      if (taker) taker.line(text);
      else this.#early.push(text);
    });
    this.#reader.on('close', () => {
      this.#ended = true;
      this.#waiting?.end();
    });
  }
}

let questions: ReturnType<typeof openQuestions> | undefined;

/** The line that is typed for the question; every question of the process waits for its turn. */
export const askOnTerminal: AskOnTerminal = (question, signal) => {
  questions ??= openQuestions(process.stdin, process.stderr);
  return questions.ask(question, signal);
};
