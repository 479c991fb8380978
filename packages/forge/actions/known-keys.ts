// Reads mappings of a workflow file key by key, so that nothing in it is passed over.
import type { Place } from './planned-job.ts';
import type { Problem } from './workflow-error.ts';
import { type Field, fieldsOf, type Written } from './written.ts';

/** Collects what is wrong while a file is read. */
export class Reading {
  readonly problems: Problem[] = [];

  refuse(at: Place, message: string): void {
    this.problems.push({ at, message });
  }

  /** The fields of a mapping by name; every other key is refused. `where`: `a step`, as in "in a step". */
  fields(written: Written, where: string, keys: readonly string[]): Partial<Record<string, Field>> {
    const fields = fieldsOf(written);
    for (const [key, { at }] of fields)
      if (!keys.includes(key)) this.refuse(at, `"${key}" in ${where} is not supported by the forge's runner`);
    return Object.fromEntries(fields);
  }
}
