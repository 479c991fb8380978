// The lines that a person entered, kept for the next time in a file that only they can read.
import { appendFileSync, chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '@echelon/ground';

/** Lines that are kept. */
const MOST = 1000;

export type History = ReturnType<typeof openHistory>;

/** `folder`: made where it is not there. `tell`: why nothing is kept, once. The newest line is the first, as for readline. */
export function openHistory(folder: string, tell: (problem: string) => void) {
  const file = join(folder, 'task-repl-history');
  let lines: string[] = [];
  let isKept = true;
  const attempt = (act: () => void) => {
    try {
      if (isKept) act();
    } catch (error) {
      isKept = false;
      tell(`the history is not kept: ${file} (${codeOf(error) ?? String(error)})`);
    }
  };
  attempt(() => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    appendFileSync(file, '', { mode: 0o600 });
    // It may have been made readable to others.
    chmodSync(file, 0o600);
    const all = readFileSync(file, 'utf8').split('\n').filter(Boolean);
    lines = all.slice(-MOST);
    if (all.length > MOST) writeFileSync(file, `${lines.join('\n')}\n`);
  });
  return {
    lines: lines.toReversed(),
    add(line: string): void {
      if (line.trim() !== '') attempt(() => appendFileSync(file, `${line}\n`));
    },
  };
}
