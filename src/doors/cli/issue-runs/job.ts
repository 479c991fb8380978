// What lies in the folder of a job of this machine, to be read: what was said and run in each step, its log, its patch.
import { z } from 'zod';
import type { PastJob, RunHistory } from '../../../app/run/history.ts';
import type { IssueJob, Said } from '../../../forge/pages/issue-run/issue-run.ts';
import { JournalRefused, parseJournal } from '../../../journal/file-store.ts';
import { readBounded } from '../../../workspace/bundle.ts';
import { jobFiles } from '../../../workspace/job-process.ts';
import { journalFile } from '../../../app/engineer/attempt-journal.ts';

/** Bytes of each file that are read; a longer one is left out. */
const MAX_BYTES = 8 << 20;
/** Characters of one piece of the transcript. */
const MAX_SAID = 20_000;

/** What a step of the program ended with: a session's last words, or what a command wrote. */
const Ended = z.object({
  result: z.union([
    z.object({ outcome: z.object({ text: z.string() }) }),
    z.object({ exit_code: z.number().nullable(), stdout: z.string(), stderr: z.string() }),
  ]),
});

/** Undefined: nothing of the job lies on this machine. */
export async function jobOf(
  { op, issue, what }: PastJob,
  { place, execution }: RunHistory,
): Promise<IssueJob | undefined> {
  if (execution !== 'local') return undefined;
  const folder = await place.folder(op);
  const read = async (name: string) => {
    const bytes = await readBounded(folder, name, MAX_BYTES);
    return Buffer.isBuffer(bytes) ? bytes : undefined;
  };
  const [log, journal, patch] = await Promise.all([jobFiles.log, journalFile, 'changes.patch'].map(read));
  if (log === undefined && journal === undefined) return undefined;
  return {
    name: issue === undefined ? what : `#${issue}, ${what}`,
    said: journal ? saidIn(journal) : [],
    log: log?.toString() ?? '',
    ...(patch && { patch: patch.toString() }),
  };
}

/** A journal that cannot be read, since it is being written or another version's, says nothing. */
function saidIn(journal: Buffer): Said[] {
  try {
    return parseJournal(journalFile, journal).entries.flatMap((entry): Said[] => {
      if (entry.t !== 'step') return [];
      const read = Ended.safeParse(entry.result);
      if (!read.success) return [];
      // `issue-2/attempt-1/director-1`: the last name is the step's.
      const by = (entry.key.split('/').at(-1) ?? entry.key).replace('-', ' ');
      const { result } = read.data;
      if ('outcome' in result) return [{ by, kind: 'words', text: clipped(result.outcome.text) }];
      const { exit_code, stdout, stderr } = result;
      const text = clipped([stdout, stderr].filter(Boolean).join('\n'));
      return [{ by: `${by}, exited ${exit_code ?? 'by a signal'}`, kind: 'output', text }];
    });
  } catch (error) {
    if (error instanceof JournalRefused) return [];
    throw error;
  }
}

/** The end says how it went. */
const clipped = (text: string) => (text.length > MAX_SAID ? `...${text.slice(-MAX_SAID)}` : text);
