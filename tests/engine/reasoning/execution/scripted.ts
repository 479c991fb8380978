// A sandbox that answers outcomes from a list, and a clock that waits at once and writes down how long.
import type { Clock } from '../../../../packages/ground/lib/clock.ts';
import type { ExecutionEvent } from '../../../../src/engine/reasoning/events.ts';
import {
  createExecutor,
  type ExecutionRequest,
  type ExecutorParts,
} from '../../../../src/engine/reasoning/execution/executor.ts';
import { emptyStores, type Stores } from '../../../../src/engine/reasoning/stores.ts';
import type { Sandbox, SandboxOutcome, SandboxRequest } from '../../../../src/engine/sandbox/sandbox.ts';

const ran = { console: [], omittedOutput: { lines: 0, chars: 0 }, missingReads: [], ms: 4.2 };

type Rest = Partial<Pick<SandboxOutcome, 'console' | 'missingReads' | 'ms'>>;

export const returns = (value: string, rest: Rest = {}): SandboxOutcome => ({
  ...ran,
  status: 'completed',
  value,
  valueKind: 'json',
  writes: [],
  ...rest,
});

export const throws = (name: string, message: string, rest: Rest & { line?: number; code?: string } = {}) => {
  const { line, code, ...others } = rest;
  const error = { name, message, ...(line !== undefined && { line }), ...(code !== undefined && { code }) };
  return { ...ran, ...others, status: 'failed', error } satisfies SandboxOutcome;
};

const late = { name: 'TimeoutError', message: 'the code ran longer than its 10 ms' };

/** While it waited for a timer. */
export const timesOut = (): SandboxOutcome => ({
  ...ran,
  status: 'timeout',
  error: { ...late, waited: true },
});

/** While it computed. */
export const loops = (): SandboxOutcome => ({ ...ran, status: 'timeout', error: late });

/** Plays `outcomes` in order; one that is not there is a rejection. */
export function scriptedSandbox(outcomes: readonly SandboxOutcome[]) {
  const requests: SandboxRequest[] = [];
  const sandbox: Sandbox = {
    async run(request) {
      requests.push(request);
      const outcome = outcomes[requests.length - 1];
      if (!outcome) throw new Error(`there is no outcome ${requests.length}`);
      return outcome;
    },
    ready: async () => {},
    close: async () => {},
  };
  return { sandbox, requests };
}

export function recordingClock() {
  let time = 1000;
  const waits: number[] = [];
  const clock: Clock = {
    now: () => time,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      waits.push(ms);
      time += ms;
    },
  };
  return { clock, waits };
}

/** Executes one piece of code over a script of outcomes. */
export async function play(
  outcomes: readonly SandboxOutcome[],
  { code = 'run()', ...given }: Partial<ExecutorParts & ExecutionRequest> & { code?: string } = {},
) {
  const { sandbox, requests } = scriptedSandbox(outcomes);
  const { clock, waits } = recordingClock();
  const events: ExecutionEvent[] = [];
  const executor = createExecutor({
    sandbox,
    clock,
    random: () => 0.5,
    onEvent: each => events.push(each),
    ...given,
  });
  const { signal } = new AbortController();
  const done = await executor.execute(code, {
    id: 'x1',
    stores: emptyStores,
    signal,
    startedBy: 'model',
    ...given,
  });
  return { ...done, requests, waits, events, executor };
}

/** Stores whose vault has entries of these ids. */
export const vaultOf = (...ids: string[]): Stores => ({
  ...emptyStores,
  vault: ids.map(id => ({ id, type: 'text', description: '', content: id, createdAt: 1, updatedAt: 1 })),
});
