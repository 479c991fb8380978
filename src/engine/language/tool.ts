// The abstract tools a task may name: the same names and inputs for every provider and every executor.
import { z } from 'zod';
import { didYouMean } from '@echelon/ground';

const path = z.string().min(1);

/** The time limit of a shell command that names none, and the longest that it may name (seconds). */
export const shellTime = { default: 120, longest: 600 };

/** Explains to a model how a shell command runs. */
export const shellRuns = `It runs in a new shell (bash, else sh) at the root of the checkout: only files last. Without timeout_s it may take ${shellTime.default} seconds, with it that many, ${shellTime.longest} at most.`;

/**
 * Name, what it does (told to the model), and its input. `readOnly`: it changes nothing outside of the session, as the same
 * mark of a `Tool` says.
 */
export const toolInputs = {
  read_file: {
    readOnly: true,
    description:
      'Read a text file. Each line comes behind its number and a tab, which are no part of the file. With offset and limit: that many lines from line offset (the first line is 1).',
    input: z.strictObject({
      // Said once: the other tools are offered beside this one.
      path: path.describe('from the root of the checkout'),
      offset: z.int().min(1).optional(),
      limit: z.int().min(1).optional(),
    }),
  },
  write_file: {
    readOnly: false,
    description: 'Write a whole file; folders are made as needed.',
    input: z.strictObject({ path, content: z.string() }),
  },
  edit_file: {
    readOnly: false,
    description:
      'Replace old_text, which must occur exactly once in the file (without the line numbers of read_file), by new_text. Or, with insert_line in place of old_text, put new_text after that line (0: before the first).',
    input: z
      .strictObject({
        path,
        old_text: z.string().min(1).optional(),
        insert_line: z.int().min(0).optional(),
        new_text: z.string(),
      })
      .refine(({ old_text, insert_line }) => (old_text === undefined) !== (insert_line === undefined), {
        error: 'give either old_text or insert_line',
        // Said beside what else is wrong with the fields.
        when: ({ value }) => typeof value === 'object' && value !== null,
      }),
  },
  delete_file: { readOnly: false, description: 'Delete a file.', input: z.strictObject({ path }) },
  diff: {
    readOnly: true,
    description:
      'Show what was changed since the checkout began, in all files or at path; offset and limit count its lines from 1.',
    input: z.strictObject({
      path: path.optional(),
      offset: z.int().min(1).optional(),
      limit: z.int().min(1).optional(),
    }),
  },
  revert: {
    readOnly: false,
    description: 'Put a file back as it was when the checkout began; a new one is deleted.',
    input: z.strictObject({ path }),
  },
  list_files: {
    readOnly: true,
    description: 'List files below path (default: the root), optionally those that match a glob pattern.',
    input: z.strictObject({ path: path.optional(), pattern: z.string().min(1).optional() }),
  },
  search: {
    readOnly: true,
    description: 'Search file contents for a regular expression; answers path:line: text.',
    input: z.strictObject({ pattern: z.string().min(1), path: path.optional() }),
  },
  shell: {
    readOnly: false,
    description: `Run a command. ${shellRuns} Answers how it ended (its exit code, the limit that it came to, or the signal), and its output.`,
    input: z.strictObject({
      command: z.string().min(1),
      timeout_s: z.number().positive().max(shellTime.longest).optional(),
    }),
  },
  js: {
    readOnly: true,
    description:
      'Run JavaScript in a sandbox without files, network or processes; answers its value and console.',
    input: z.strictObject({ code: z.string() }),
  },
  ask: {
    readOnly: true,
    description: 'Ask the person a question and wait for the answer.',
    input: z.strictObject({ question: z.string().min(1) }),
  },
} as const;

export type ToolName = keyof typeof toolInputs;

export const isBuiltIn = (name: string): name is ToolName => Object.hasOwn(toolInputs, name);

/** Tools that `<tools>` can name besides the built-in ones. */
export interface FurtherTools {
  readonly names: readonly string[];
  /** Servers that were not asked yet what they have: every `server__tool` of theirs can be named until then. */
  readonly servers: readonly string[];
}

export const noFurtherTools: FurtherTools = { names: [], servers: [] };

/** Separates the name of a server from that of its tool. */
export const serverMark = '__';

/** Returns a message with the nearest known name if a program cannot name the tool, otherwise undefined. */
export function unknownTool(name: string, { names, servers }: FurtherTools): string | undefined {
  if (isBuiltIn(name) || names.includes(name)) return undefined;
  if (servers.some(server => name.startsWith(`${server}${serverMark}`))) return undefined;
  return `unknown tool "${name}"${didYouMean(name, [...Object.keys(toolInputs), ...names])}`;
}

/** Description of a tool for a provider. `input` is a JSON Schema of an object. */
export interface ToolSpec {
  name: string;
  description: string;
  input: Record<string, unknown>;
}

/** A tool bound to something that can carry it out. */
export interface Tool extends ToolSpec {
  /** It changes nothing, so that calls of one reply that stand next to each other are carried out side by side. */
  readOnly: boolean;
  /**
   * True if its effects lie outside of the files from which a session is resumed. With a journal, each call is saved
   * before the next operation and is never repeated. Default: false.
   */
  outside?: boolean;
  /** Takes the model's raw input, answers text for the model. Throws ToolRefusal for what the model can mend. */
  run(input: unknown, signal: AbortSignal): Promise<string>;
}

/** The model asked for something that cannot be done as asked; the message goes back to it. */
export class ToolRefusal extends Error {}

/** Description of an abstract tool for a provider. It is short, since every call sends it. */
export function toolSpec(name: ToolName): ToolSpec {
  const { description } = toolInputs[name];
  // Another field is refused in any case.
  const { additionalProperties: _, ...input } = jsonSchemaOf(toolInputs[name].input);
  return { name, description, input };
}

/** Of what a model may write. Throws an Error for what JSON Schema cannot say. */
export function jsonSchemaOf(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      // This bound applies to every JSON number and says nothing; nor is a model told that a text must have a character.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minLength === 1) delete jsonSchema.minLength;
    },
  });
  return rest;
}

/** The input as the schema has it. Throws ToolRefusal with the place of what does not fit. */
export async function fitted<S extends z.ZodType>(
  name: string,
  schema: S,
  input: unknown,
): Promise<z.output<S>> {
  const parsed = await schema.safeParseAsync(input);
  if (!parsed.success) throw new ToolRefusal(`${name}: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

/** Binds an abstract tool to `run`; an input that does not fit its schema is refused with the place. */
export function bindTool<N extends ToolName>(
  name: N,
  run: (input: z.infer<(typeof toolInputs)[N]['input']>, signal: AbortSignal) => Promise<string>,
): Tool {
  const { input, readOnly } = toolInputs[name];
  return {
    ...toolSpec(name),
    readOnly,
    run: async (raw, signal) =>
      await run((await fitted(name, input, raw)) as z.infer<(typeof toolInputs)[N]['input']>, signal),
  };
}
