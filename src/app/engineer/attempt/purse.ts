// Shared budget of a job's candidates: each has its own part, and their sum is reported as the job's.
import { jsonOf } from '@echelon/ground';
import { jobFiles, readIfThere, writeWhole } from '@echelon/ground/workspace';
import type { Spending } from '../../../engine/models.ts';
import { JobSpent } from '../jobs/report-spec.ts';
import type { JobHost } from './workplace.ts';

const nothing: Spending = { cost_usd: 0, model_calls: 0 };

/** One part of what is paid for: what was before, and where more of it is told. */
export type Part = Pick<JobHost, 'spentBefore' | 'spend'>;

export type Purse = Awaited<ReturnType<typeof openPurse>>;

export async function openPurse(folders: readonly string[], host: Part) {
  const known = await Promise.all(folders.map(readSpent));
  const all = added(known);
  // By a process that was lost after the last of them had ended.
  const ranking = {
    cost_usd: Math.max(0, host.spentBefore.cost_usd - all.cost_usd),
    model_calls: Math.max(0, host.spentBefore.model_calls - all.model_calls),
  };
  const spent = [...known, ranking];
  let writing = Promise.resolve();
  const part = (index: number, before: Spending, folder?: string): Part => ({
    spentBefore: before,
    async spend(now) {
      spent[index] = now;
      if (folder !== undefined) await writeWhole(folder, jobFiles.spent, JSON.stringify(now));
      // One after the other: they are one file.
      writing = writing.then(() => host.spend(added(spent)));
      await writing;
    },
  });
  return {
    /** A part for each folder, which keeps it for the case that the process is lost. */
    parts: folders.map((folder, index) => part(index, known[index] ?? nothing, folder)),
    /** Part paid after all candidates have ended. */
    ranking: part(folders.length, ranking),
    sum: (): Spending => added(spent),
  };
}

const readSpent = async (folder: string): Promise<Spending> =>
  JobSpent.safeParse(jsonOf(await readIfThere(folder, jobFiles.spent))).data ?? nothing;

const added = (parts: readonly Spending[]): Spending => ({
  cost_usd: parts.reduce((sum, { cost_usd }) => sum + cost_usd, 0),
  model_calls: parts.reduce((sum, { model_calls }) => sum + model_calls, 0),
});
