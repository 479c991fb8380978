// A job's log, a line at a time with the time of each, and its summary.
import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, masker } from '@echelon/ground';
import type { Core } from '../core.ts';

export class Secrets {
  readonly #values: string[];
  #mask: (text: string) => string;

  constructor(values: readonly string[]) {
    this.#values = [...values];
    this.#mask = masker(this.#values);
  }

  /** From now on; what was written before stays. Lines of a longer value count for themselves, as on GitHub. */
  add(value: string): void {
    const lines = value.split(/[\r\n]+/).map(line => line.trim());
    this.#values.push(value, ...lines.filter(line => line !== value));
    this.#mask = masker(this.#values);
  }

  /** With `***` in the place of each secret and of its encodings (see `lib/mask.ts` for which). */
  mask(text: string): string {
    return this.#mask(text);
  }

  /** True if the text holds one of them, or the shape of a token. */
  foundIn(text: string): boolean {
    return this.#mask(text) !== text;
  }
}

export interface JobRecord {
  /** Adds to the log. A text of several lines gives several. */
  write(text: string): void;
  /** Jobs of its workflow that it waited for. */
  follow(needs: readonly string[]): void;
  /** Later lines belong to the next step. */
  nextStep(): void;
  /** Adds the Markdown of a step. */
  summarize(markdown: string): void;
  /** The end of the log; nothing may be written afterwards. */
  end(): void;
}

/** Data kept of a job beside the log. */
export interface JobNotes {
  needs: string[];
  summary: string;
  /** Lines of the log before each step, in their order. */
  stepLines: number[];
}

/** Characters of one line; characters and lines of the end of a log that is longer than it may be. */
const longestLine = 64 * 1024;
const longestTail = 64 * 1024;
const mostInTail = 1000;

/** Path of a job's log. */
export const logFile = (core: Core, jobId: number): string =>
  join(core.folder, 'actions', 'logs', `${jobId}.log`);

/**
 * Begins the record of a job anew. Secrets are taken out of all that is written. Of a log of more than `mostBytes` the
 * middle is left out, and the log says so.
 */
export function openJobRecord(core: Core, jobId: number, secrets: Secrets, mostBytes: number): JobRecord {
  mkdirSync(join(core.folder, 'actions', 'logs'), { recursive: true, mode: 0o700 });
  const file = openSync(logFile(core, jobId), 'w', 0o600);
  const notes: JobNotes = { needs: [], summary: '', stepLines: [] };
  const save = () =>
    core.db.aside(() =>
      core.db.run(
        'INSERT OR REPLACE INTO job_notes (job_id, notes) VALUES (?, ?)',
        jobId,
        JSON.stringify(notes),
      ),
    );
  save();
  const put = (time: number, line: string) => {
    const stamp = new Date(time).toISOString().replace('Z', '0000Z');
    const text = `${stamp} ${secrets.mask(line).slice(0, longestLine)}\n`;
    writeSync(file, text);
    return Buffer.byteLength(text);
  };
  const log = boundedLog(put, () => core.clock.now(), mostBytes);
  return {
    write: log.add,
    follow(needs) {
      notes.needs.push(...needs);
      save();
    },
    nextStep() {
      notes.stepLines.push(log.lines());
      save();
    },
    summarize(markdown) {
      notes.summary += `${secrets.mask(markdown).trimEnd()}\n\n`;
      save();
    },
    end() {
      log.end();
      closeSync(file);
    },
  };
}

/** Writes lines up to the bound; of what comes then the last are kept in memory and written at the end. */
function boundedLog(put: (time: number, line: string) => number, now: () => number, mostBytes: number) {
  let written = 0;
  let lines = 0;
  let dropped = 0;
  let tail: { time: number; line: string }[] = [];
  let inTail = 0;
  const keep = (line: string) => {
    tail.push({ time: now(), line });
    inTail += line.length;
    // Seldom, and then much of it: a log may have millions of lines.
    if (inTail < 2 * longestTail && tail.length < 2 * mostInTail) return;
    let first = 0;
    while (first < tail.length - 1 && (inTail > longestTail || tail.length - first > mostInTail))
      inTail -= tail[first++]?.line.length ?? 0;
    dropped += first;
    tail = tail.slice(first);
  };
  return {
    /** In the log, so far. */
    lines: () => lines,
    add(text: string) {
      for (const line of text.split(/\r\n|\r|\n/))
        if (written < mostBytes) {
          written += put(now(), line);
          lines += 1;
        } else keep(line);
    },
    end() {
      const left = `##[warning]${dropped} lines are left out here: a log holds ${mostBytes} bytes at most.`;
      if (dropped > 0) put(now(), left);
      for (const { time, line } of tail) put(time, line);
    },
  };
}

/** As in GitHub's logs: seven digits behind the second. */

/** The log so far; undefined while the job has none. */
export function readLog(core: Core, jobId: number): string | undefined {
  try {
    return readFileSync(logFile(core, jobId), 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Empty ones while the job has none. */
export function readNotes(core: Core, jobId: number): JobNotes {
  const row = core.db.one<{ notes: string }>('SELECT notes FROM job_notes WHERE job_id = ?', jobId);
  const none: JobNotes = { needs: [], summary: '', stepLines: [] };
  // Notes of an older version may lack some.
  return row ? { ...none, ...JSON.parse(row.notes) } : none;
}
