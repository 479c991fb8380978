// State of a run at one moment, computed from the journal alone; the status comment is drawn from it.
import type { LayerId } from '../layers.ts';
import type { TestsResult } from './attempt-end.ts';
import { dollars } from './figures.ts';
import { KEPT_SESSIONS, type SessionSummary } from '../../engine/reasoning/session-summary.ts';

export type RunStatus = 'running' | 'waiting' | 'paused' | 'completed' | 'failed' | 'cancelled';
export type Phase = 'strategy' | 'design' | 'execution' | 'engineering' | 'done';

export interface LayerView {
  id: LayerId;
  status: 'idle' | 'not asked' | 'thinking' | 'executing' | 'waiting' | 'error' | 'done';
  /** Of one that waits for a layer above it: for which answer, in words. */
  waitsFor?: string;
  turns: number;
  cost_usd: number;
  error?: string;
}

export interface IssueView {
  number: number;
  title: string;
  domain: string;
  state: string;
  attempt: number;
  dependsOn: number[];
  branch: string | null;
  pull: number | null;
  /** Of a delivered issue: those whose branches its own is built on. */
  standsOn?: readonly number[];
  /** Its pull request is merged. */
  merged?: true;
  /** Of a failed issue: the branch with its last change. */
  kept?: string;
  /** The draft pull request that keeps it, until a later attempt is delivered. */
  unfinished?: number;
  cost_usd: number;
  /** Over all attempts. */
  model_calls: number;
  /** Director results that were judged in the last attempt. */
  rounds: number;
  /** Time at work, over all attempts (milliseconds). */
  ms: number;
  /** As it was listed; absent where nothing was. */
  estimate?: IssueEstimate;
  /** Reason for waiting, or for its end. */
  reason?: string;
  tests: TestsResult | null;
}

export interface PendingAction {
  id: string;
  layer: LayerId;
  title: string;
  /** Number of issues it would create. */
  issues: number;
}

/** A layer's reply and its effects. */
export interface LayerReply {
  layer: LayerId;
  prose: string;
  cost_usd: number;
  ms: number;
  model: string;
  /** Each action, and what happens with it where that is not plain; `id`: where it waits for approval. */
  asked: { what: string; how: string; id?: string }[];
  dropped: { action: string; reason: string }[];
  /** Its unusable blocks. */
  ignored: { line: number; reason: string }[];
  /** Its drafts, or its decisions on drafts: a sentence, or empty. */
  drafts: string;
  /** Reasons that its previous reply does not count; empty: there was none. */
  faults: string[];
  session?: SessionSummary | undefined;
}

/** Eight of ten fall between `low` and `high`, half of them below `likely`. */
export interface Range {
  low: number;
  likely: number;
  high: number;
}

/** Cost and duration of work. */
export interface Figures<Figure = number> {
  /** All attempts together. */
  usd: Figure;
  /** Of an issue: at work; of several: from the first start to the last delivery. */
  minutes: Figure;
}

export interface IssueEstimate extends Figures<Range> {
  /** Expected figures where nothing is known of the repository. */
  expected: Figures;
}

/** Ratios of an ended issue's figures to those expected without knowledge of the repository: actual / expected. */
export interface PastIssue extends Figures {
  issue: number;
  domain: string;
}

/** A question to the person; it is open until it has an answer. */
export interface QuestionView {
  /** `Q1`, `Q2`, ... over the whole run. */
  id: string;
  /** The asker: `the Strategist`, `the engineer of #3`. */
  from: string;
  /** As the model wrote it. */
  text: string;
  /** Database id of the comment that asks it, once it is posted. */
  comment?: number;
  answer?: string;
  /** Nobody waits for the answer any more. */
  withdrawn?: true;
}

/** A command, and the file and the place in it that name the command. */
export interface Guess {
  command: string;
  source: string;
}

export interface Guesses {
  test?: Guess;
  setup?: Guess;
}

/** The project's tests at the commit that the run begins at. */
export interface BaseTestsView {
  command: string;
  state: 'running' | 'green' | 'red' | 'cannot_run';
  exit_code: number | null;
  /** Tests that are red, as far as their runner names them. */
  failing: string[];
  /** Reason that they cannot run: a sentence without its full stop, otherwise empty. */
  why: string;
  /** The end of what they printed. */
  tail: string;
  /** Duration (milliseconds); absent where it is not known. */
  ms?: number;
  /** The command that did not install what they need: they were not begun, and the end is that of its output. */
  setup?: string;
  /** The sandbox does not work: `why` holds the remedy. */
  sandbox?: 'missing';
  /** Database id of the comment that says why they cannot run. */
  comment?: number;
}

/**
 * The delivered branches merged on the newest base, and tested so. `cause`: the issues whose branches do not fit, the one
 * to be merged last at the end; one: it does not fit the base as it is now; none: only what was red before is red.
 * `why`: a sentence without its full stop. `united`: several add to LESSONS.md, in which GitHub will find a conflict.
 */
export type TogetherView = (
  | { state: 'running' | 'green' }
  | { state: 'conflict'; cause: number[]; files: string[] }
  | { state: 'red'; cause: number[]; failing: string[]; exit_code: number | null }
  | { state: 'untested'; why: string }
) & { united?: true };

/** Calls to GitHub that a token has used of its hour. */
export interface CallsUsed {
  used: number;
  /** An hour's: 1,000 for the token of a job in a repository. */
  limit: number;
}

