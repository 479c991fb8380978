// State of a run at one moment: the fold of its events (fold.ts), from which the status comment is drawn.
import type { LayerId } from '../layers.ts';
import type { TestsResult } from './attempt-end.ts';
import type { SessionSummary } from '../../engine/models.ts';

export type RunStatus = 'running' | 'waiting' | 'paused' | 'completed' | 'failed' | 'cancelled';
/** States of an issue that it leaves only when a person says so, in the order in which they are reported. */
export const endStates: readonly string[] = ['done', 'failed', 'blocked', 'skipped', 'cancelled'];

/** It is merged, or its pull request is open. */
export const isDelivered = ({ state, pull, merged }: IssueView): boolean =>
  state === 'done' && (pull !== null || merged === true);

/** Its work is finished, and waits as a branch for a place among the open pull requests. */
export const isQueued = (issue: IssueView): boolean => issue.state === 'done' && !isDelivered(issue);

/** Numbers of the pull requests of finished work that are open. */
export const openPulls = (issues: readonly IssueView[]): number[] =>
  issues.flatMap(({ pull, state, merged }) => (pull === null || merged || state === 'failed' ? [] : pull));

export type Phase = 'strategy' | 'design' | 'execution' | 'engineering' | 'done';

export interface LayerView {
  readonly id: LayerId;
  readonly status: 'idle' | 'not asked' | 'thinking' | 'executing' | 'waiting' | 'error' | 'done';
  /** Of one that waits for a layer above it: for which answer, in words. */
  readonly waitsFor?: string;
  readonly turns: number;
  readonly cost_usd: number;
  readonly error?: string;
}

export interface IssueView {
  readonly number: number;
  readonly title: string;
  readonly domain: string;
  readonly state: string;
  readonly attempt: number;
  readonly dependsOn: readonly number[];
  readonly branch: string | null;
  readonly pull: number | null;
  /** Of a delivered issue: those whose branches its own is built on. */
  readonly standsOn?: readonly number[];
  /** Its pull request is merged. */
  readonly merged?: true;
  /** Of a failed issue: the branch with its last change. */
  readonly kept?: string;
  /** The draft pull request that keeps it, until a later attempt is delivered. */
  readonly unfinished?: number;
  readonly cost_usd: number;
  /** Over all attempts. */
  readonly model_calls: number;
  /** Director results that were judged in the last attempt. */
  readonly rounds: number;
  /** Time at work, over all attempts (milliseconds). */
  readonly ms: number;
  /** As it was listed; absent where nothing was. */
  readonly estimate?: IssueEstimate;
  /** Reason for waiting, or for its end. */
  readonly reason?: string;
  readonly tests: TestsResult | null;
}

export interface PendingAction {
  readonly id: string;
  readonly layer: LayerId;
  readonly title: string;
  /** Number of issues it would create. */
  readonly issues: number;
}

/** A layer's reply and its effects. */
export interface LayerReply {
  readonly layer: LayerId;
  readonly prose: string;
  readonly cost_usd: number;
  readonly ms: number;
  readonly model: string;
  /** Each action, and what happens with it where that is not plain; `id`: where it waits for approval. */
  readonly asked: readonly { what: string; how: string; id?: string }[];
  readonly dropped: readonly { action: string; reason: string }[];
  /** Its unusable blocks. */
  readonly ignored: readonly { line: number; reason: string }[];
  /** Its drafts, or its decisions on drafts: a sentence, or empty. */
  readonly drafts: string;
  /** Reasons that its previous reply does not count; empty: there was none. */
  readonly faults: readonly string[];
  readonly session?: SessionSummary | undefined;
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
  readonly id: string;
  /** The asker: `the Strategist`, `the engineer of #3`. */
  readonly from: string;
  /** As the model wrote it. */
  readonly text: string;
  /** Database id of the comment that asks it, once it is posted. */
  readonly comment?: number;
  readonly answer?: string;
  /** Nobody waits for the answer any more. */
  readonly withdrawn?: true;
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
  readonly command: string;
  readonly state: 'running' | 'green' | 'red' | 'cannot_run';
  readonly exit_code: number | null;
  /** Tests that are red, as far as their runner names them. */
  readonly failing: readonly string[];
  /** Reason that they cannot run: a sentence without its full stop, otherwise empty. */
  readonly why: string;
  /** The end of what they printed. */
  readonly tail: string;
  /** Duration (milliseconds); absent where it is not known. */
  readonly ms?: number;
  /** Versions of tools, and a line for each linter. */
  readonly facts?: string;
  /** The command that did not install what they need: they were not begun, and the end is that of its output. */
  readonly setup?: string;
  /** The sandbox does not work: `why` holds the remedy. */
  readonly sandbox?: 'missing';
  /** Database id of the comment that says why they cannot run. */
  readonly comment?: number;
}

