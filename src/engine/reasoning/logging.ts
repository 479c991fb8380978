// A middleware that tells each hook in a line.
import type { Middleware } from './middleware.ts';

/** Characters of a line; an error can be as long as a reply. */
const LINE_CHARS = 300;

/** `write` gets one line for each hook, without a line end in it. */
export function logging(write: (line: string) => void): Middleware {
  const line = (text: string) => write(text.slice(0, LINE_CHARS).replace(/\s+/g, ' ').toWellFormed());
  return {
    name: 'logging',
    preIteration(context) {
      line(`iteration ${context.n} begins with ${context.messages.length} messages`);
      return context;
    },
    postIteration({ n, state, operations, errors, ms }) {
      line(
        `iteration ${n} ${state}: ${operations} operations, ${errors.length} errors, ${Math.round(ms)} ms`,
      );
    },
    preExecution(code) {
      line(`an execution of ${code.length} characters begins`);
      return code;
    },
    postExecution({ id, state, attempts, ms }) {
      line(`${id} ${state}: ${attempts} attempts, ${Math.round(ms)} ms`);
    },
    onError(error) {
      line(`error: ${error}`);
    },
  };
}