export interface RunView {
  run: string;
  issue: number;
  status: RunStatus;
  /** The thing that a waiting run waits for: `approval`, `tests`, `budget`, ... */
  waitingFor?: string;
  /** The person who paused it: nothing more is started until /resume. */
  pausedBy?: string;
  phase: Phase;
  title: string;
  plan?: string;
  layers: LayerView[];
  issues: IssueView[];
  /** Globs that its issues name, those asked for and not yet decided on too. */
  paths: string[];
  pending: PendingAction[];
  /** Pull requests that it has reviewed; absent: none. */
  reviewed?: number;
  /** All that were asked, in their order. */
  questions: QuestionView[];
  /** The command that installs what jobs start from; absent: there is none. */
  setup?: string;
  /** The commands that no configuration names, with the files that they were found in. */
  guessed?: Guesses;
  /** Absent: no test command is known, or they have not begun. */
  baseTests?: BaseTestsView;
  /** Reason that GitHub refuses checks of branches; absent: it does not, or none was made yet. */
  checksRefused?: string;
  /** Absent: there is nothing to be merged, or it is tested already, or not everything is delivered. */
  together?: TogetherView;
  /** Digest of the listing that can be approved now. */
  digest?: string;
  /** Database id of the newest listing's first comment. */
  listing?: number;
  /** Of the run: `planning` (USD so far) and its issues; its minutes are those of what is left. Absent: nothing is to be worked. */
  estimate?: Figures<Range> & { planning: number };
  /** From the first start of an engineer to the last report of one (milliseconds since the epoch). */
  work?: { from: number; to: number };
  /** Past issues of the repository, as the estimate knew them. */
  past: PastIssue[];
  /** Layers' replies that no comment has shown yet. */
  replies: LayerReply[];
  /** The last sessions that have ended, of layers and engineers. */
  sessions: SessionSummary[];
  cost_usd: number;
  budget_usd: number;
  /** `billing: max`: nothing is limited, and costs are what it would come to by the price table. */
  flatPlan?: true;
  /** The operator's cap on a run's cost (USD), and the setting that sets it. */
  budget_cap?: { most: number; by: string };
  /** A sentence about the end, or about what went wrong. */
  note?: string;
  scripted: boolean;
  isolation: string;
  /** The branch that finished work is merged into without a pull request; absent: pull requests are opened. */
  mergesInto?: string;
  /** Milliseconds since the epoch: first and newest entry of the journal. */
  started: number;
  updated: number;
}

/** `/budget`: a new limit, or more on top of the old one (USD). Answers why it is not followed, else nothing. */
export function changeBudget(
  view: RunView,
  { change }: { change: { set: number } | { add: number } },
): string | undefined {
  if (view.flatPlan) return 'a flat plan pays for this run (`billing: max`): no limit is enforced';
  const usd = 'set' in change ? change.set : view.budget_usd + change.add;
  const cap = view.budget_cap;
  if (cap && usd > cap.most)
    return `the run's limit would be ${dollars(usd)}, and the operator of this installation allows at most ${dollars(cap.most)} (${cap.by}). It stays at ${dollars(view.budget_usd)}`;
  view.budget_usd = usd;
  return undefined;
}

/** The run waits for `/budget`; `why` is a clause, `next` a sentence that says what to type. */
export function waitForBudget(
  view: RunView,
  why: string,
  next = "/budget +5 raises the run's limit.",
): string {
  view.status = 'waiting';
  view.waitingFor = 'budget';
  view.note = `The run waits: ${why}. ${next}`;
  return view.note;
}

/** Nobody is asked for anything: it goes on by itself at `until` (milliseconds since the epoch). */
export function waitForProvider(view: RunView, until: number): void {
  view.status = 'waiting';
  // A minute is as exact as people wait.
  const minute = new Date(until + 59_999).toISOString().slice(0, 16).replace('T', ' ');
  view.waitingFor = `the model's provider, until ${minute} UTC`;
}

/** `/pause`: nothing more is started. Answers why it is not followed, else nothing. */
export function pauseRun(view: RunView, { by }: { by: string }): string | undefined {
  if (view.pausedBy !== undefined) return `the run was paused by ${view.pausedBy} already`;
  view.pausedBy = by;
  return undefined;
}

export const notPaused = 'the run is not paused';

/** `/resume`. Answers why it is not followed, else nothing. */
export function resumeRun(view: RunView): string | undefined {
  if (view.pausedBy === undefined) return notPaused;
  delete view.pausedBy;
  return undefined;
}

/** State of a run with nothing in progress: a pause hides the thing that it waits for. */
export function rest(view: RunView): void {
  if (view.pausedBy !== undefined && (view.status === 'running' || view.status === 'waiting'))
    view.status = 'paused';
}

export function noteSession(view: RunView, session: SessionSummary | undefined): void {
  if (session) view.sessions = [...view.sessions, session].slice(-KEPT_SESSIONS);
}

/** Tests run, at the base or of all together, whose end moves it on. */
export const isTesting = ({ status, baseTests, together }: RunView): boolean =>
  status === 'running' && (baseTests?.state === 'running' || together?.state === 'running');

/** The awaited input has come. */
export function goOn(view: RunView): void {
  view.status = 'running';
  delete view.waitingFor;
  delete view.note;
}
