// The end of a task: a result, or an error that is data.
import type { Json } from '@echelon/ground';
import type { TemplateRef } from './ast.ts';
import { allWarnings, placeOf, type Position } from './problem.ts';

export interface TaskResult {
  status: 'COMPLETE' | 'CONTINUATION' | 'FAILED';
  content: string;
  /** The result as data, where content and outputs do not say it: the list of a map, a number returned. */
  value?: Json;
  /** The content is what a model wrote. */
  reply?: true;
  /** The criteria that the model names for its result. */
  criteria?: string;
  /** Declared outputs, of their declared types. */
  outputs: Record<string, Json>;
  notes: Notes;
}

export interface Notes {
  dataUsage: Spent;
  warnings: string[];
  /** Of a director-evaluator: how many of the director's results were judged; 1 = content at once. */
  rounds?: number;
  evaluation?: Evaluation;
  /** The last outcome of its script; absent when there is none or its command is empty. */
  script?: ScriptOutcome;
  /** Of a sequence, a reduce, a failed map: what each part ended with, as far as they were finished. */
  steps?: { step: string; result: TaskResult }[];
  /**
   * In an entry of `steps` that has parts itself, their names in place of its own `steps`: an inner sequence has
   * `substeps: ['a', 'b']`, and what `a` and `b` ended with is not kept.
   */
  substeps?: string[];
  /** Of an error: the step, element or input that failed; `outer/inner` where it is a part of a part. */
  failed?: string;
  /** Of a task that failed and was tried in another way: the tries before, in their order. */
  attempts?: FailedTry[];
  /** Of a task with candidates: which was taken, why, and what each came to. */
  candidates?: CandidatesTold;
  /** The template of the library that the task is. */
  template?: TemplateRef;
  /** Of a request in words that no registered task fits: the program that was written for it. */
  program?: string;
  /** Of a failed model session: what had been written when it was cut off or refused. */
  partial?: string;
  /** The notes that the model itself wrote. Never mixed with the rest: it may claim anything. */
  model?: Readonly<Record<string, Json>>;
}

/** The choice of the best of several candidates. */
export interface CandidatesTold {
  /** From 1, as `each` has them; 0: all were lost. */
  taken: number;
  /**
   * `only`: no other was left. `alike`: all that were left came to the same. `ranked`: by the evaluator. `agreed`: most of
   * them came to it. `smallest`: nothing else told them apart. `none`: all were lost.
   */
  why: 'only' | 'alike' | 'ranked' | 'agreed' | 'smallest' | 'none';
  /** Of `ranked`: the evaluator's words. */
  said: string;
  /** `end`: a status, or the code of what it was lost by. */
  each: { end: string; cost_usd: number; turns: number }[];
}

/**
 * Notes for a task whose result is that of one of its parts, such as the last step: without the part's `template`,
 * which names what the part was taken from and says nothing of the task around it.
 */
export function withoutTemplate(notes: Notes): Notes {
  if (!notes.template) return notes;
  const { template: _, ...own } = notes;
  return own;
}

/** One way in which a task was tried, and how it failed. */
export interface FailedTry {
  /** The program that was tried: the task itself, then what was put in its place. */
  program: string;
  error: { code: string; message: string };
}

/** Data usage, summed over all model sessions of a task, those of a failed one included. */
export interface Spent {
  cost_usd: number;
  /** Model calls. */
  turns: number;
  usage: {
    input_tokens: number;
    output_tokens: number;
    cache_read_tokens: number;
    cache_write_tokens: number;
  };
  /** The time of it. Absent where nothing ran, and where an older journal does not have it. */
  times?: Times | undefined;
}

/**
 * From the start of the first session or script to the end of the last, in milliseconds since the epoch. A replay over
 * a journal has those of the first run.
 */
export interface Times {
  started: number;
  ended: number;
}

/** An evaluator's verdict over a director's result. */
export interface Evaluation {
  success: boolean;
  feedback: string | null;
  /** Further outputs of the evaluator; absent where it has none. */
  outputs?: Record<string, Json>;
}

export interface ScriptOutcome {
  exit_code: number;
  stdout: string;
  stderr: string;
  timed_out: boolean;
  /** The middle of stdout is left out: it was longer than what is kept. */
  stdout_cut?: true;
  /** Its end in words, where the exit code does not say it. */
  end?: string;
  /** Further words for an evaluator from whoever ran the script: not its output. */
  evidence?: string;
}

export const nothingSpent: Spent = {
  cost_usd: 0,
  turns: 0,
  usage: { input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0 },
};

export function addSpent(a: Spent, b: Spent): Spent {
  const sum: Spent = {
    cost_usd: a.cost_usd + b.cost_usd,
    turns: a.turns + b.turns,
    usage: addUsage(a.usage, b.usage),
  };
  const times = a.times && b.times ? spanned(a.times, b.times) : (a.times ?? b.times);
  if (times) sum.times = times;
  return sum;
}

export const sumSpent = (all: readonly (Spent | undefined)[]): Spent =>
  all.reduce<Spent>((sum, each) => (each ? addSpent(sum, each) : sum), nothingSpent);

export const addUsage = (a: Spent['usage'], b: Spent['usage']): Spent['usage'] => ({
  input_tokens: a.input_tokens + b.input_tokens,
  output_tokens: a.output_tokens + b.output_tokens,
  cache_read_tokens: a.cache_read_tokens + b.cache_read_tokens,
  cache_write_tokens: a.cache_write_tokens + b.cache_write_tokens,
});

