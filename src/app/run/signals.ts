// Signals out of the journal: checked where the program takes one, so that past this file each has its name's value.
import { z } from 'zod';
import type { SignalEntry } from '@echelon/ground/journal';
import { CommandOrigin } from '../commands/command.ts';
import type { SignalOf } from '../commands/signal.ts';
import { commands } from '../commands/table.ts';
import { baseTestsSignalName, type EngineerValues, jobSignalName } from '../engineer/slots/context.ts';
import { type FactName, factValues } from '../engineer/slots/facts.ts';
import { BaseTestsReport, FailedReport, IntegrationReport, JobReport } from '../engineer/jobs/report-spec.ts';

/** By its name, what a signal of a run carries. */
export type RunValues = EngineerValues;

const factRows = Object.fromEntries(Object.entries(factValues).map(([name, value]) => [name, { value }])) as {
  [Name in FactName]: { value: (typeof factValues)[Name] };
};

const rows: { [Name in keyof RunValues]: { value: z.ZodType<RunValues[Name]> } } = {
  ...commands,
  ...factRows,
  [jobSignalName]: {
    value: z.object({ op: z.string(), report: z.discriminatedUnion('kind', [IntegrationReport, JobReport]) }),
  },
  [baseTestsSignalName]: {
    value: z.object({ op: z.string(), report: z.union([BaseTestsReport, FailedReport]) }),
  },
};

/** The entry as a signal of one of `names`; undefined where it has another name. Throws where its value does not fit. */
export function readSignal<Name extends keyof RunValues>(
  entry: SignalEntry,
  names: readonly Name[],
): SignalOf<RunValues, Name> | undefined {
  const { id, name: found, at } = entry;
  const name = names.find(each => each === found);
  if (name === undefined) return undefined;
  return { id, name, value: readValue(entry, name), at };
}

/** Value of an entry with this name. Throws if it does not fit. */
export function readValue<Name extends keyof RunValues>(
  { id, value }: SignalEntry,
  name: Name,
): RunValues[Name] {
  const read = rows[name].value.safeParse(value);
  if (!read.success) throw new UnreadableEntry(`a signal that cannot be read: ${id} (${name})`, read.error);
  return read.data;
}

/** Author of a command that the program does not expect: nothing else of it has to fit. */
export function readOrigin({ id, name, value }: SignalEntry): CommandOrigin {
  const read = CommandOrigin.safeParse(value);
  if (!read.success) throw new UnreadableEntry(`a signal that cannot be read: ${id} (${name})`, read.error);
  return read.data;
}

/** An entry of the journal is not what this version of the program writes. `what`: which, as it is told. */
export class UnreadableEntry extends Error {
  override readonly name = 'UnreadableEntry';
  constructor(what: string, cause: z.ZodError) {
    const [first] = cause.issues;
    const place = first?.path.length ? ` at ${first.path.join('.')}` : '';
    super(
      `the record holds ${what}${place}: ${first?.message ?? 'does not fit'}. Go on with the version of Echelon that wrote it; or delete the run comment, take the label off and put it on again, and a new run begins`,
      { cause },
    );
  }
}
