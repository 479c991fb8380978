// LESSONS.md, to which every issue may add lines: what two branches add is united, and a line that both add stands once.
import { type GitOptions, git, gitBytes } from './git.ts';

const path = 'LESSONS.md';

/** Git's own driver takes the lines of both sides. Written beside the mirror: nobody's repository has to know. */
export const lessonsAttributes = `/${path} merge=union\n`;

/** What is longer stays as git has united it (bytes). */
const MAX_BYTES = 1 << 20;

/**
 * The tree of a merge with each line of its lessons no more often than one of the sides (commits) has it: git's driver
 * repeats what both have added among other lines.
 */
export async function uniteLessons(
  options: GitOptions,
  tree: string,
  sides: readonly string[],
): Promise<string> {
  const united = await lessonsIn(options, tree);
  const own = await Promise.all(sides.map(side => lessonsIn(options, side)));
  if (!united || own.some(each => !each || each.oid === united.oid)) return tree;
  const files = [united, ...own.filter(each => each !== undefined)];
  if (files.some(({ size }) => size > MAX_BYTES)) return tree;
  const [text = '', ...texts] = await Promise.all(
    files.map(async ({ oid }) => String(await gitBytes(['cat-file', 'blob', oid], options))),
  );
  const once = withoutRepeats(text, texts);
  if (once === text) return tree;
  const blob = (await git(['hash-object', '-w', '--stdin'], { ...options, input: once })).trim();
  const entries = (await git(['ls-tree', '-z', tree], options)).split('\0').filter(Boolean);
  const changed = entries.map(entry =>
    entry.endsWith(`\t${path}`) ? entry.replace(united.oid, blob) : entry,
  );
  return (await git(['mktree', '-z', '--missing'], { ...options, input: `${changed.join('\0')}\0` })).trim();
}

/** The file at the root; a link or a folder is none. */
async function lessonsIn(
  options: GitOptions,
  tree: string,
): Promise<{ oid: string; size: number } | undefined> {
  const listed = await git(['ls-tree', '-l', '-z', '--full-tree', tree, '--', path], options);
  const [, oid, size] = /^100\d{3} blob (\w+) +(\d+)\t/.exec(listed) ?? [];
  return oid === undefined ? undefined : { oid, size: Number(size) };
}

function withoutRepeats(text: string, sides: readonly string[]): string {
  const most = new Map<string, number>();
  for (const side of sides)
    for (const [line, { length }] of Map.groupBy(side.split('\n'), line => line))
      most.set(line, Math.max(most.get(line) ?? 0, length));
  const seen = new Map<string, number>();
  const kept = text.split('\n').filter(line => {
    const nth = (seen.get(line) ?? 0) + 1;
    seen.set(line, nth);
    return line.trim() === '' || nth <= (most.get(line) ?? 1);
  });
  return kept.join('\n');
}