const spanned = (a: Times, b: Times): Times => ({
  started: Math.min(a.started, b.started),
  ended: Math.max(a.ended, b.ended),
});

/** Everything that a task can run out of; a budget is in USD. */
export type Resource = 'turns' | 'context' | 'output' | 'time' | 'budget';

/** The kind of the error, with the data that a caller needs to act on it. */
export type TaskErrorDetail =
  | {
      code: 'RESOURCE_EXHAUSTION';
      resource: Resource;
      used: number;
      limit: number;
      /** The highest value seen. */
      peak: number;
      /** The task that has the limit; of the budget of all the work, the one that could not be paid any more. */
      task?: string;
    }
  | { code: 'INVALID_OUTPUT'; violations: string[] }
  | { code: 'INVALID_INPUT' }
  | { code: 'VALIDATION_ERROR'; path: string; line: number; column: number }
  | { code: 'XML_PARSE_ERROR'; line: number; column: number }
  | {
      code: 'TASK_FAILURE';
      reason:
        | 'missing_input'
        /** Memory could not choose a context, not even at the second try. */
        | 'context_generation_failure'
        /** Three turns in a row without an operation, a tool call or new text. */
        | 'no_progress'
        /** Five iterations in a row with errors. */
        | 'too_many_errors'
        /** Calls within calls beyond all measure. */
        | 'too_deep'
        /** Tasks evaluated beyond all measure, in lists and calls that multiply them. */
        | 'too_many_tasks'
        /** The alternatives to a failed task have had all the sessions that they may have. */
        | 'too_many_sessions'
        | 'script_failed'
        | 'rejected'
        /** The model's provider failed (`cause` is the ModelFailure), refused, or reported an impossible cost. */
        | 'model_failure'
        /** A tool failed in a way that its caller cannot mend; `cause` is what it threw. */
        | 'tool_failed'
        /** The model itself ended its task as FAILED. */
        | 'failed';
      step?: string;
      at?: Position;
    };

/** The one error of the task language. `notes` keeps what was finished and what it cost. */
export class TaskError extends Error {
  readonly detail: TaskErrorDetail;
  readonly notes: Notes;

  constructor(
    detail: TaskErrorDetail,
    message: string,
    more: { notes?: Partial<Notes>; cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = 'TaskError';
    this.detail = detail;
    this.notes = { warnings: [], dataUsage: nothingSpent, ...more.notes };
  }

  get code(): TaskErrorDetail['code'] {
    return this.detail.code;
  }

  /** The parts that had finished before it failed: the `steps` of the notes. Undefined for a task without parts. */
  get partialResults(): Notes['steps'] {
    return this.notes.steps;
  }

  /** The same error with more notes; what was spent is added to what it already carries. `step`: what failed. */
  with(notes: Partial<Notes>, step?: string): TaskError {
    const detail =
      step !== undefined && this.detail.code === 'TASK_FAILURE' && this.detail.step === undefined
        ? { ...this.detail, step }
        : this.detail;
    const dataUsage = addSpent(this.notes.dataUsage, notes.dataUsage ?? nothingSpent);
    const merged = new TaskError(detail, this.message, {
      notes: {
        ...this.notes,
        ...notes,
        dataUsage,
        warnings: allWarnings(notes.warnings ?? [], this.notes.warnings),
        ...(step !== undefined && { failed: [step, this.notes.failed].filter(Boolean).join('/') }),
      },
      cause: this.cause,
    });
    if (this.stack !== undefined) merged.stack = this.stack;
    return merged;
  }
}

type More = ConstructorParameters<typeof TaskError>[2];

export const invalidInput = (message: string, more?: More): TaskError =>
  new TaskError({ code: 'INVALID_INPUT' }, message, more);

/** Of one rule that an output breaks. */
export const invalidOutput = (violation: string, more?: More): TaskError =>
  new TaskError({ code: 'INVALID_OUTPUT', violations: [violation] }, violation, more);

/** Of a program that cannot run because of what stands at `at`. */
export const invalidAt = (at: Position, message: string, more?: More): TaskError =>
  new TaskError(
    { code: 'VALIDATION_ERROR', path: at.file, line: at.line, column: at.column },
    `${placeOf(at)} ${message}`,
    more,
  );

/** A result as text: its content; of a reply that gives outputs and nothing else, their JSON. */
export const wholeText = ({ content, outputs, reply }: Ended): string =>
  reply && content === '' && Object.keys(outputs).length > 0 ? JSON.stringify(outputs) : content;

type Ended = Pick<TaskResult, 'content' | 'outputs' | 'reply'>;

/** Characters of what a failed part said that its error repeats. */
const MOST_SAID = 500;

/** The error TASK_FAILURE `failed` that a result is which `who` ended as FAILED. */
export const failedAs = (who: string, result: Ended, notes: Partial<Notes> = {}): TaskError =>
  new TaskError(
    { code: 'TASK_FAILURE', reason: 'failed' },
    `${who} ended as failed: ${wholeText(result).slice(0, MOST_SAID)}`,
    { notes },
  );

/** Throws `failedAs` for a result of status FAILED; what it says of why is no result. */
export function throwIfFailed(result: TaskResult, who: string, notes?: Partial<Notes>): void {
  if (result.status === 'FAILED') throw failedAs(who, result, notes);
}
