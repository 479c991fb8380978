// The benchmark of the task language: parsing, the evaluator's own cost of a step, memory.
import type { Figure, Report } from './figures.ts';
import { memory } from './language-memory.ts';
import { parsing } from './language-parsing.ts';
import { steps } from './language-steps.ts';

/** `missing`: why there are no peers; their figures are left out then. */
export async function language(missing: string | undefined): Promise<Report> {
  const figures: Figure[] = [];
  const notes: string[] = missing === undefined ? [] : [missing];
  for (const part of [parsing, () => steps(missing === undefined), memory]) {
    const report = await part();
    figures.push(...report.figures);
    notes.push(...report.notes);
  }
  return { figures, notes };
}
