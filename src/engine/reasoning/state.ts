// State of a session at one moment: plain JSON, so that it can be journalled and resumed in another process.
import { z } from 'zod';
import type { Resource, Spent } from '../language/result.ts';
import type { ModelMessage, ModelPart } from '../models/model.ts';
import type { ExecutionRecord } from './execution/record.ts';
import type { Health } from './health.ts';
import type { Iteration } from './iteration.ts';
import type { Activity, OperationOutcome } from './operation.ts';
import type { SoundReply } from './sound-reply.ts';
import type { Stores } from './stores.ts';

/** Limits that a model is warned about: a session's resources, and money in cents. */
export type Limited = Resource | 'cents';

export type SessionStatus = 'created' | 'active' | 'paused' | 'completed' | 'failed' | 'stopped';

/** From each status to those that may follow it. */
export const sessionTransitions: Readonly<Record<SessionStatus, readonly SessionStatus[]>> = {
  created: ['active'],
  active: ['paused', 'completed', 'failed', 'stopped'],
  paused: ['active', 'stopped'],
  completed: [],
  failed: [],
  stopped: [],
};

export interface SessionCounts {
  iterations: number;
  operations: number;
  executionsOk: number;
  executionsFailed: number;
  errors: number;
  contextCleanings: number;
  compactions: number;
  /** Asked of a person; each counts as a turn. */
  questions: number;
}

/** Iterations, executions and rows of the activity log that a state keeps. */
export const kept = { iterations: 50, executions: 100, activity: 500 } as const;

export interface SessionState {
  version: 1;
  status: SessionStatus;
  messages: ModelMessage[];
  /** Index of the message with the task's prompt; those before it are a continued conversation. */
  promptAt: number;
  /** The last part of the first of them is the summary of what stood there before. */
  summarised?: true;
  /** Of the conversation that is gone on with: a line for each message that a summary took the place of. */
  earlier?: string[];
  /** Answers that came after the session had paused. */
  heard?: number;
  /** Questions to the person, with the answers. */
  answers?: { question: string; answer: string }[];
  stores: Stores;
  /** The value of the last execution that completed, as JSON text. */
  lastResult?: string;
  iterations: Iteration[];
  executions: ExecutionRecord[];
  activity: Activity[];
  counts: SessionCounts;
  /** Calls of the task's tools before this process. */
  tools?: { name: string; ok: boolean; error?: string }[];
  /** Limits of which it was told that they are nearly used up. */
  warned?: Limited[];
  health: Health;
  spent: Spent;
  /** Milliseconds of active time before this process. */
  activeMs: number;
  /** Iterations with errors in a row. */
  errorsInRow: number;
  /** Replies in a row that held nothing. */
  emptyInRow: number;
  /** Models that replied instead of the requested one, with the reason; each once. */
  instead?: string[];
  /** Replies in a row that were cut off at the output limit, and their text together. */
  cut?: { times: number; text: string };
  /** Ids that code or operations asked for in vain since the last cleaning. */
  missing: string[];
  /** All goals were finished and the final output was asked for. */
  askedForFinal: boolean;
  /** The reply before held nothing but tags that stand as text, and the model was asked about them. */
  askedAboutTags?: true;
  /** A final output was not taken, and another one asked for. */
  askedAgain?: true;
  /** Tokens that the provider counted at the last call, and the number of messages counted. */
  counted?: { tokens: number; messages: number };
  /**
   * A reply that was carried out in part, saved since that part reaches outside: what the first of its operations came
   * to, its final output not counted, and the stores before it. Whoever goes on does so with the next operation.
   */
  underway?: { reply: SoundReply; iteration: Iteration; outcomes: OperationOutcome[]; before: Stores };
  /**
   * The question that an answer is awaited for, the call that asked it (without one it was a tag), and what else is
   * said with the answer.
   */
  pending?: { question: string; call?: string; parts: ModelPart[] };
}

/** Checked no further than this: a forged state could do no more than the session itself. */
const State = z.looseObject({
  version: z.literal(1, {
    error: ({ input }) => `it is of version ${String(input)}, and only 1 can be gone on with`,
  }),
  status: z.enum(['active', 'paused']),
  messages: z.array(z.looseObject({ role: z.string(), content: z.array(z.looseObject({})) })).min(1),
  activeMs: z.number().nonnegative(),
  pending: z.looseObject({ question: z.string(), parts: z.array(z.looseObject({})) }).optional(),
});

/** True if it is a saved session of this program. */
export const isState = (saved: unknown): boolean => State.safeParse(saved).success;

/** A copy of a saved session. Throws TypeError with what is wrong with it. */
export function readState(saved: unknown): SessionState {
  const read = State.safeParse(saved);
  if (!read.success)
    throw new TypeError(
      `the saved session cannot be gone on with: ${read.error.issues[0]?.message}; start it anew`,
    );
  return structuredClone(saved) as SessionState;
}

export interface SessionSummary {
  /** The task's name and the session's key. */
  task: string;
  key: string;
  status: string;
  iterations: number;
  operations: number;
  health: 'healthy' | 'degraded' | 'critical';
  /** The last five executions of JavaScript. */
  executions: { state: string; ms: number; result: string }[];
  errors: number;
  /** Models that replied instead of the requested one, with the reason. */
  instead?: string[];
  cost_usd: number;
  ms: number;
}

/** Summaries that are kept with a run. */
export const KEPT_SESSIONS = 50;
