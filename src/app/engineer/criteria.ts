// What an issue asks for: what its evaluator said of each criterion, and those of its text that nobody has judged.
import { z } from 'zod';
import { type Json, shortened } from '@echelon/ground';
import { type Criterion, MAX_CRITERIA } from './report-spec.ts';

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
 * What an evaluator answered: never an error, since the change is judged without it. `body`: the text, whose
 * criteria it names by the numbers that `numbered` gives them. Undefined: nothing.
 */
export function criteriaOf(given: Json | undefined, body: string): Criterion[] | undefined {
  if (!Array.isArray(given)) return undefined;
  const listed = listedIn(body);
  const found = new Map<string, Criterion>();
  for (const { of, ...judged } of given.flatMap(each => Judged.safeParse(each).data ?? [])) {
    const text = listed[of - 1] ?? judged.text;
    if (text === '') continue;
    const before = found.get(text);
    // Of two answers that differ nobody can tell which is meant.
    const met = before && before.met !== judged.met ? null : judged.met;
    found.set(text, { ...judged, text, met });
  }
  return found.size > 0 ? [...found.values()].slice(0, MAX_CRITERIA) : undefined;
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

/** What two texts have in common that mean the same words. */
const words = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Those that were judged, then those of the text that were not. */
export function allCriteria(judged: readonly Criterion[] | undefined, body: string): Criterion[] {
  const known = new Set((judged ?? []).map(({ text }) => words(text)));
  const others = listedIn(body).filter(text => !known.has(words(text)));
  return [...(judged ?? []), ...others.map(text => ({ text, met: null, evidence: '' }))].slice(
    0,
    MAX_CRITERIA,
  );
}
