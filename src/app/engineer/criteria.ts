// What an issue asks for: what its evaluator said of each criterion, and those of its text that nobody has judged.
import { z } from 'zod';
import type { Json } from '../../lib/json.ts';
import { type Criterion, MAX_CRITERIA } from './report-spec.ts';

const cut = (most: number) => z.string().transform(text => text.trim().slice(0, most));

/** As the program's text asks for it; an entry that is none is dropped. */
const Judged = z.object({
  text: cut(300).pipe(z.string().min(1)),
  met: z.boolean().nullable().catch(null),
  evidence: cut(500).catch(''),
});

/** What an evaluator answered: never an error, since the change is judged without it. Undefined: nothing. */
export function criteriaOf(given: Json | undefined): Criterion[] | undefined {
  if (!Array.isArray(given)) return undefined;
  const found = given.flatMap(each => Judged.safeParse(each).data ?? []).slice(0, MAX_CRITERIA);
  return found.length > 0 ? found : undefined;
}

/** A heading, or a line in its place, under which an issue lists what it is judged by. */
const heads = /^(?:#{1,6} |\*\*)?(?:acceptance criteria|definition of done|done when)\b.{0,20}$/i;
const item = /^\s{0,6}(?:[-*+]|\d{1,2}[.)]) +(?:\[[ xX]\] +)?(\S.*)$/;
const task = /^\s{0,6}[-*+] +\[[ xX]\] +(\S.*)$/;

/** The criteria that the text of an issue lists: its tasks, and the items below such a heading. */
function listedIn(body: string): string[] {
  let under = false;
  return body.split(/\r?\n/).flatMap(line => {
    const listed = (under ? item : task).exec(line)?.[1];
    if (listed !== undefined) return listed.trim();
    if (line.trim() !== '') under = heads.test(line.trim());
    return [];
  });
}

/** What two texts have in common that mean the same words. */
const words = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Those that were judged, then those of the text that were not. */
export function allCriteria(judged: readonly Criterion[] | undefined, body: string): Criterion[] {
  const known = new Set((judged ?? []).map(({ text }) => words(text)));
  const others = listedIn(body)
    .map(text => text.slice(0, 300))
    .filter(text => !known.has(words(text)));
  return [...(judged ?? []), ...others.map(text => ({ text, met: null, evidence: '' }))].slice(
    0,
    MAX_CRITERIA,
  );
}