/**
 * The delivered branches merged on the newest base, and tested so. `cause`: the issues whose branches do not fit, the one
 * to be merged last at the end; one: it does not fit the base as it is now; none: only what was red before is red.
 * `why`: a sentence without its full stop.
 */
export type TogetherView =
  | { state: 'running' | 'green' }
  | { state: 'conflict'; cause: number[]; files: string[] }
  | { state: 'red'; cause: number[]; failing: string[]; exit_code: number | null }
  | { state: 'untested'; why: string };

/** Calls to GitHub that a token has used of its hour. */
export interface CallsUsed {
  used: number;
  /** An hour's: 1,000 for the token of a job in a repository. */
  limit: number;
}

export interface RunView {
  readonly run: string;
  readonly issue: number;
  readonly status: RunStatus;
  /** The thing that a waiting run waits for: `approval`, `tests`, `budget`, ... */
  readonly waitingFor?: string;
  /** The person who paused it: nothing more is started until /resume. */
  readonly pausedBy?: string;
  readonly phase: Phase;
  readonly title: string;
  readonly plan?: string;
  readonly layers: readonly LayerView[];
  readonly issues: readonly IssueView[];
  /** Globs that its issues name, those asked for and not yet decided on too. */
  readonly paths: readonly string[];
  readonly pending: readonly PendingAction[];
  /** Pull requests that it has reviewed; absent: none. */
  readonly reviewed?: number;
  /** All that were asked, in their order. */
  readonly questions: readonly QuestionView[];
  /** The command that installs what jobs start from; absent: there is none. */
  readonly setup?: string;
  /** The commands that no configuration names, with the files that they were found in. */
  readonly guessed?: Guesses;
  /** Absent: no test command is known, or they have not begun. */
  readonly baseTests?: BaseTestsView;
  /** Reason that GitHub refuses checks of branches; absent: it does not, or none was made yet. */
  readonly checksRefused?: string;
  /** Absent: there is nothing to be merged, or it is tested already, or not everything is delivered. */
  readonly together?: TogetherView;
  /** Digest of the listing that can be approved now. */
  readonly digest?: string;
  /** Database id of the newest listing's first comment. */
  readonly listing?: number;
  /** Of the run: `planning` (USD so far) and its issues; its minutes are those of what is left. Absent: nothing is to be worked. */
  readonly estimate?: Figures<Range> & { planning: number };
  /** From the first start of an engineer to the last report of one (milliseconds since the epoch). */
  readonly work?: { from: number; to: number };
  /** Past issues of the repository, as the estimate knew them. */
  readonly past: readonly PastIssue[];
  /** Layers' replies that no comment has shown yet. */
  readonly replies: readonly LayerReply[];
  /** The last sessions that have ended, of layers and engineers. */
  readonly sessions: readonly SessionSummary[];
  readonly cost_usd: number;
  readonly budget_usd: number;
  /** `billing: max`: nothing is limited, and costs are what it would come to by the price table. */
  readonly flatPlan?: true;
  /** The operator's cap on a run's cost (USD), and the setting that sets it. */
  readonly budget_cap?: { most: number; by: string };
  /** A sentence about the end, or about what went wrong. */
  readonly note?: string;
  readonly scripted: boolean;
  readonly isolation: string;
  /** The branch that finished work is merged into without a pull request; absent: pull requests are opened. */
  readonly mergesInto?: string;
  /** Milliseconds since the epoch: first and newest entry of the journal. */
  readonly started: number;
  readonly updated: number;
}

/** Tests run, at the base or of all together, whose end moves it on. */
export const isTesting = ({ status, baseTests, together }: RunView): boolean =>
  status === 'running' && (baseTests?.state === 'running' || together?.state === 'running');
