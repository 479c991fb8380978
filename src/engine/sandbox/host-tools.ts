// Tools of the host that code may call, and how much of them one execution may use.
import { ANSWER_CHARS, CALLS_TOGETHER, ERROR_CHARS, TOOL_CALLS } from './limits.ts';

/** Result of a call: the tool's text, or an error that the code may catch. */
export type HostAnswer = { text: string } | { error: string };

/** The answer to the call that has the id. */
export type CallAnswer = { id: number } & HostAnswer;

export interface HostTools {
  /** Each is a function of `tools` in the code. */
  names: readonly string[];
  /** `input`: JSON. What it throws ends the execution. `signal` aborts when nobody waits for the answer any more. */
  call(name: string, input: string, signal: AbortSignal): Promise<HostAnswer>;
}

/** `HostTools` of one execution: its bounds hold over all attempts at it. */
export interface BoundTools extends HostTools {
  /** Calls that may still be made. */
  left(): number;
}

export function boundTools({ names, call }: HostTools): BoundTools {
  let calls = 0;
  let chars = 0;
  // Each call waits for the one that is so many before it.
  const lanes: Promise<unknown>[] = Array.from({ length: CALLS_TOGETHER }, () => Promise.resolve());
  return {
    names,
    left: () => TOOL_CALLS - calls,
    async call(name, input, signal) {
      const lane = calls % CALLS_TOGETHER;
      calls += 1;
      const answered = Promise.resolve(lanes[lane]).then(async () => {
        signal.throwIfAborted();
        return await call(name, input, signal);
      });
      lanes[lane] = answered.catch(() => {});
      const answer = shortened(await answered);
      const { length } = 'text' in answer ? answer.text : answer.error;
      // A result that is withheld does not count against later calls.
      if (chars + length > ANSWER_CHARS)
        return { error: `the answers of one execution's calls hold ${ANSWER_CHARS} characters at most` };
      chars += length;
      return answer;
    },
  };
}

/** An error is for the code to tell, not to work on: of a long one the beginning. */
function shortened(answer: HostAnswer): HostAnswer {
  if (!('error' in answer) || answer.error.length <= ERROR_CHARS) return answer;
  const { error } = answer;
  return { error: `${error.slice(0, ERROR_CHARS)} [cut off: ${error.length} characters]`.toWellFormed() };
}
