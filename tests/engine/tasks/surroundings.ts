// Surroundings for evaluating programs in tests: a session seam that answers at once and keeps what it was asked.
import { formatProblem } from '../../../src/engine/language/problem.ts';
import { parseProgram } from '../../../src/engine/language/program.ts';
import { nothingSpent, TaskError } from '../../../src/engine/language/result.ts';
import type { Task } from '../../../src/engine/language/ast.ts';
import type { Json } from '../../../packages/ground/lib/json.ts';
import type { SessionOutcome, SessionRequest } from '../../../src/engine/reasoning/request.ts';
import {
  type Evaluated,
  evaluate,
  type EvaluateOptions,
  type TaskEvent,
} from '../../../src/engine/tasks/evaluate.ts';
import { stillClock } from '../../ground/lib/clocks.ts';
import { usage } from '../reasoning/model.ts';

export function parsed(source: string): Task {
  const { program, problems } = parseProgram(source, 'test.xml');
  if (!program) throw new Error(problems.map(formatProblem).join('\n'));
  return program;
}

export function outcome(text: string, more: Partial<SessionOutcome> = {}): SessionOutcome {
  return { text, messages: [], turns: 1, usage, cost_usd: 0.25, stop: 'end', tools: [], ...more };
}

type Answer = string | Partial<SessionOutcome> | Error;

export interface Ran {
  result: Promise<Evaluated>;
  requests: SessionRequest[];
  events: TaskEvent[];
}

/** Evaluates `source`; `answer` plays every session by its task's name and how often it was asked before. */
export function evaluating(
  source: string | Task,
  inputs: Record<string, Json>,
  answer: (task: string, n: number, request: SessionRequest) => Answer | Promise<Answer>,
  more: Partial<EvaluateOptions> = {},
): Ran {
  const requests: SessionRequest[] = [];
  const events: TaskEvent[] = [];
  const result = evaluate(typeof source === 'string' ? parsed(source) : source, inputs, {
    session: async request => {
      const n = requests.filter(each => each.task === request.task).length;
      requests.push(request);
      request.meter?.call(nothingSpent);
      const played = await answer(request.task, n, request);
      if (played instanceof Error) throw played;
      return typeof played === 'string' ? outcome(played) : outcome('', played);
    },
    tools: [],
    settings: { test_command: 'npm test', rounds: '5' },
    models: name => name ?? 'default-model',
    key: 'k',
    scope: 's',
    clock: stillClock(),
    signal: new AbortController().signal,
    onEvent: event => events.push(event),
    ...more,
  });
  return { result, requests, events };
}

export async function failed(promise: Promise<unknown>): Promise<TaskError> {
  const error = await promise.then(
    value => new Error(`it did not fail: ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (error instanceof TaskError) return error;
  throw error;
}

export const verdict =
  '<output name="success" type="boolean"/><output name="feedback" type="string" nullable="true"/>';
