// The lines that a person entered, kept for the next time in a file that only they can read.
import { appendFileSync, chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf } from '../../../../lib/message.ts';

/** Lines that are kept. */
const MOST = 1000;

export interface History {
  /** The newest first, as readline has them. */
  readonly lines: string[];
  /** Keeps a line. Never throws: what keeps it from being written is told once. */
  add(line: string): void;
}

/** `folder`: made where it is not there. `tell`: why nothing is kept. */
export function openHistory(folder: string, tell: (problem: string) => void): History {
  const file = join(folder, 'task-repl-history');
  let isKept = true;
  const attempt = (act: () => void) => {
    if (!isKept) return;
    try {
      act();
    } catch (error) {
      isKept = false;
      tell(`the history is not kept: ${file} (${codeOf(error) ?? String(error)})`);
    }
  };
  const lines: string[] = [];
  attempt(() => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    lines.push(...readLines(file));
    if (lines.length > MOST) {
      lines.splice(0, lines.length - MOST);
      writeFileSync(file, lines.map(line => `${line}\n`).join(''));
    }
    // It may have been made readable to others.
    appendFileSync(file, '', { mode: 0o600 });
    chmodSync(file, 0o600);
  });
  return {
    lines: lines.toReversed(),
    add(line) {
      if (line.trim() !== '') attempt(() => appendFileSync(file, `${line}\n`, { mode: 0o600 }));
    },
  };
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}
