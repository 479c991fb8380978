// The words of a text for full-text search: of prose, of paths, and of the names that programs use.

/** Words that are in every request and say nothing about where to look. */
const stopWords = new Set(
  'a an and any are as at be but by can do does for from has have how i if in into is it its me my no not of on or our should so that the their them then there these this to us was we were what when where which will with would you your please'.split(
    ' ',
  ),
);

const longestTerm = 40;

/** Splits at what is no letter or digit, between `camel` and `Case`, and after the last capital of `HTTPServer`. */
export function wordsOf(text: string): string[] {
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
export function termOf(word: string): string | undefined {
  const term = word.toLowerCase().slice(0, longestTerm);
  if (stopWords.has(term)) return undefined;
  return term.replace(/^([a-z]{4,}?)(?:ings?|ers?|ed|es|e|s)$/, '$1');
}
