// Keys that a workflow and its jobs have in common.
import { type Reading, textOf, textsOf, type Written } from './written.ts';

/** Templates. */
export interface ConcurrencySpec {
  group: string;
  cancelInProgress: string;
  queue: 'single' | 'max';
}

/** The `run` part of a `defaults` key. */
export function readDefaults(reading: Reading, written: Written | undefined): Record<string, string> {
  const run = written && reading.fields(written, '"defaults"', ['run'])['run'];
  if (!run) return {};
  reading.fields(run.value, '"defaults.run"', ['shell', 'working-directory']);
  return textsOf(run.value);
}

export function readConcurrency(reading: Reading, written: Written | undefined): ConcurrencySpec | undefined {
  if (!written) return undefined;
  if (!(written.value instanceof Map))
    return { group: textOf(written), cancelInProgress: 'false', queue: 'single' };
  const fields = reading.fields(written, '"concurrency"', ['group', 'cancel-in-progress', 'queue']);
  const text = (key: string) => fields[key] && textOf(fields[key].value);
  const queue = text('queue') === 'max' ? 'max' : 'single';
  const cancelInProgress = text('cancel-in-progress') ?? 'false';
  if (queue === 'max' && cancelInProgress !== 'false')
    reading.refuse(written.at, '"queue: max" and "cancel-in-progress" exclude each other');
  return { group: text('group') ?? '', cancelInProgress, queue };
}
