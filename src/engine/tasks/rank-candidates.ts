// Takes the best of several good results: those alike count once, then the evaluator of candidates is asked, in one session
// that sees the results by number, then the smallest is taken.
import type { AtomicTask, Task } from '../language/ast.ts';
import { boundValue } from '../language/environment.ts';
import { candidateNames } from '../language/names.ts';
import { fencedOff } from '../language/quote.ts';
import { type Spent, TaskError, type TaskResult } from '../language/result.ts';
import { headOf, shareOf } from './memory/share.ts';
import { type Shown, shownIn } from './shown.ts';
import { nameOf, type TaskPlace } from './task-place.ts';

/** A candidate by its number, from 1. */
interface Numbered {
  number: number;
  result: TaskResult;
}

/** Characters of the evaluator's words that are kept. */
const MOST_SAID = 1000;

/**
 * `best` is undefined where it does not decide: it finds none better, names none of them, or fails, which is a warning. The
 * candidates are good all the same.
 */
export async function rankCandidates(
  task: Task,
  judge: AtomicTask,
  candidates: readonly Numbered[],
  place: TaskPlace,
): Promise<{ best?: Ranked; spent: Spent; warnings: string[] }> {
  const model = place.evaluator.options.models(judge.model, nameOf(judge));
  const tokens = Math.floor(shareOf(model, place.evaluator.options) / candidates.length);
  const text = candidates.map(each => laidOut(each, tokens)).join('\n\n');
  const environment = place.environment.extend([[candidateNames.all, boundValue(text)]]);
  const at: TaskPlace = {
    ...place,
    environment,
    given: {},
    key: `${place.key}/best`,
    heard: false,
    notesOnly: false,
    shown: [...place.shown, ...shownToRank(task, judge, text, place)],
  };
  try {
    const { status, outputs, content, notes } = await place.evaluator.run(judge, at);
    const { best, why } = outputs;
    const said = typeof why === 'string' ? why.trim().slice(0, MOST_SAID) : '';
    const found = candidates.some(({ number }) => number === best);
    if (status !== 'FAILED' && found && typeof best === 'number')
      return { best: { place: best - 1, said }, spent: notes.dataUsage, warnings: [] };
    const answer =
      status === 'FAILED' ? `it ended as failed: ${content.slice(0, 200)}` : `its answer was ${best}`;
    return { spent: notes.dataUsage, warnings: best === 0 ? [] : [undecided(judge, answer)] };
  } catch (error) {
    if (!(error instanceof TaskError) || place.signal.aborted) throw error;
    return { spent: error.notes.dataUsage, warnings: [undecided(judge, error.message.slice(0, 500))] };
  }
}

const undecided = (judge: AtomicTask, why: string) =>
  `${nameOf(judge)} did not decide between the candidates: ${why}`;

function laidOut({ number, result: { content, outputs } }: Numbered, tokens: number): string {
  const declared = Object.keys(outputs).length > 0 ? `\n${fencedOff(JSON.stringify(outputs))}` : '';
  return `## Candidate ${number}\n${fencedOff(headOf(content, tokens))}${declared}`;
}

/** The texts that it needs to judge, where its own do not place them. */
function shownToRank(task: Task, judge: AtomicTask, text: string, { environment }: TaskPlace): Shown[] {
  const { description } = task;
  const criteria = task.type === 'atomic' && !judge.criteria ? task.criteria : undefined;
  const own = shownIn(environment);
  return [
    ...own('The task', description),
    ...own('What the result is judged by', criteria),
    { names: [candidateNames.all], heading: 'The candidates', text },
    {
      names: [],
      heading: 'What to answer',
      text: 'best is the number of the best candidate, or 0 where none is better than the others; why says in a sentence what decided.',
      isOwn: true,
    },
  ];
}

/** The one that a ranking puts first, by its place, and what was said of it. */
export interface Ranked {
  place: number;
  said: string;
}

interface Compared {
  /** Equal for results that are the same. */
  alike: (place: number) => unknown;
  /** The smaller goes before. */
  size: (place: number) => number;
  /** Asked about those that nothing else tells apart, by their places; undefined: it does not decide. */
  rank: (places: number[]) => Promise<Ranked | undefined>;
}

/** `places` has one at least; of what nothing tells apart the first is taken. */
export async function pickBest(
  places: readonly [number, ...number[]],
  { alike, size, rank }: Compared,
): Promise<Ranked & { why: 'only' | 'alike' | 'ranked' | 'smallest' }> {
  const [first] = places;
  if (places.length === 1) return { place: first, why: 'only', said: '' };
  const different = places.filter(
    (place, at) => places.findIndex(other => alike(other) === alike(place)) === at,
  );
  if (different.length === 1) return { place: first, why: 'alike', said: '' };
  const ranked = await rank(different);
  if (ranked && different.includes(ranked.place)) return { ...ranked, why: 'ranked' };
  const [smallest = first] = different.toSorted((a, b) => size(a) - size(b));
  return { place: smallest, why: 'smallest', said: '' };
}
