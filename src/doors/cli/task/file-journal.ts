// The journal of one program in a file: a line for each session and script that ended, from which a second run goes on.
import { appendFileSync, closeSync, openSync, readFileSync, realpathSync, truncateSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import type { Json } from '../../../lib/json.ts';
import { maskValue } from '../../../lib/mask.ts';
import type { PlayedReply } from '../../../engine/models/scripted.ts';
import type { Step } from '../../../journal/journal.ts';
import { InUse, lock } from '../../../workspace/lock.ts';

/** What the journal belongs to. The first three are digests: of the program's source, its inputs, the templates around it. */
export interface JournalOwner {
  program: string;
  inputs: string;
  library: string;
  /** Who answers: provider and model, or the digest of a script. */
  model: string;
  /** Absolute path of the folder that is worked in. */
  folder: string;
}

export interface FileJournal {
  step: Step;
  /** USD that the steps of earlier runs cost. */
  readonly spent: number;
  /** Replies that a script played in earlier runs. */
  readonly played: readonly PlayedReply[];
  /** Steps of earlier runs. */
  readonly steps: number;
  /** Steps that this run did itself, those that failed included. */
  readonly made: number;
  /** Says what a script has played so far; its part is written with each step. */
  watch(used: () => readonly PlayedReply[]): void;
  close(): void;
}

/** The file cannot be gone on with; the message says why and what to do. */
export class JournalRefused extends Error {
  override readonly name = 'JournalRefused';
}

const version = 2;
const Head = z.object({
  format: z.literal('echelon-journal'),
  version: z.literal(version),
  program: z.string(),
  inputs: z.string(),
  library: z.string(),
  model: z.string(),
  folder: z.string(),
});
const Played = z.object({ scope: z.string(), key: z.string(), index: z.int().min(0) });
const Line = z.object({
  key: z.string(),
  result: z.json(),
  at: z.number(),
  played: z.array(Played).optional(),
});
/** Where the result of a session says what it cost, whether it ended well or not. */
const Paid = z.union([
  z
    .object({ outcome: z.object({ cost_usd: z.number().nonnegative() }) })
    .transform(each => each.outcome.cost_usd),
  z
    .object({ error: z.object({ notes: z.object({ cost_usd: z.number().nonnegative() }) }) })
    .transform(each => each.error.notes.cost_usd),
]);

const differs = {
  program: 'another program, or this one has been changed since',
  inputs: 'other inputs',
  library: 'other templates: those of the product or of .github/echelon/ have changed since',
  model: 'another model, or another script of replies',
} as const;

/**
 * Opens the journal, or begins it where there is no file or an empty one. A last line that was cut off is dropped.
 * `mask` takes secrets out of what is written. Until it is closed no other process can open it. Throws
 * JournalRefused, and what the file system throws.
 */
export function openFileJournal(
  path: string,
  owner: JournalOwner,
  { mask = text => text, now }: { mask?: (text: string) => string; now: () => number },
): FileJournal {
  const unlock = lockOf(path);
  let found: ReturnType<typeof read>;
  let file: number;
  try {
    found = read(path, owner);
    file = openSync(path, 'a', 0o600);
  } catch (error) {
    unlock();
    throw error;
  }
  let used: () => readonly PlayedReply[] = () => [];
  const played = found.lines.flatMap(line => line.played ?? []);
  let written = played.length;
  const results = new Map(found.lines.map(({ key, result }) => [key, result as Json]));
  const taken = new Set<string>();
  let made = 0;
  const lines = linesOf(file, path);
  if (!found.begun) lines.append([{ format: 'echelon-journal', version, ...owner }]);

  const step: Step = async (key, make) => {
    if (taken.has(key)) throw new Error(`the program used the step key ${key} twice`);
    taken.add(key);
    const known = results.get(key);
    if (known !== undefined) return known as never;
    made++;
    const result = await make(key);
    const more = used().slice(written);
    written += more.length;
    // Through JSON, so that the first run sees exactly what a later one will see.
    const kept = maskValue(JSON.parse(JSON.stringify(result)) as Json, mask) as typeof result;
    await lines.appendTogether({ key, result: kept, at: now(), ...(more.length > 0 && { played: more }) });
    return kept;
  };
  return {
    step,
    spent: found.lines.reduce((sum, { result }) => sum + (Paid.safeParse(result).data ?? 0), 0),
    played,
    steps: found.lines.length,
    get made() {
      return made;
    },
    watch(how) {
      used = how;
    },
    close() {
      lines.end();
      closeSync(file);
      unlock();
    },
  };
}

/**
 * Lines of JSON at the end of an open file, synced to the disk. After a write that failed there are no more: nothing
 * may follow a part of a line.
 */
function linesOf(file: number, path: string) {
  let ended = false;
  let waiting: object[] = [];
  let written: Promise<void> | undefined;

  function append(lines: readonly object[]): void {
    if (ended) throw new Error(`${path} takes no more lines: it was closed, or could not be written`);
    const text = lines.map(line => `${JSON.stringify(line)}\n`).join('');
    ended = true;
    appendFileSync(file, text, { flush: true });
    ended = false;
  }
  return {
    append,
    /** Those that come in the same turn share one write and one sync; fulfilled when they are on the disk. */
    appendTogether(line: object): Promise<void> {
      waiting.push(line);
      written ??= Promise.resolve().then(() => {
        const lines = waiting;
        waiting = [];
        written = undefined;
        append(lines);
      });
      return written;
    },
    end() {
      ended = true;
    },
  };
}

/** Under whatever name the file is reached, the lock is beside it. */
function lockOf(path: string): () => void {
  let place = join(realpathSync(dirname(path)), basename(path));
  try {
    place = realpathSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  try {
    return lock(`${place}.lock`, path);
  } catch (error) {
    throw error instanceof InUse ? new JournalRefused(error.message, { cause: error }) : error;
  }
}

function read(path: string, owner: JournalOwner): { begun: boolean; lines: z.infer<typeof Line>[] } {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return { begun: false, lines: [] };
  }
  const whole = bytes.lastIndexOf(0x0a) + 1;
  const [first, ...rest] = bytes.toString('utf8', 0, whole).split('\n').slice(0, -1);
  if (first === undefined) {
    if (bytes.length > 0 && !'{"format":"echelon-journal"'.startsWith(bytes.toString('utf8', 0, 27)))
      throw new JournalRefused(`${path} is not a journal; name another file`);
    truncateSync(path, 0);
    return { begun: false, lines: [] };
  }
  const head = Head.safeParse(json(first));
  if (!head.success) throw new JournalRefused(`${path} is not a journal of this version; name another file`);
  const remedy = 'name another file, or delete it';
  for (const part of ['program', 'inputs', 'library', 'model'] as const)
    if (head.data[part] !== owner[part])
      throw new JournalRefused(`${path} is the journal of ${differs[part]}; ${remedy}`);
  if (head.data.folder !== owner.folder)
    throw new JournalRefused(
      `${path} is the journal of work in the folder ${head.data.folder}, not in ${owner.folder}; ${remedy}`,
    );
  const lines = rest.map((text, at) => {
    const line = Line.safeParse(json(text));
    if (!line.success)
      throw new JournalRefused(`${path}:${at + 2}: the journal is damaged; delete it to begin anew`);
    return line.data;
  });
  // Only now: a file that is not ours is never changed.
  if (whole < bytes.length) truncateSync(path, whole);
  return { begun: true, lines };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
