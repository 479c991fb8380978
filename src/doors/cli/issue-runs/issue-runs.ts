// The runs of Echelon as the pages of the local forge show them: read from their records, and from the folders of their jobs.
import { jsonOf } from '@echelon/ground';
import { jobFiles, readIfThere } from '@echelon/ground/workspace';
import { dollars, type RunView, seconds } from '../../../app/views.ts';
import type { PastEvent, RepositoryContext, RunHistory } from '../../../app/app.ts';
import {
  graph,
  headline,
  isEnded,
  isGone,
  openQuestions,
  runHistory,
  runOfBoard,
  toneOf,
} from '../../../app/app.ts';
import { JobProgress } from '../../../app/job.ts';
import type { Happened, IssueRun, IssueRuns, Tone } from '@echelon/forge';
import { lineOf, type LineColour } from '../timeline.ts';
import { lanesOf } from './lanes.ts';
import { jobOf, layerJob } from './job.ts';

/** Events that a page shows: the newest. */
const EVENTS = 200;
/** Characters of an event. */
const EVENT = 300;

interface Found {
  context: RepositoryContext;
  history: RunHistory;
}

/**
 * `contexts`: of the repositories that are worked on now. `changes`: grows with every change on their GitHub; while it
 * does not, a run is not read again.
 */
export function issueRuns(contexts: () => readonly RepositoryContext[], changes: () => number): IssueRuns {
  const known = { at: -1, histories: new Map<string, Promise<Found | undefined>>() };
  const historyOf = async (repository: string, issue: number): Promise<Found | undefined> => {
    const named = repository.toLowerCase();
    const context = contexts().find(
      ({ github: { owner, name } }) => `${owner}/${name}`.toLowerCase() === named,
    );
    if (!context) return undefined;
    const at = changes();
    if (known.at !== at) Object.assign(known, { at, histories: new Map() });
    const { histories } = known;
    const key = `${named}#${issue}`;
    const found = histories.get(key) ?? read(context, issue);
    histories.set(key, found);
    found.catch(() => histories.delete(key));
    return await found;
  };
  return {
    isShownIn: comment => runOfBoard(comment) !== undefined,
    async run(repository, issue) {
      const found = await historyOf(repository, issue);
      if (!found) return undefined;
      const { context, history } = found;
      const progress = await progressOf(history);
      // Jobs' own output reaches no comment, where it would have been masked, so it is masked here.
      return masked(pictureOf(history, { progress, now: context.clock.now() }), context.mask);
    },
    async job(repository, issue, op) {
      const found = await historyOf(repository, issue);
      if (!found) return undefined;
      const { jobs, view } = found.history;
      const layer = view.layers.find(({ id }) => id === op);
      const job = jobs.find(each => each.op === op);
      const read = layer ? layerJob(layer, found.history) : job && (await jobOf(job, found.history));
      return read && masked(read, found.context.mask);
    },
  };
}

async function read(context: RepositoryContext, issue: number): Promise<Found | undefined> {
  try {
    const history = await runHistory(issue, context);
    return history && { context, history };
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

/** Progress reported by the jobs, by operation key. Jobs on another machine have reported nothing here. */
async function progressOf({ jobs, place, execution }: RunHistory) {
  const told = new Map<string, readonly JobProgress[]>();
  if (execution === 'local')
    await Promise.all(
      jobs.map(async ({ op, issue }) => {
        if (issue !== undefined) told.set(op, await linesOf(await place.folder(op)));
      }),
    );
  return (op: string) => told.get(op) ?? [];
}

async function linesOf(folder: string): Promise<JobProgress[]> {
  const text = (await readIfThere(folder, jobFiles.progress)) ?? '';
  return text.split('\n').flatMap(line => JobProgress.safeParse(jsonOf(line)).data ?? []);
}

/** The run's state at `now` (milliseconds since the epoch). */
function pictureOf(
  history: RunHistory,
  { progress, now }: { progress: (op: string) => readonly JobProgress[]; now: number },
): IssueRun {
  const { view, events, execution } = history;
  const goesOn = !isEnded(view);
  const until = goesOn ? Math.max(now, view.updated) : (events.at(-1)?.at ?? view.updated);
  const shown = events.flatMap(event => happened(event) ?? []);
  return {
    ...{ title: view.title, state: view.status, tone: tones[view.status], goesOn, until },
    headline: withoutLinks(headline(view)),
    asks: goesOn
      ? view.waitingFor === 'approval'
        ? view.listing
        : openQuestions(view)[0]?.comment
      : undefined,
    note: withoutLinks(view.note ?? ''),
    figures: figuresOf(view, until),
    graph: graph(view.issues).replace(fence, ''),
    lanes: lanesOf({ ...history, progress, until }),
    events: shown.slice(-EVENTS),
    eventsBefore: Math.max(0, shown.length - EVENTS),
    onActions: execution === 'actions',
  };
}

/** As a comment shows it. */
const fence = /^```mermaid\n|\n```$/g;

const tones: Record<RunView['status'], Tone> = {
  running: 'works',
  waiting: 'waits',
  paused: 'waits',
  completed: 'done',
  failed: 'failed',
  cancelled: 'off',
};

/** Its links lead from a comment, not from a page of the run. */
const withoutLinks = (text: string) => text.replace(/\[([^\]]*)\]\([^()\s]*\)/g, '$1').replaceAll('`', '');

function figuresOf(view: RunView, until: number) {
  const { issues, work, estimate, started, isolation, run } = view;
  const ended = issues.filter(each => toneOf(each) === 'done').length;
  const minutes =
    estimate && `, estimated ${Math.round(estimate.minutes.low)} to ${Math.round(estimate.minutes.high)} min`;
  const limit = view.flatPlan ? 'not limited' : `limit ${dollars(view.budget_usd)}`;
  const { low = 0, likely, high = 0 } = estimate?.usd ?? {};
  const range =
    likely === undefined ? '' : `, estimated ${dollars(likely)} (${dollars(low)} to ${dollars(high)})`;
  const figures: [string, string][] = [['Cost', `${dollars(view.cost_usd)} spent, ${limit}${range}`]];
  if (issues.length > 0) figures.push(['Issues', `${ended} of ${issues.length} delivered`]);
  if (work) figures.push(['At work', `${seconds(work.to - work.from)}${minutes ?? ''}`]);
  figures.push(['Since its label', seconds(until - started)]);
  figures.push(['Run', isolation ? `${run}, isolation ${isolation}` : run]);
  return figures;
}

const toneByColour: Partial<Record<LineColour, Tone>> = { 2: 'off', 31: 'failed', 32: 'done', 33: 'waits' };

function happened(event: PastEvent): Happened | undefined {
  const line = lineOf(event);
  if (!line) return undefined;
  const [subject, all, colour = 0] = line;
  const text = all.length > EVENT ? `${all.slice(0, EVENT)}...` : all;
  return { at: event.at, subject, text, tone: toneByColour[colour] };
}

/** Every text within a value of JSON without the secrets of this process. */
function masked<T>(value: T, mask: (text: string) => string): T {
  return JSON.parse(JSON.stringify(value), (_key, each: unknown) =>
    typeof each === 'string' ? mask(each) : each,
  ) as T;
}
