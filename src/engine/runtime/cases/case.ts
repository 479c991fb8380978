// A case of a program: what it is played with, and what is to come of it. Files of cases and the examples of the reference
// of the language have this one form.
import { z } from 'zod';
import { ScriptedReply } from '../../models/script.ts';

const oneOrMore = <T extends z.ZodType>(each: T) => z.union([each, z.array(each).min(1)]);
const json = z.record(z.string(), z.json());

/** Expected prompt: exactly this text; or texts that everything sent to the model contains, and lacks. */
const Asked = z.union([
  z.string(),
  z
    .strictObject({
      contains: oneOrMore(z.string().min(1)).optional(),
      lacks: oneOrMore(z.string().min(1)).optional(),
    })
    .refine(({ contains, lacks }) => contains !== undefined || lacks !== undefined, {
      error: 'says nothing: give it "contains" or "lacks"',
    }),
]);
export type Asked = z.infer<typeof Asked>;

const Outcome = z
  .strictObject({ exit_code: z.int(), stdout: z.string(), stderr: z.string(), timed_out: z.boolean() })
  .partial();

export const Case = z
  .strictObject({
    name: z.string().min(1).max(200).optional(),
    /** Of the program's parameters. */
    inputs: json.default({}),
    /** In the place of those of the configuration. */
    settings: z.record(z.string(), z.string()).default({}),
    /** By the name of the task: the text of a reply, or a reply of a script, each time; of several, one for each call. */
    replies: z.record(z.string(), oneOrMore(z.union([z.string(), ScriptedReply]))).default({}),
    /** By the name of the tool: what it answers, each time or, of several, one for each call. `ask` is a person. */
    tools: z.record(z.string(), oneOrMore(z.string())).default({}),
    /** By the command: how it ends, each time or, of several, one for each time. */
    scripts: z.record(z.string(), oneOrMore(Outcome)).default({}),
    /** By the name of the task: of one, each of its calls; of several, those of its calls in their order, and no more. */
    asked: z.record(z.string(), z.union([Asked, z.array(Asked)])).default({}),
    /** Model calls, all together. */
    calls: z.int().min(0).optional(),
    /** Upper bound of the cost that its replies report, all together (USD). */
    max_cost_usd: z.number().min(0).optional(),
    /** Of the result, what is said here; neither this nor `error`: it does not fail. */
    result: json.optional(),
    /** The same of the error that it ends with; of its `message`, a part. */
    error: json.optional(),
    /** Of an error: the steps that were finished before, all of them. */
    finished: z.array(z.string()).optional(),
  })
  .refine(({ result, error }) => result === undefined || error === undefined, {
    error: 'a program ends with a result or with an error: give one of them',
  })
  .refine(({ error, finished }) => finished === undefined || error !== undefined, {
    error: '"finished" says what an error left: give "error", too',
  });
export type Case = z.infer<typeof Case>;

/** A difference between a case and its play, and its place in the case. */
export interface CaseProblem {
  path: readonly (string | number)[];
  message: string;
}
