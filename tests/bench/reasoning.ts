// The benchmark of the reasoning session: its tags, its sandbox, its own cost of an iteration.
import type { Figure, Report } from './figures.ts';
import { sandbox } from './reasoning-sandbox.ts';
import { sessions } from './reasoning-session.ts';
import { tags } from './reasoning-tags.ts';

/** `missing`: why there are no peers; their figures are left out then. */
export async function reasoning(missing: string | undefined): Promise<Report> {
  const figures: Figure[] = [];
  const notes: string[] = missing === undefined ? [] : [missing];
  for (const part of [() => tags(missing === undefined), sandbox, sessions]) {
    const report = await part();
    figures.push(...report.figures);
    notes.push(...report.notes);
  }
  return { figures, notes };
}
