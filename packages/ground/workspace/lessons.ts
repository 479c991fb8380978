// LESSONS.md, to which every issue may add lines: where git cannot merge what two branches add, the lines of both stay.
import { type GitOptions, git, gitBytes } from './git.ts';

export const lessonsPath = 'LESSONS.md';

/** GitHub asks no attributes of a repository when it merges, so none choose a driver here. */
export const plainMerges = '* !merge\n';

/** A longer file stays in conflict (bytes). */
const MAX_BYTES = 1 << 20;

/**
 * The tree of a merge whose lessons conflict, with the lines of both sides, each once, in the place of the marks; undefined
 * where there are none, as of a file that one side has deleted.
 */
export async function uniteLessons(options: GitOptions, tree: string): Promise<string | undefined> {
  const entries = (await git(['ls-tree', '-l', '-z', tree], options)).split('\0').filter(Boolean);
  const listed = entries.find(entry => entry.endsWith(`\t${lessonsPath}`)) ?? '';
  const [, oid, size] = /^100\d{3} blob (\w+) +(\d+)\t/.exec(listed) ?? [];
  if (oid === undefined || Number(size) > MAX_BYTES) return undefined;
  const text = String(await gitBytes(['cat-file', 'blob', oid], options));
  const united = withoutMarks(text);
  if (united === text) return undefined;
  const blob = (await git(['hash-object', '-w', '--stdin'], { ...options, input: united })).trim();
  const changed = entries.map(entry =>
    (entry === listed ? entry.replace(oid, blob) : entry).replace(/ +[\d-]+\t/, '\t'),
  );
  return (await git(['mktree', '-z', '--missing'], { ...options, input: `${changed.join('\0')}\0` })).trim();
}

/** The mark that ends a side of a conflict, and the side that follows. */
const marks = {
  both: ['<<<<<<<', 'ours'],
  ours: ['=======', 'theirs'],
  theirs: ['>>>>>>>', 'both'],
} as const;

/** Of each conflict the lines of this side, and those of the other that are not among them. */
function withoutMarks(text: string): string {
  let side: keyof typeof marks = 'both';
  let ours = new Set<string>();
  const kept = text.split('\n').filter(line => {
    const [mark, next] = marks[side];
    if (line.startsWith(mark)) {
      side = next;
      if (side === 'ours') ours = new Set();
      return false;
    }
    if (side === 'ours') ours.add(line);
    return side !== 'theirs' || line.trim() === '' || !ours.has(line);
  });
  return kept.join('\n');
}
