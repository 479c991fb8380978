// Full-text search over the index, and over any short list of texts: for what no model is there, or too much is.
import MiniSearch, { type Options } from 'minisearch';
import type { IndexEntry } from './global-index.ts';

/** A query is somebody's text: more of it than this is not searched for. */
const longestQuery = 4000;
const mostTerms = 48;
/** Of a ranked text; of metadata this is all. */
const longestText = 20_000;

/** Built once for an index, which never changes. */
const built = new WeakMap<readonly IndexEntry[], MiniSearch>();

/**
 * The entries that the words of `query` speak of, at most `most`, best first; equal scores in the order of their
 * paths. Scores are in 0..1: 1 means that all words of the query occur, and nothing fits better. Entries that share
 * no word are not among them.
 */
export function narrow(
  entries: readonly IndexEntry[],
  query: string,
  most: number,
): { entry: IndexEntry; score: number }[] {
  let search = built.get(entries);
  if (!search) {
    search = new MiniSearch(options(['path', 'metadata']));
    search.addAll(entries.map(({ path, metadata }, id) => ({ id, path, metadata })));
    built.set(entries, search);
  }
  return hits(search, query)
    .map(({ id, score }) => ({ entry: entries[id]!, score }))
    .sort((a, b) => b.score - a.score || (a.entry.path < b.entry.path ? -1 : 1))
    .slice(0, Math.max(0, most));
}

/**
 * The items whose text the words of `query` speak of, at most `most`, best first; equal scores in the order given.
 * Scores as in `narrow`.
 */
export function rank<T>(
  items: readonly T[],
  textOf: (item: T) => string,
  query: string,
  most: number,
): { item: T; score: number }[] {
  const search = new MiniSearch(options(['text']));
  search.addAll(items.map((item, id) => ({ id, text: textOf(item).slice(0, longestText) })));
  return hits(search, query)
    .sort((a, b) => b.score - a.score || a.id - b.id)
    .slice(0, Math.max(0, most))
    .map(({ id, score }) => ({ item: items[id]!, score }));
}

const options = (fields: string[]): Options => ({
  fields,
  tokenize: wordsOf,
  processTerm: word => termOf(word),
  searchOptions: {
    // A path names its subject; metadata also mentions others.
    ...(fields.includes('path') && { boost: { path: 2 } }),
    // Short words begin, and are nearly, too many others.
    prefix: term => term.length >= 3,
    fuzzy: term => (term.length >= 5 ? 1 : false),
    weights: { prefix: 0.4, fuzzy: 0.2 },
  },
});

/** Scores relative to the best, times the share of the query's terms that the best has: comparable across queries. */
function hits(search: MiniSearch, query: string): { id: number; score: number }[] {
  const terms = [...termsIn(query)].slice(0, mostTerms);
  if (terms.length === 0) return [];
  const found = search.search(terms.join(' '), {
    tokenize: text => text.split(' '),
    processTerm: term => term,
  });
  const best = found[0];
  if (!best) return [];
  const share = best.queryTerms.length / terms.length;
  return found.map(({ id, score }) => ({ id, score: Math.min(1, (score / best.score) * share) }));
}

/** Names of a file that a model is shown at most. */
const shownNames = 12;

/** The metadata with at most twelve of its names, those with one of a task's `terms` first. */
export const briefly = (metadata: string, terms: ReadonlySet<string>): string =>
  metadata.replace(/(?<=; exports )[^;]*$/, list => {
    const names = list.split(', ');
    if (names.length <= shownNames) return list;
    const asked = names.filter(name => [...termsIn(name)].some(term => terms.has(term)));
    return `${[...new Set([...asked, ...names])].slice(0, shownNames).join(', ')}, ...`;
  });

// The words of a text for full-text search: of prose, of paths, and of the names that programs use.

/** Words that are in every request and say nothing about where to look. */
const stopWords = new Set(
  'a an and any are as at be but by can do does for from has have how i if in into is it its me my no not of on or our should so that the their them then there these this to us was we were what when where which will with would you your please'.split(
    ' ',
  ),
);

const longestTerm = 40;

/** The terms of a text's beginning, each once. */
export const termsIn = (text: string): Set<string> =>
  new Set(wordsOf(text.slice(0, longestQuery)).flatMap(word => termOf(word) ?? []));

/** Splits at what is no letter or digit, between `camel` and `Case`, and after the last capital of `HTTPServer`. */
function wordsOf(text: string): string[] {
  return (
    text
      .toWellFormed()
      .normalize('NFKC')
      .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
      .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}

/**
 * The form under which a word is found: lower case, without the commonest English endings (`parser`, `parsed`,
 * `parsing`, `parse` are one term). Undefined for a word that says nothing.
 */
function termOf(word: string): string | undefined {
  const term = word.toLowerCase().slice(0, longestTerm);
  if (stopWords.has(term)) return undefined;
  return term.replace(/^([a-z]{4,}?)(?:ings?|ers?|ed|es|e|s)$/, '$1');
}
