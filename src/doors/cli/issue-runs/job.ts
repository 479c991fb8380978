// Reads the folder of a local job: transcript and commands of each step, its log, its patch.
import { z } from 'zod';
import { JournalRefused, parseJournal } from '@echelon/ground/journal';
import { jobFiles, readBounded } from '@echelon/ground/workspace';
import { dollars, layerName, type LayerView, plural, seconds } from '../../../app/views.ts';
import { parseReply } from '../../../engine/engine.ts';
import { TaskError } from '../../../engine/texts.ts';
import { isEnded, type PastJob, type RunHistory } from '../../../app/app.ts';
import type { IssueJob, Said } from '@echelon/forge';
import { journalFile } from '../../../app/job.ts';

/** Bytes of each file that are read; a longer one is left out. */
const MAX_BYTES = 8 << 20;
/** Characters of one piece of the transcript. */
const MAX_SAID = 20_000;

const Timed = z.object({ times: z.object({ started: z.number(), ended: z.number() }).optional() });

/** Result of a program's step: a session's last words, or a command's output. */
const Ended = z.object({
  result: z.union([
    z.object({
      outcome: Timed.extend({ text: z.string(), turns: z.number(), cost_usd: z.number().nullable() }),
    }),
    Timed.extend({ exit_code: z.number().nullable(), stdout: z.string(), stderr: z.string() }),
  ]),
});

/** Replies of a layer in each of its turns; undefined if there is none yet. */
export function layerJob(
  { id, status }: LayerView,
  { events }: Pick<RunHistory, 'events'>,
): IssueJob | undefined {
  const said = events.flatMap((event): Said[] =>
    event.type === 'message' && event.layer === id
      ? [{ kind: 'words', by: 'turn', about: about(event), text: clipped(event.content) }]
      : [],
  );
  if (said.length === 0) return undefined;
  return {
    name: layerName(id),
    goesOn: status === 'thinking',
    said: said.map((each, at) => ({ ...each, by: `turn ${at + 1}` })),
    log: '',
  };
}

/** Undefined: nothing of the job lies on this machine. */
export async function jobOf(
  { op, issue, what, ended }: PastJob,
  { place, execution, view }: RunHistory,
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
    goesOn: !ended && !isEnded(view),
    said: journal ? saidIn(journal) : [],
    log: log?.toString() ?? '',
    patch: patch?.toString(),
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
      if ('outcome' in result) {
        const { text, turns, cost_usd } = result.outcome;
        const how = [plural(turns, 'model call'), about({ cost_usd, ms: lasted(result.outcome) })].join(', ');
        return [{ by, about: how, kind: 'words', text: wordsOf(text) }];
      }
      const { exit_code, stdout, stderr } = result;
      const ended = `${by}, exited ${exit_code ?? 'by a signal'}`;
      const text = clipped([stdout, stderr].filter(Boolean).join('\n'));
      return [{ by: ended, about: about({ ms: lasted(result) }), kind: 'output', text }];
    });
  } catch (error) {
    if (error instanceof JournalRefused) return [];
    throw error;
  }
}

const lasted = ({ times }: z.infer<typeof Timed>) => times && times.ended - times.started;

const about = ({ cost_usd, ms }: { cost_usd?: number | null; ms?: number | undefined }): string =>
  [
    ...(ms === undefined ? [] : [seconds(ms)]),
    ...(typeof cost_usd === 'number' ? [dollars(cost_usd)] : []),
  ].join(', ');

/** A reply as Markdown: what it says, then what it hands on by name. */
function wordsOf(text: string): string {
  try {
    const { content, outputs } = parseReply(text);
    const rows = Object.entries(outputs).map(
      ([name, value]) => `- **${name}**: ${typeof value === 'string' ? value.trim() : JSON.stringify(value)}`,
    );
    return clipped([content, rows.join('\n')].filter(Boolean).join('\n\n'));
  } catch (error) {
    if (error instanceof TaskError) return clipped(text);
    throw error;
  }
}

/** The end says how it went. */
const clipped = (text: string) => (text.length > MAX_SAID ? `...${text.slice(-MAX_SAID)}` : text);
