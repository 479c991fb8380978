// The run that whoever serves the forge works on an issue, as its page shows it: plain values, filled in by them. Times
// are milliseconds since the epoch; texts may be anybody's, and are escaped where they are shown.
import { html } from 'hono/html';
import type { Api } from '../api.ts';
import type { Comment } from '../conversation.ts';
import type { Html } from '../layout.ts';

/** A run is shown near the beginning: so many comments are looked at. */
const FIRST = 20;
/** Workflow runs that are looked through, the newest first. */
const MOST = 50;

/** Empty where none is shown. `parent`: the number of the issue whose part it is. */
export async function runLink(
  api: Pick<Api, 'find'>,
  { isShownIn }: Pick<IssueRuns, 'isShownIn'>,
  issue: {
    repository: string;
    number: number;
    comments: readonly ({ body?: string | null | undefined } | undefined)[];
    parent: number | undefined;
  },
): Promise<Html> {
  const { repository, number, comments, parent } = issue;
  const link = (of: number, place: string, words: string) =>
    html`<section><h2>Run</h2><p><a href="/${repository}/issues/${of}/run${place}">${words}</a></p></section>`;
  if (comments.some(each => isShownIn(each?.body ?? '')))
    return link(number, '', 'Time line, cost and events');
  if (parent === undefined) return html``;
  const above = await api.find<Comment[]>(`/repos/${repository}/issues/${parent}/comments?per_page=${FIRST}`);
  return above?.some(({ body }) => isShownIn(body ?? ''))
    ? link(parent, `#lane-${number}`, `Its place in the run of #${parent}`)
    : html``;
}

/** The path of its page: it names the other's id. Undefined where the run knows no such job, or no workflow did it. */
export async function workflowJob(
  api: Pick<Api, 'get'>,
  repository: string,
  { id, run }: { id: string; run: IssueRun | undefined },
): Promise<string | undefined> {
  // Nobody has all of them read for an id that is made up.
  if (!run?.lanes.some(({ tries }) => tries.some(({ job }) => job === id))) return undefined;
  const at = `/repos/${repository}/actions/runs`;
  const runs = await api.get<{ workflow_runs: { id: number }[] }>(`${at}?per_page=${MOST}`);
  for (const { id: each } of runs.workflow_runs) {
    const { jobs } = await api.get<{ jobs: { id: number; name: string }[] }>(
      `${at}/${each}/jobs?per_page=100`,
    );
    const found = jobs.findLast(({ name }) => name.includes(`[${id}]`));
    if (found) return `/${repository}/actions/runs/${each}/job/${found.id}`;
  }
  return undefined;
}

/** Colour of a state, which is also shown in words. */
export type Tone = 'waits' | 'works' | 'done' | 'failed' | 'off';

/** Activity of a bar. `tests` and `judges` lie within `works`. */
export type Doing = 'waits' | 'works' | 'tests' | 'judges' | 'delivers';

/** A stretch of time in a lane, with a clause that says what it is. `to` is not before `from`. */
export interface Bar {
  doing: Doing;
  from: number;
  to: number;
  says: string;
}

/** One try at what a lane is about, as a row of the table. */
export interface Try {
  /** `attempt 2`, `turn 1`. */
  what: string;
  from: number;
  /** Undefined: it goes on. */
  to?: number;
  /** Wait right before it began (milliseconds), with its reason. */
  waited: number;
  waitedFor: string;
  /** Rounds of the attempt, a clause each. */
  rounds: readonly string[];
  /** A clause. Empty: it goes on. */
  came: string;
  cost_usd?: number;
  /** The job that did it, where there is more to read of it. */
  job?: string;
}

/** One line of the time line. */
export interface Lane {
  name: string;
  title: string;
  /** Links: an issue and a pull request of the repository. */
  issue?: number;
  pull?: number;
  state: string;
  tone: Tone;
  /** Reason for waiting or for the end: a clause, or empty. */
  reason: string;
  bars: readonly Bar[];
  tries: readonly Try[];
}

export interface Happened {
  at: number;
  /** Whom or what it is about. */
  subject: string;
  text: string;
  tone?: Tone | undefined;
}

export interface IssueRun {
  title: string;
  state: string;
  tone: Tone;
  /** One line: who waits for whom. */
  headline: string;
  /** The comment of the issue where somebody is asked for something now (its database id). */
  asks?: number | undefined;
  /** A sentence, or empty. */
  note: string;
  /** It may change by itself. */
  goesOn: boolean;
  /** Until when the time line goes. */
  until: number;
  figures: readonly [name: string, figure: string][];
  /** Dependency graph as Mermaid; empty if there are no dependencies. */
  graph: string;
  lanes: readonly Lane[];
  /** The newest last, and how many came before those. */
  events: readonly Happened[];
  eventsBefore: number;
  /** Its jobs are worked by workflows of the repository: their logs are there. */
  onActions: boolean;
}

/** One job of a run, or one who plans: what there is to read of it. */
export interface IssueJob {
  /** `#3, attempt 1`. */
  name: string;
  /** True while more output is expected. */
  goesOn: boolean;
  said: readonly Said[];
  log: string;
  patch?: string | undefined;
}

/** One piece of a transcript: words in Markdown, or what commands wrote. `about`: how long it took, what it cost. */
export interface Said {
  by: string;
  about: string;
  kind: 'words' | 'output';
  text: string;
}

/** The runs that whoever serves the forge works on issues; undefined where there is none, or nothing of it lies here. */
export interface IssueRuns {
  /** True if a comment with this text shows a run of its issue. */
  isShownIn(comment: string): boolean;
  run(repository: string, issue: number): Promise<IssueRun | undefined>;
  job(repository: string, issue: number, job: string): Promise<IssueJob | undefined>;
}
