// Reads the program that a model wrote in its reply, for whatever it is to stand.
import { type FunctionTask, type Task, innerTasks } from '../language/ast.ts';
import type { Library } from '../language/library.ts';
import { formatProblem, type Position, type Problem } from '../language/problem.ts';
import { parseProgram } from '../language/program.ts';
import { closesFence, fenceAt } from '@echelon/ground';

/** Problems that are worth telling a model, or a person, at once. */
const MOST_TOLD = 20;

interface WrittenProgram {
  /** The source of the program; the whole reply if that holds no program. */
  source: string;
  /** Undefined where it cannot be read, or does not run by itself; one that is too complex is there. */
  program: Exclude<Task, FunctionTask> | undefined;
  /** Of the program itself, as `file` shows their places. What it is to stand for may want more of it. */
  problems: Problem[];
}

/** The first program in `reply`: at most 200 tasks and 20 levels, and no function. */
export function readWritten(reply: string, file: string, library: Library | undefined): WrittenProgram {
  const source = programIn(reply);
  if (source === undefined) {
    const start: Position = { file, line: 1, column: 1 };
    const problems = [problemAt(start, 'the answer holds no <task> element')];
    return { source: reply, program: undefined, problems };
  }
  const { program, problems } = parseProgram(source, file, library);
  if (!program) return { source, program, problems };
  const found = tooComplex(program);
  const runs = program.type !== 'function';
  if (!runs) found.push('a function does not run by itself: the root is a task that runs');
  return {
    source,
    program: runs ? program : undefined,
    problems: [...problems, ...found.map(each => problemAt(program.at, each))],
  };
}

export function problemAt({ file, line, column }: Position, message: string): Problem {
  return { file, line, column, severity: 'error', message };
}

export function errorsIn(problems: readonly Problem[]): Problem[] {
  return problems.filter(({ severity }) => severity !== 'warning');
}

/** The first 20, a line each. */
export function toldOf(problems: readonly Problem[]): string {
  return problems.slice(0, MOST_TOLD).map(formatProblem).join('\n');
}

/** A program by a model beyond this is no plan that anybody could follow, or pay for. */
const MOST_TASKS = 200;
const MOST_LEVELS = 20;

/** The ways in which `program` is too complex, as problems; empty for one that is not. */
function tooComplex(program: Task): string[] {
  const { tasks, levels } = measured(program);
  return [
    ...(tasks > MOST_TASKS ? [`the program has ${tasks} tasks; at most ${MOST_TASKS} are allowed`] : []),
    ...(levels > MOST_LEVELS
      ? [`tasks are nested ${levels} levels deep; at most ${MOST_LEVELS} are allowed`]
      : []),
  ];
}

function measured(task: Task): { tasks: number; levels: number } {
  let tasks = 1;
  let deepest = 0;
  for (const inner of innerTasks(task)) {
    const { tasks: more, levels } = measured(inner);
    tasks += more;
    deepest = Math.max(deepest, levels);
  }
  return { tasks, levels: deepest + 1 };
}

/** A line that begins with the root counts before a mention of it in a sentence. */
const ownLine = /^[ \t]*<task(?=[\s/>])/m;
const anywhere = /<task(?=[\s/>])/;
const tag = /<(\/?)task(?=[\s/>])[^<>]*?(\/?)>/y;

/**
 * The first `<task ...>...</task>` of `reply`, fenced or not. One that is never closed goes to the end of the reply,
 * so that reading it says what is wrong. Undefined: there is none.
 */
export function programIn(reply: string): string | undefined {
  const found = ownLine.exec(reply) ?? anywhere.exec(reply);
  if (!found) return undefined;
  const start = reply.indexOf('<task', found.index);
  let depth = 0;
  let at = start;
  while (at >= 0) {
    const skipped = past(reply, at, '<!--', '-->') ?? past(reply, at, '<![CDATA[', ']]>');
    if (skipped === undefined) {
      tag.lastIndex = at;
      const [whole, closing, empty] = tag.exec(reply) ?? [];
      if (whole === undefined) at++;
      else {
        at += whole.length;
        if (closing) depth--;
        else if (!empty) depth++;
        if (depth <= 0) return reply.slice(start, at);
      }
    } else if (skipped < 0) break;
    else at = skipped;
    at = reply.indexOf('<', at);
  }
  return withoutLastFence(reply.slice(start));
}

/** Without the last line where that closes a fence, whichever it was. */
function withoutLastFence(text: string): string {
  const trimmed = text.trimEnd();
  const end = trimmed.lastIndexOf('\n');
  const last = fenceAt(trimmed.slice(end + 1));
  return end >= 0 && last && closesFence(trimmed.slice(end + 1), last)
    ? trimmed.slice(0, end).trimEnd()
    : text;
}

/** Past the section that begins at `at`; -1 when it does not end; undefined when none begins there. */
function past(text: string, at: number, open: string, close: string): number | undefined {
  if (!text.startsWith(open, at)) return undefined;
  const end = text.indexOf(close, at + open.length);
  return end < 0 ? -1 : end + close.length;
}
