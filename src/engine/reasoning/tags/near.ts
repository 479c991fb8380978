// Whether an unknown name was meant as a tag's.
import { nearest } from '../../../lib/nearest.ts';
import { tagNames } from './table.ts';

/** What a reply may do: a `vaultref` does nothing by itself. */
export const operationTags = tagNames.filter(each => each !== 'vaultref');
const words: ReadonlySet<string> = new Set(operationTags.flatMap(each => each.split('_')));
/** A longer name is near to none: its beginning would have to be more than half of it. */
const LONGEST = 2 * Math.max(...operationTags.map(each => each.length));

/** Near to a known one, or a word of one (`js`, `output`). Anything else, such as `figure`, is another language's. */
export function isNearTag(name: string): boolean {
  return name.length <= LONGEST && (words.has(name) || nearest(name, operationTags).length > 0);
}
