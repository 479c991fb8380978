// What whoever serves the forge works on an issue, as the pages show it: plain values, filled in by them. Times are
// milliseconds since the epoch; texts may be anybody's, and are escaped where they are shown.

/** How something stands: it is shown in words beside. */
export type Tone = 'waits' | 'works' | 'done' | 'failed' | 'off';

/** What is done in a stretch of time. `tests` and `judges` lie within what `works`. */
export type Doing = 'waits' | 'works' | 'tests' | 'judges' | 'delivers';

/** A stretch of time in a lane. `to` is not before `from`. */
export interface Bar {
  doing: Doing;
  from: number;
  to: number;
  /** What it is, and of a wait what for: a clause. */
  says: string;
}

/** One try at what a lane is about, as a row of the table. */
export interface Try {
  /** `attempt 2`, `turn 1`. */
  what: string;
  from: number;
  /** Undefined: it goes on. */
  to?: number;
  /** How long it waited right before it began (milliseconds), and what for. */
  waited: number;
  waitedFor: string;
  rounds: readonly Round[];
  /** What it came to: a clause. Empty: it goes on. */
  came: string;
  cost_usd?: number;
  /** Of the job that did it, where there is more to read of it. */
  job?: string;
}

/** What was made, tested and judged once. */
export interface Round {
  /** Of several that make the same side by side. */
  candidate?: number;
  number: number;
  accepted: boolean;
  /** What the tests exited with; null: by a signal; absent: none were run. */
  tests?: number | null;
  feedback: string;
}

/** One line of the time line. */
export interface Lane {
  name: string;
  title: string;
  /** Where it leads: an issue of the repository. */
  issue?: number;
  pull?: number;
  state: string;
  tone: Tone;
  /** Why it waits, or ended so: a clause, or empty. */
  reason: string;
  bars: readonly Bar[];
  tries: readonly Try[];
}

/** One thing that happened. */
export interface Happened {
  at: number;
  /** Whom or what it is about. */
  subject: string;
  text: string;
  tone?: Tone;
}

export interface IssueRun {
  /** What the issue asks for. */
  title: string;
  state: string;
  tone: Tone;
  /** One line: who waits for whom. */
  headline: string;
  /** The comment of the issue where somebody is asked for something now (its database id). */
  asks?: number;
  /** More of how it stands: a sentence, or empty. */
  note: string;
  /** It may change by itself. */
  goesOn: boolean;
  /** Until when the time line goes. */
  until: number;
  /** Each by its name. */
  figures: readonly [name: string, figure: string][];
  /** What waits for what, as Mermaid; empty: nothing does. */
  graph: string;
  lanes: readonly Lane[];
  /** The newest last. */
  events: readonly Happened[];
  /** How many came before those. */
  eventsBefore: number;
  /** Its jobs are worked by workflows of the repository: their logs are there. */
  onActions: boolean;
}

/** One job of a run, or one who plans: what there is to read of it. */
export interface IssueJob {
  /** `#3, attempt 1`. */
  name: string;
  /** It is under way: what there is to read grows. */
  goesOn: boolean;
  /** What was said and run in it, in order. */
  said: readonly Said[];
  /** What it wrote. */
  log: string;
  /** What it changed, as a patch; undefined: nothing is there. */
  patch?: string;
}

/** One piece of a transcript: words in Markdown, or what commands wrote. */
export interface Said {
  by: string;
  /** How long it took, what it cost; may be empty. */
  about: string;
  kind: 'words' | 'output';
  text: string;
}

/** The runs that whoever serves the forge works on issues. */
export interface IssueRuns {
  /** Whether a comment of this text shows a run of its issue. */
  isShownIn(comment: string): boolean;
  /** Undefined: there is none. */
  run(repository: string, issue: number): Promise<IssueRun | undefined>;
  /** Undefined: the run has no such job, or nothing of it lies here. */
  job(repository: string, issue: number, job: string): Promise<IssueJob | undefined>;
}
