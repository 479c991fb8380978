// Evaluates a task with candidates: of independent tries of it, side by side, the best is its result.
import { nothingGiven } from './inputs.ts';
import { canonical } from '@echelon/ground';
import { type Candidates, type Task, tasksTried } from '../language/ast.ts';
import {
  addSpent,
  type CandidatesTold,
  invalidAt,
  type TaskError,
  type TaskResult,
} from '../language/result.ts';
import { allWarnings } from '../language/problem.ts';
import type { ModelMessage } from '../models/model.ts';
import { meterFor, type Given } from './ledger.ts';
import { pickBest, type Ranked, rankCandidates } from './rank-candidates.ts';
import { reachable } from './rights.ts';
import { type Act, nameOf, type TaskPlace } from './task-place.ts';
import { spentIn, sumOf, type Tried, tryAll } from './tries.ts';

/**
 * The result of the best candidate; notes have what all of them cost, and how it was told. Throws, where all are lost, the
 * error that says most, with the others as warnings. What was chosen is journalled as a whole: another time, a candidate that
 * its provider failed might have been taken.
 */
export const withCandidates =
  (act: Act): Act =>
  async (each, place) => {
    const task = each as Task & { candidates: Candidates };
    checkApart(task, place);
    const { step } = place.evaluator.options;
    if (!step) return await chosen(task, place, act);
    let isMade = false;
    const make = async () => {
      isMade = true;
      return await chosen(task, place, act);
    };
    const result: TaskResult = await step(`${place.key}/candidates`, make, { costly: true });
    // Its cost of that time is booked as if it were spent now.
    if (!isMade) meterFor(place.ledger)?.spent(result.notes.dataUsage);
    return result;
  };

type Said = readonly ModelMessage[];

async function chosen(
  task: Task & { candidates: Candidates },
  place: TaskPlace,
  act: Act,
): Promise<TaskResult> {
  const said = new Map<string, Said>();
  const tried = await tryAll(task, place, (each, at) => {
    const once = { ...each, candidates: undefined };
    const program = at.evaluator.program === each ? once : at.evaluator.program;
    const evaluator = { ...at.evaluator, program, said: (words: Said) => void said.set(at.key, words) };
    return act(once, { ...at, evaluator });
  });
  const left = tried.flatMap(({ result }, at) => (result ? [at] : []));
  const [first, ...others] = left;
  if (first === undefined) throw allLost(tried);
  const { taken, ranking } = await takeBest(task, tried, [first, ...others], place);
  const result = tried[taken.taken - 1]?.result;
  if (!result) throw new Error(`candidate ${taken.taken} was taken, and there is none`);
  const messages = said.get(`${place.key}/candidate-${taken.taken}`);
  if (messages) place.evaluator.said(messages);
  place.evaluator.options.onEvent?.({
    type: 'note',
    text: `${nameOf(task)}: candidate ${taken.taken} of ${tried.length} was taken (${taken.why})`,
  });
  const { notes } = result;
  const warnings = allWarnings([...lostIn(tried), ...ranking.warnings], notes.warnings);
  const dataUsage = addSpent(sumOf(tried), ranking.spent);
  return { ...result, notes: { ...notes, dataUsage, warnings, candidates: taken } };
}

/** `left`: those that are not lost. The evaluator's word, then what most came to, then the smallest. */
async function takeBest(
  task: Task & { candidates: Candidates },
  tried: readonly Tried[],
  left: readonly [number, ...number[]],
  place: TaskPlace,
): Promise<{ taken: CandidatesTold; ranking: Given }> {
  const keys = tried.map(({ result }) => (result ? sameness(result) : ''));
  const alike = (at: number) => keys[at] ?? '';
  let ranking = nothingGiven;
  let agreed: number | undefined;
  const rank = async (different: number[]): Promise<Ranked | undefined> => {
    if (task.candidates.evaluator) {
      const results = different.flatMap(at => {
        const result = tried[at]?.result;
        return result ? [{ number: at + 1, result }] : [];
      });
      const { best, ...rest } = await rankCandidates(task, task.candidates.evaluator, results, place);
      ranking = rest;
      if (best) return best;
    }
    agreed = mostAlike(left, alike);
    return agreed === undefined ? undefined : { place: agreed, said: '' };
  };
  const size = (at: number) => Buffer.byteLength(alike(at));
  const { place: at, why, said } = await pickBest(left, { alike, size, rank });
  const each = tried.map(toldOf);
  return { taken: { taken: at + 1, why: agreed === undefined ? why : 'agreed', said, each }, ranking };
}

function toldOf(one: Tried): CandidatesTold['each'][number] {
  const { cost_usd, turns } = spentIn(one);
  return { end: one.result?.status ?? one.lost?.code ?? '', cost_usd, turns };
}

/** Results with the same declared outputs are the same, whatever is said with them. */
function sameness({ status, content, value, outputs, reply }: TaskResult): string {
  const said = Object.keys(outputs).length > 0 && reply ? outputs : [value ?? content.trim(), outputs];
  return canonical([status, said]);
}

/** The first of those that most came to; undefined where no two did, or two came to one thing and two to another. */
function mostAlike(places: readonly number[], alike: (at: number) => string): number | undefined {
  const groups = [...Map.groupBy(places, alike).values()].sort((a, b) => b.length - a.length);
  const [most, next] = groups;
  if (!most || most.length < 2 || most.length === next?.length) return undefined;
  return most[0];
}

/** The error of the candidate that was judged, else of one that had finished something, else of the first. */
function allLost(tried: readonly Tried[]): TaskError {
  const worth = ({ detail, notes }: TaskError) =>
    detail.code === 'TASK_FAILURE' && detail.reason === 'rejected' ? 2 : notes.steps?.length ? 1 : 0;
  const errors = tried.flatMap(({ lost }, at) => (lost ? [{ lost, at }] : []));
  const [best] = errors.toSorted((a, b) => worth(b.lost) - worth(a.lost));
  if (!best) throw new Error('there are no candidates');
  const others = tried.filter((_, at) => at !== best.at);
  return best.lost.with({
    dataUsage: sumOf(others),
    warnings: lostIn(tried).filter((_, at) => at !== best.at),
    candidates: { taken: 0, why: 'none', said: '', each: tried.map(toldOf) },
  });
}

/** Characters of an error that a warning keeps. */
const MOST_SAID = 500;

const lostIn = (tried: readonly Tried[]): string[] =>
  tried.flatMap(({ lost }, at) =>
    lost ? [`candidate ${at + 1} was lost (${lost.code}): ${lost.message.slice(0, MOST_SAID)}`] : [],
  );

/**
 * Throws TaskError VALIDATION_ERROR where a candidate would change what the others share: what the check cannot know, since
 * it is a function's, or a tool's that the surroundings have.
 */
function checkApart(task: Task, { environment, evaluator: { library, options } }: TaskPlace): void {
  const refused = (what: string) =>
    invalidAt(
      task.at,
      `${what} would work in the one checkout of all candidates of ${nameOf(task)}: have them say what is to be done, and do it in a step after them`,
    );
  const called = tasksTried(task).flatMap(each =>
    each.type === 'call' ? reachable(each, environment, library) : [each],
  );
  for (const each of called) {
    if (each.type === 'script') throw refused(`the script ${nameOf(each)}`);
    if (each.type !== 'atomic') continue;
    const tool = options.tools.find(({ name, readOnly }) => !readOnly && each.tools.includes(name));
    if (tool) throw refused(`${tool.name} of ${nameOf(each)}`);
  }
}
