// Tools of who embeds the engine: a schema for what the model writes, and a function. A call of them or of a server's takes
// a limited time and answers a limited text, and what it throws tells the model one masked sentence.
import { z } from 'zod';
import { messageOf, race, shortened } from '@echelon/ground';
import { fitted, isBuiltIn, jsonSchemaOf, type Tool, ToolRefusal } from '../../language/tool.ts';
import { callForms } from '../../reasoning/operations/table.ts';
import { cut } from './search.ts';

export interface OwnTool<Input extends z.ZodType = z.ZodType> {
  /** As `<tools>` names it: 1 to 64 letters, digits, `_` or `-`, and no name of a built-in tool or an operation. */
  name: string;
  /** Its description for the model. */
  description: string;
  /** An object. The model is told it as JSON Schema, and what it writes is held to it before `run`. */
  input: Input;
  /** Schema of `run`'s result, checked before the model sees it. Default: any JSON. */
  output?: z.ZodType;
  /** It changes nothing: calls of one reply are carried out side by side. Default: false. */
  readOnly?: boolean;
  /** Milliseconds that a call may take; default: 120,000. */
  timeoutMs?: number;
  /**
   * Answers a text, or what becomes JSON. What it throws is told to the model by its message, and the session goes on.
   * `signal` aborts when the time is up, and when the execution ends.
   */
  run(input: z.output<Input>, how: { signal: AbortSignal }): unknown;
}

const defaultMs = 120_000;
/** Names that every provider accepts. */
const sendable = /^[\w-]{1,64}$/;

/** Reason for refusing `name` as that of a further tool; undefined: it is allowed. */
export function nameProblem(name: string): string | undefined {
  if (!sendable.test(name)) return 'a name has 1 to 64 letters, digits, _ and -';
  if (isBuiltIn(name)) return 'there is a built-in tool of that name: take another';
  return callForms.has(name) ? 'a session has an operation of that name: take another' : undefined;
}

/** `tools` for programs. Throws an Error with a line for each that cannot be. */
export function bindOwnTools(tools: readonly OwnTool[], mask: (text: string) => string): Tool[] {
  const names = new Set<string>();
  const wrong: string[] = [];
  const bound: Tool[] = [];
  for (const tool of tools) {
    const problem = names.has(tool.name) ? 'a second tool of that name' : problemOf(tool);
    names.add(tool.name);
    const schema = problem === undefined ? schemaOf(tool) : { problem };
    if ('problem' in schema) wrong.push(`${tool.name}: ${schema.problem}`);
    else bound.push({ ...schema, ...bindOwnTool(tool, mask) });
  }
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  return bound;
}

function problemOf({ name, description, timeoutMs = defaultMs }: OwnTool): string | undefined {
  if (description.trim() === '') return 'the description is empty: it is all that a model knows of the tool';
  if (!(Number.isSafeInteger(timeoutMs) && timeoutMs >= 1))
    return `timeoutMs is ${timeoutMs}, not a whole number of milliseconds from 1`;
  return nameProblem(name);
}

function schemaOf({ input }: OwnTool): { input: Record<string, unknown> } | { problem: string } {
  try {
    const schema = jsonSchemaOf(input);
    return schema['type'] === 'object' ? { input: schema } : { problem: 'input: no schema of an object' };
  } catch (error) {
    return { problem: `input: ${messageOf(error)}` };
  }
}

function bindOwnTool(tool: OwnTool, mask: (text: string) => string): Omit<Tool, 'input'> {
  const { name, description, readOnly = false, timeoutMs: ms = defaultMs } = tool;
  return {
    ...{ name, description, readOnly, outside: true },
    run: (raw, signal) =>
      outsideCall({ name, ms, mask, signal }, async inTime =>
        answerOf(tool, await tool.run(await fitted(name, tool.input, raw), { signal: inTime })),
      ),
  };
}

async function answerOf({ output }: OwnTool, given: unknown): Promise<string> {
  const read = await output?.safeParseAsync(given);
  if (read?.success === false)
    throw new Error(`its answer is not what its output schema says: ${z.prettifyError(read.error)}`);
  const answer = read ? read.data : given;
  if (answer === undefined) return '(nothing)';
  return typeof answer === 'string' ? answer : (JSON.stringify(answer) ?? String(answer));
}

interface OutsideCall {
  /** As the model knows the tool. */
  name: string;
  ms: number;
  mask: (text: string) => string;
  signal: AbortSignal;
}

/** Characters of an error that the model is told. */
const MAX_ERROR = 2000;

/**
 * Runs `work` and cuts its answer to the size limit. Its signal aborts with the call's, and at the time limit; work
 * that continues all the same is abandoned. Throws ToolRefusal, and the signal's reason when that aborts.
 */
export async function outsideCall(
  { name, ms, mask, signal }: OutsideCall,
  work: (signal: AbortSignal) => Promise<string>,
): Promise<string> {
  const time = AbortSignal.timeout(ms);
  const both = AbortSignal.any([signal, time]);
  both.throwIfAborted();
  try {
    return cut(mask(await race(work(both), both)));
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (time.aborted) throw new ToolRefusal(`${name}: took longer than ${ms / 1000} s and was ended`);
    if (error instanceof ToolRefusal) throw new ToolRefusal(shortened(mask(error.message), MAX_ERROR));
    throw new ToolRefusal(shortened(mask(`${name} failed: ${messageOf(error)}`), MAX_ERROR));
  }
}
