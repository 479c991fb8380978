// Signals out of the journal: checked where the program takes one, so that past this file each has its name's value.
import { z } from 'zod';
import type { CommandOrigin, SignalOf } from '../commands/signal.ts';
import { baseTestsSignalName, type EngineerValues, jobSignalName } from '../engineer/context.ts';
import { BaseTestsReport, FailedReport, JobReport } from '../engineer/job-spec.ts';
import type { SignalEntry } from '../../journal/journal.ts';

/** By its name, what a signal of a run carries. */
export type RunValues = EngineerValues;

const Origin = z.object({ by: z.string(), comment: z.number() });
const ids = z.array(z.string());

const values: { [Name in keyof RunValues]: z.ZodType<RunValues[Name]> } = {
  approve: Origin.extend({
    what: z.union([z.enum(['listed', 'all']), z.object({ ids }), z.object({ digest: z.string() })]),
  }),
  reject: Origin.extend({ ids, reason: z.string().exactOptional() }),
  answer: Origin.extend({ question: z.string(), text: z.string() }),
  retry: Origin.extend({ issue: z.number().exactOptional() }),
  budget: Origin.extend({ change: z.union([z.object({ add: z.number() }), z.object({ set: z.number() })]) }),
  cancel: Origin,
  [jobSignalName]: z.object({ op: z.string(), report: JobReport }),
  [baseTestsSignalName]: z.object({ op: z.string(), report: z.union([BaseTestsReport, FailedReport]) }),
};

/** The entry as a signal of one of `names`; undefined where it has another name. Throws where its value does not fit. */
export function readSignal<Name extends keyof RunValues>(
  { id, name: found, value, at }: SignalEntry,
  names: readonly Name[],
): SignalOf<RunValues, Name> | undefined {
  const name = names.find(each => each === found);
  if (name === undefined) return undefined;
  const read = values[name].safeParse(value);
  if (!read.success) throw new SignalError(id, name, read.error);
  return { id, name, value: read.data, at };
}

/** Who gave a command that the program does not wait for: nothing else of it has to fit. */
export function readOrigin({ id, name, value }: SignalEntry): CommandOrigin {
  const read = Origin.safeParse(value);
  if (!read.success) throw new SignalError(id, name, read.error);
  return read.data;
}

/** A signal in the journal is not what this version of the program writes. */
class SignalError extends Error {
  override readonly name = 'SignalError';
  constructor(id: string, name: string, cause: z.ZodError) {
    const [first] = cause.issues;
    const place = first?.path.length ? ` at ${first.path.join('.')}` : '';
    super(
      `the record holds a signal that cannot be read: ${id} (${name})${place}: ${first?.message ?? 'does not fit'}. Go on with the version of Echelon that wrote it; or delete the run comment, take the label off and put it on again, and a new run begins`,
      { cause },
    );
  }
}
