// More of a file around its changes: lines that both sides have, added to the hunks of its patch.

/** Lines of the newer file, counted from 1; both ends belong to it. */
export interface Range {
  from: number;
  to: number;
}

interface Hunk {
  /** Numbers of its first line on both sides. */
  before: number;
  after: number;
  lines: string[];
}

/**
 * The patch with the unchanged lines of these ranges in it; `file`: the lines of the newer file. Hunks that then touch
 * are one. As `git diff` writes it with more context, but without the names of functions.
 */
export function widened(patch: string, file: readonly string[], ranges: readonly Range[]): string {
  const isAsked = (line: number) => ranges.some(({ from, to }) => line >= from && line <= to);
  const made: Hunk[] = [];
  let open: Hunk | undefined;
  let [before, after] = [1, 1];
  const add = (line: string) => {
    if (!open) {
      open = { before, after, lines: [] };
      made.push(open);
    }
    open.lines.push(line);
    if (isOf(line, '-')) before += 1;
    if (isOf(line, '+')) after += 1;
  };
  const goTo = (end: number) => {
    while (after < end) {
      if (isAsked(after)) {
        add(` ${file[after - 1] ?? ''}`);
        continue;
      }
      open = undefined;
      before += 1;
      after += 1;
    }
  };
  for (const hunk of hunksOf(patch)) {
    goTo(hunk.after);
    for (const line of hunk.lines) add(line);
  }
  goTo(file.length + 1);
  return made.map(textOf).join('\n');
}

/** Whether a line of a patch stands on the older (`-`) or the newer side (`+`). */
const isOf = (line: string, side: '-' | '+'): boolean => line.startsWith(side) || line.startsWith(' ');

function hunksOf(patch: string): Hunk[] {
  const hunks: Hunk[] = [];
  for (const line of patch.split('\n')) {
    const [, before, count, after, came] = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (after === undefined) hunks.at(-1)?.lines.push(line);
    // A side without lines is named by the line before them.
    else
      hunks.push({
        before: Number(before) + (count === '0' ? 1 : 0),
        after: Number(after) + (came === '0' ? 1 : 0),
        lines: [],
      });
  }
  return hunks;
}

function textOf({ before, after, lines }: Hunk): string {
  const side = (sign: '-' | '+', start: number) => {
    const count = lines.filter(line => isOf(line, sign)).length;
    return `${sign}${count === 0 ? start - 1 : start}${count === 1 ? '' : `,${count}`}`;
  };
  return [`@@ ${side('-', before)} ${side('+', after)} @@`, ...lines].join('\n');
}
