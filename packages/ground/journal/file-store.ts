// A journal in a file: its owner, then a line for each entry, synced to the disk. One process at a time has it.
import { jsonOf } from '../lib/json.ts';
import {
  appendFileSync,
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { InUse, lock } from '../workspace/lock.ts';
import { type Entry, EntrySchema, live, type Store } from './journal.ts';
import { codeOf } from '../lib/message.ts';

/** Identity of a journal: short texts by name. All must be equal to continue the journal. */
export type Owner = Readonly<Record<string, string>>;

type Foreign = (part: string, value: string) => string;

export interface FileStoreOptions {
  /** Describes the owner of a journal of which a part has another value. */
  foreign?: Foreign;
  /** Discards the file's present content. */
  anew?: boolean;
}

export interface FileStore extends Store {
  append(entries: readonly Entry[]): void;
  close(): void;
}

/** The file cannot be gone on with; the message says why and what to do. */
export class JournalRefused extends Error {}

const format = 'echelon-journal';
const version = 4;
const Head = z.object({
  format: z.literal(format),
  version: z.literal(version),
  owner: z.record(z.string(), z.string()),
});

/**
 * Opens the journal, or begins it where there is no file or an empty one. A last line that was cut off is dropped.
 * Throws JournalRefused, and what the file system throws.
 */
export function openFileStore(
  path: string,
  owner: Owner,
  { foreign = (part, value) => `another ${part}: ${value}`, anew = false }: FileStoreOptions = {},
): FileStore {
  const unlock = lockOf(path);
  let found: ReturnType<typeof read>;
  let file: number;
  try {
    if (anew) rmSync(path, { force: true });
    found = read(path, owner, foreign);
    file = openSync(path, 'a', 0o600);
  } catch (error) {
    unlock();
    throw error;
  }
  const entries: Entry[] = found.entries;
  const head = { format, version, owner };
  const written = linesOf(path, file);
  if (!found.begun) written.append([head]);
  return {
    entries,
    append(more) {
      const isReplaced = (key: string) =>
        entries.some(entry => entry.t === 'checkpoint' && entry.key === key);
      // A checkpoint is long, and there is one for each model call: only the newest is kept.
      if (more.some(entry => entry.t === 'checkpoint' && isReplaced(entry.key)))
        written.replace([head, ...live([...entries, ...more])]);
      else written.append(more);
      entries.push(...more);
    },
    close() {
      written.close();
      unlock();
    },
  };
}

/** Lines of JSON in `path`, which is open as `file`, synced to the disk: all of `values`, or, where they throw, none. */
function linesOf(path: string, file: number) {
  let ended = false;
  const write = (act: () => void) => {
    if (ended) throw new Error(`${path} takes no more lines: it was closed, or could not be written`);
    const { size } = fstatSync(file);
    // Nothing may follow a part of a line.
    ended = true;
    try {
      act();
    } catch (error) {
      ftruncateSync(file, size);
      ended = false;
      throw error;
    }
    ended = false;
  };
  const linesFor = (values: readonly object[]) => values.map(value => `${JSON.stringify(value)}\n`).join('');
  return {
    append: (values: readonly object[]) =>
      write(() => appendFileSync(file, linesFor(values), { flush: true })),
    /** Puts them in the place of all that the file holds. */
    replace: (values: readonly object[]) =>
      write(() => {
        const place = realpathSync(path);
        writeFileSync(`${place}.new`, linesFor(values), { mode: 0o600, flush: true });
        renameSync(`${place}.new`, place);
        closeSync(file);
        file = openSync(path, 'a', 0o600);
      }),
    close() {
      ended = true;
      closeSync(file);
    },
  };
}

/** Under whatever name the file is reached, the lock is beside it. */
function lockOf(path: string): () => void {
  let place = join(realpathSync(dirname(path)), basename(path));
  try {
    place = realpathSync(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  try {
    return lock(`${place}.lock.db`, path);
  } catch (error) {
    throw error instanceof InUse ? new JournalRefused(error.message, { cause: error }) : error;
  }
}

function read(path: string, owner: Owner, foreign: Foreign): { begun: boolean; entries: Entry[] } {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    return { begun: false, entries: [] };
  }
  const whole = bytes.lastIndexOf(0x0a) + 1;
  if (whole === 0) {
    const beginning = `{"format":"${format}"`;
    if (bytes.length > 0 && !beginning.startsWith(bytes.toString('utf8', 0, beginning.length)))
      throw new JournalRefused(`${path} is not a journal; name another file`);
    truncateSync(path, 0);
    return { begun: false, entries: [] };
  }
  const { owner: theirs, entries } = parseJournal(path, bytes);
  for (const [part, value] of Object.entries(owner))
    if (theirs[part] !== value)
      throw new JournalRefused(
        `${path} is the journal of ${foreign(part, theirs[part] ?? '')}; name another file, or delete it`,
      );
  // Only now: a file that is not ours is never changed.
  if (whole < bytes.length) truncateSync(path, whole);
  return { begun: true, entries };
}

/** Owner and entries in the complete lines of a journal; `name`: of the file, for messages. Throws JournalRefused. */
export function parseJournal(name: string, bytes: Buffer): { owner: Owner; entries: Entry[] } {
  const whole = bytes.lastIndexOf(0x0a) + 1;
  const [first = '', ...rest] = bytes.toString('utf8', 0, whole).split('\n').slice(0, -1);
  const head = Head.safeParse(jsonOf(first));
  if (!head.success) throw new JournalRefused(`${name} is not a journal of this version; name another file`);
  const entries = rest.map((text, at) => {
    const line = EntrySchema.safeParse(jsonOf(text));
    if (!line.success)
      throw new JournalRefused(`${name}:${at + 2}: the journal is damaged; delete it to begin anew`);
    return line.data;
  });
  return { owner: head.data.owner, entries };
}
