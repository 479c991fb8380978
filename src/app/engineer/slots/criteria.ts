// Criteria of an issue: the evaluator's verdict on each, and those of its text that nobody has judged.
import { z } from 'zod';
import { type Json, shortened } from '@echelon/ground';
import { type Criterion, MAX_CRITERIA } from '../jobs/report-spec.ts';

/** Characters of a criterion that are kept. */
const TEXT = 300;

/** As the program's text asks for it; an entry that is none is dropped. */
const Judged = z.object({
  of: z.int().catch(0),
  text: z
    .string()
    .transform(text => shortened(text.trim(), TEXT))
    .catch(''),
  met: z.boolean().nullable().catch(null),
  evidence: z
    .string()
    .transform(text => shortened(text.trim(), 500))
    .catch(''),
});

/**
 * An evaluator's criteria: never an error, since the change is judged without it. `body`: the text, whose
 * criteria it names by the numbers that `numbered` gives them, or by their words. Undefined: nothing.
 */
export function criteriaOf(given: Json | undefined, body: string): Criterion[] | undefined {
  if (!Array.isArray(given)) return undefined;
  const listed = listedIn(body);
  const found = new Map<string, Criterion>();
  for (const { of, ...judged } of given.flatMap(each => Judged.safeParse(each).data ?? [])) {
    const text = listed[of - 1] ?? listed.find(each => isMeant(judged.text, each)) ?? judged.text;
    if (text === '') continue;
    const before = found.get(text);
    // Of two answers that differ nobody can tell which is meant.
    const met = before && before.met !== judged.met ? null : judged.met;
    found.set(text, { ...judged, text, met });
  }
  return found.size > 0 ? [...found.values()].slice(0, MAX_CRITERIA) : undefined;
}

/** Numbers of the criteria of an issue's text that the evaluator's answer leaves out; none where it answers no list. */
export function unjudged(given: Json | undefined, body: string): number[] {
  if (!Array.isArray(given)) return [];
  const judged = criteriaOf(given, body)?.map(({ text }) => text) ?? [];
  const shown = listedIn(body).slice(0, MAX_CRITERIA);
  return shown.flatMap((text, index) => (judged.includes(text) ? [] : index + 1));
}

/** A heading, or a line in its place, under which an issue lists what it is judged by. */
const heads = /^(?:#{1,6} |\*\*)?(?:acceptance criteria|definition of done|done when)\b.{0,20}$/i;
const item = /^(\s{0,6}(?:[-*+]|\d{1,2}[.)]) +(?:\[[ xX]\] +)?)(\S.*)$/;
const task = /^(\s{0,6}[-*+] +\[[ xX]\] +)(\S.*)$/;

/** The lines of an issue's text: its criteria, which are its tasks and the items below such a heading, with their marks. */
function* linesOf(body: string): Generator<{ line: string; mark: string; text: string | undefined }> {
  let under = false;
  for (const line of body.split(/\r?\n/)) {
    const [, mark = '', text] = (under ? item : task).exec(line) ?? [];
    if (text === undefined && line.trim() !== '') under = heads.test(line.trim());
    yield { line, mark, text: text?.trim() };
  }
}

/** The criteria that the text of an issue lists, as they are shown to people. */
const listedIn = (body: string): string[] =>
  [...linesOf(body)].flatMap(({ text }) => (text === undefined ? [] : shortened(text, TEXT)));

/** The text of an issue with a number before each of its criteria, by which an evaluator names them. */
export function numbered(body: string): string {
  let count = 0;
  return [...linesOf(body)]
    .map(({ line, mark, text }) => (text === undefined ? line : `${mark}(${++count}) ${text}`))
    .join('\n');
}

const words = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Characters of a criterion by which it is known: fewer words may begin another one. */
const KNOWN = 20;

/** True if a text has the words of a criterion, or those that it begins with. */
function isMeant(text: string, criterion: string): boolean {
  const [said, whole] = [words(text), words(criterion)];
  return said === whole || (said.length >= KNOWN && whole.startsWith(said));
}

/** Those that were judged, then those of the text that were not; of many the last says how many more there are. */
export function allCriteria(judged: readonly Criterion[] = [], body: string): Criterion[] {
  const others = listedIn(body).filter(text => !judged.some(each => each.text === text));
  const open = (text: string) => ({ text, met: null, evidence: '' });
  const all = [...judged, ...others.map(open)];
  if (all.length <= MAX_CRITERIA) return all;
  return [...all.slice(0, MAX_CRITERIA - 1), open(`and ${all.length - MAX_CRITERIA + 1} more`)];
}
