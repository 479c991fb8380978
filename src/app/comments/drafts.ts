// Fate of the engineering lead's drafts, for people.
import { plural } from './figures.ts';
import { neutralLine } from './neutral.ts';

/** The fields of a draft that the team lead may change, and what they are called. */
const words = {
  title: 'title',
  body: 'text',
  labels: 'labels',
  assignee: 'assignee',
  domain: 'domain',
  depends_on: 'dependencies',
  paths: 'paths',
  estimate_minutes: 'estimate',
} as const;
export type DraftField = keyof typeof words;
export const draftFields = Object.keys(words) as DraftField[];

/** A draft that is taken, with the fields that were changed, or left out, and why. */
export type DraftUse = { taken: readonly DraftField[] } | { left: string };

/**
 * What a reply does with drafts: `Drafts: 1 and 3 as written; 2 changed (title and text); 4 left out (it is done); 5 not
 * taken.` Empty where it says nothing of them.
 */
export function draftsSaid(said: ReadonlyMap<number, DraftUse>, untaken: readonly number[]): string {
  const asWritten: number[] = [];
  const others: string[] = [];
  for (const [number, use] of [...said].sort(([a], [b]) => a - b))
    if ('left' in use) others.push(`${number} left out (${neutralLine(use.left)})`);
    else if (use.taken.length === 0) asWritten.push(number);
    else others.push(`${number} changed (${and(use.taken.map(field => words[field]))})`);
  const parts = [
    asWritten.length > 0 ? `${and(asWritten)} as written` : '',
    ...others,
    untaken.length > 0 ? `${and(untaken)} not taken` : '',
  ].filter(Boolean);
  return parts.length > 0 ? `Drafts: ${parts.join('; ')}.` : '';
}

const list = new Intl.ListFormat('en-GB');
const and = (each: readonly (string | number)[]) => list.format(each.map(String));

/** Drafts of a reply: `3 drafts: Light the lamp; Paint the shade; Describe both`. */
export const draftsMade = (titles: readonly string[]): string =>
  `${plural(titles.length, 'draft')}: ${titles.map(title => neutralLine(title)).join('; ')}`;
