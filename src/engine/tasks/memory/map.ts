// A map of a repository out of its index, as closely as a number of tokens allows.
import { estimateTokens } from '../../language/trim.ts';
import { canBeShown } from './choose.ts';
import type { GlobalIndex } from './global-index.ts';
import { briefly, termsIn } from './narrow.ts';
import { AID_TOKENS, allFit, headOf } from './share.ts';

/** Folders deeper than this are folded where not every path can stand in the map. */
const DEEPEST = 8;

/** The map for a task, `about`, that opens files itself: empty where they are so few that it is shown all of them. */
export const mapBesideAid = (index: GlobalIndex, tokens: number, about: string): string =>
  allFit(index.filter(canBeShown), AID_TOKENS) ? '' : mapOf(index, tokens, termsIn(about));

/**
 * A line for each file with what it says of itself; where that is longer than `tokens` its path alone; beyond that folders
 * with the number of their files, the deepest folded first. Empty where nothing can be shown.
 */
function mapOf(index: GlobalIndex, tokens: number, terms: ReadonlySet<string>): string {
  const shown = index.filter(canBeShown);
  const paths = shown.map(({ path }) => path);
  const lines = shown.map(each => mapLine(each, terms));
  const fitting = (text: string) => estimateTokens(text) <= tokens;
  for (const text of [lines.join('\n'), paths.join('\n')]) if (fitting(text)) return text;
  for (let depth = DEEPEST; depth > 1; depth--) {
    const text = folded(paths, depth);
    if (fitting(text)) return text;
  }
  return headOf(folded(paths, 1), tokens, '\n[cut off; list the rest with your tools]');
}

/** The path; of what the file says of itself the first sentence, without what the name tells, and the size. */
export const mapLine = ({ path, metadata }: GlobalIndex[number], terms: ReadonlySet<string>): string =>
  `${path}  ${briefly(metadata, terms)
    .replace(/^[^:;]*?, [\d.]+ [KM]?B(?:[:;] )?/, '')
    .replace(/^(.{8,}?\.) .*?(?=; exports |$)/, '$1')}`.trimEnd();

/** Paths of at most `depth` parts; of deeper ones the folder, with how many files are in it. */
function folded(paths: readonly string[], depth: number): string {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const parts = path.split('/');
    const name = parts.length <= depth ? path : `${parts.slice(0, depth).join('/')}/`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .map(([name, count]) =>
      name.endsWith('/') ? `${name}  ${count} ${count === 1 ? 'file' : 'files'}` : name,
    )
    .join('\n');
}
