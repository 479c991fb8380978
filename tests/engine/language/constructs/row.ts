// One row of the tables of constructs: a program, what is played to it, and what is expected.
import type { Output } from '../../../../src/engine/language/ast.ts';
import type { ScriptOutcome, TaskErrorDetail } from '../../../../src/engine/language/result.ts';
import type { ToolName } from '../../../../src/engine/language/tool.ts';
import type { Json } from '../../../../packages/ground/lib/json.ts';
import type { Kind } from '../problem-cases.ts';

export interface Row extends Played {
  name: string;
  /** `¦` stands where a problem or an error is expected, in order. */
  program: string;
  /** The checker's findings; parts of the result; or the error. */
  expected: { kind: Kind; problems: string[] } | { result: object } | { error: Failed };
}

/** Replies played to a program, and observations. */
interface Played {
  /** Sources of the task library by their file. */
  library?: Record<string, string>;
  inputs?: Record<string, Json>;
  /** By the name of a task: its replies in order, or one for every time. A task without any repeats its prompt. */
  replies?: Record<string, string | readonly string[]>;
  /** By command: how it ends. Without it scripts may not run. */
  scripts?: Record<string, Partial<ScriptOutcome>>;
  settings?: Record<string, string>;
  /** Tools that can be had. */
  tools?: ToolName[];
  /** Positions of problems, as line:column, if not marked in the program. */
  places?: string[];
  /** By the name of a task: what it was prompted with, each time. */
  asked?: Record<string, string[]>;
  /** The names of all sessions, in their order. */
  ran?: string[];
  /** By the name of a task: parts of its first session's request. `tools` are names. */
  sessions?: Record<string, object>;
  /** Input of each script, in order. */
  commands?: { env?: Record<string, string>; stdin?: string }[];
  /** A part of the error's message. The program's first mark is the place that it names. */
  message?: string;
  /** The steps that the error's notes keep. */
  finished?: string[];
}

interface Failed {
  code: TaskErrorDetail['code'];
  reason?: string;
  step?: string;
  resource?: string;
  violations?: string[];
}

/** A program that comes to this content, or to a result with these parts. */
export const gives = (name: string, program: string, result: string | object, played: Played = {}): Row => ({
  ...{ name, program, ...played },
  expected: { result: typeof result === 'string' ? { content: result } : result },
});

/** A program that ends with an error. */
export const ends = (
  name: string,
  program: string,
  error: Failed['code'] | Failed,
  played: Played = {},
): Row => ({
  ...{ name, program, ...played },
  expected: { error: typeof error === 'string' ? { code: error } : error },
});

const finding =
  (kind: Kind) =>
  (name: string, program: string, ...problems: string[]): Row => ({
    name,
    program,
    expected: { kind, problems },
  });
export const syntax = finding('syntax');
export const rule = finding('rule');
export const warning = finding('warning');

/** A task that is one session with this prompt. */
export const task = (name: string, prompt: string, parts = '') =>
  `<task name="${name}"><description>${prompt}</description>${parts}</task>`;

export const sequence = (...steps: string[]) =>
  `<task type="sequential"><steps>${steps.join('')}</steps></task>`;

export const output = (name: string, type: Output['type'], more = '') =>
  `<output name="${name}" type="${type}"${more}/>`;

/** Of a reply: the envelope of a result that failed. */
export const fails = (content: string) => JSON.stringify({ status: 'FAILED', content });

export const replies = (value: Json) => JSON.stringify(value);
