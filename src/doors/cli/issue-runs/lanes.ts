// A run's history as lanes of a time line: who planned, who waited for what, who worked, tested and delivered when.
import { dollars, seconds } from '../../../app/comments/figures.ts';
import { stateOf, toneOf } from '../../../app/comments/issue-table.ts';
import type { IssueView } from '../../../app/comments/view.ts';
import type { JobProgress } from '../../../app/engineer/report-spec.ts';
import { layerName } from '../../../app/layers.ts';
import type { PastJob, RunHistory } from '../../../app/run/history.ts';
import type { Bar, Doing, Lane, Round, Tone, Try } from '../../../../packages/forge/index.ts';
import { roundsOf } from './rounds.ts';

export interface Told extends Pick<RunHistory, 'view' | 'events' | 'jobs' | 'halts'> {
  /** What a job has told of its work, by its operation key. */
  progress(op: string): readonly JobProgress[];
  /** Until when what is open goes (milliseconds since the epoch). */
  until: number;
}

/** Those of the planning first, then one an issue. A lane in which nothing happened is left out, but for issues. */
export function lanesOf(told: Told): Lane[] {
  const around = [haltLane(told), ...layerLanes(told), approvalLane(told), testsLane(told)];
  const issues = told.view.issues.map(issue => issueLane(issue, told));
  return [...around.filter(({ bars }) => bars.length > 0), ...issues];
}

/** Bars that follow each other: each ends where the next begins, none before it began. */
function strip(until: number) {
  const bars: Bar[] = [];
  let open: { doing: Doing; from: number; says: string } | undefined;
  const end = (at: number) => {
    if (open) bars.push({ ...open, to: Math.max(open.from, at) });
    open = undefined;
  };
  return {
    bars,
    begin(doing: Doing, from: number, says: string) {
      end(from);
      open = { doing, from, says };
    },
    end,
    /** What is still open at the end. */
    close: () => end(until),
  };
}

const lane = (name: string, title: string, bars: readonly Bar[], state = '', tone: Tone = 'off'): Lane => ({
  ...{ name, title, state, tone, bars },
  reason: '',
  tries: [],
});

const goesOn = ({ view: { status } }: Told) =>
  status === 'running' || status === 'waiting' || status === 'paused';

/** Times in which nothing is started, whatever the issues wait for. */
function haltLane(told: Told): Lane {
  const bars = told.halts
    .filter(({ from }) => from < told.until)
    .map(
      ({ from, to, why }): Bar => ({
        doing: 'waits',
        from,
        to: Math.max(from, Math.min(to, told.until)),
        says: why,
      }),
    );
  return lane('Run', 'paused, or kept waiting', bars);
}

function layerLanes(told: Told): Lane[] {
  const { view, events, until } = told;
  const { started } = view;
  return view.layers.map(layer => {
    const bars: Bar[] = [];
    const tries: Try[] = [];
    let turns = 0;
    let since: number | undefined;
    const turn = (at: number, to: number, says: string, came: Partial<Try> = {}) => {
      const [from, what] = [Math.min(Math.max(started, at), to), `turn ${turns}`];
      bars.push({ doing: 'works', from, to, says: `${what}${says}` });
      const told = came.came === undefined ? {} : { to, job: layer.id };
      tries.push({ what, from, waited: 0, waitedFor: '', rounds: [], came: '', ...told, ...came });
    };
    for (const event of events) {
      if (!('layer' in event) || event.layer !== layer.id) continue;
      if (event.type === 'agent_status' && event.status === 'thinking') {
        since = event.at;
        turns += 1;
      } else if (since !== undefined && event.type === 'message') {
        // How long it took is recorded: before that it may have waited for another process.
        turn(event.at - event.ms, event.at, `: ${seconds(event.ms)}, ${dollars(event.cost_usd)}`, {
          ...{ came: 'replied', cost_usd: event.cost_usd },
        });
        since = undefined;
      } else if (since !== undefined && event.type === 'agent_status') {
        turn(since, event.at, `: ${event.status}`, { came: event.status });
        since = undefined;
      }
    }
    if (since !== undefined && goesOn(told)) turn(since, until, '');
    const failed = layer.status === 'error';
    const state = layer.waitsFor === undefined ? layer.status : `waits for ${layer.waitsFor}`;
    const tone = failed
      ? 'failed'
      : layer.status === 'done'
        ? 'done'
        : layer.status === 'waiting'
          ? 'waits'
          : 'works';
    return {
      ...lane(layerName(layer.id), 'planning', bars, state, tone),
      reason: layer.error ?? '',
      tries,
    };
  });
}

function approvalLane(told: Told): Lane {
  const waits = strip(told.until);
  const open = new Map<string, string>();
  const show = (at: number) =>
    open.size > 0 ? waits.begin('waits', at, `approval of ${[...open.values()].join('; ')}`) : waits.end(at);
  for (const event of told.events)
    if (event.type === 'action_pending') {
      open.set(event.id, `${event.id}, ${event.action}`);
      show(event.at);
    } else if (event.type === 'action_performed' || event.type === 'action_rejected') {
      if (event.id !== undefined && open.delete(event.id)) show(event.at);
    }
  if (goesOn(told)) waits.close();
  const pending = told.view.pending.length > 0;
  return lane(
    'Approval',
    'by a person',
    joined(waits.bars),
    pending ? 'waits' : 'given',
    pending ? 'waits' : 'done',
  );
}

/** What was asked for in one breath is one wait. */
const joined = (bars: readonly Bar[]) => bars.filter(({ from, to }) => to > from);

function testsLane(told: Told): Lane {
  const { bars, begin, end, close } = strip(told.until);
  let last = '';
  for (const event of told.events) {
    if (event.type !== 'base_tests' && event.type !== 'together') continue;
    const what = event.type === 'together' ? 'of all together' : 'at the base';
    last = event.state.replace('_', ' ');
    if (event.state === 'running') begin('tests', event.at, `tests ${what}`);
    else end(event.at);
  }
  if (goesOn(told)) close();
  const tone = last === 'green' ? 'done' : last === 'running' ? 'works' : 'failed';
  return lane('Tests', 'at the base, and of all together', bars, last, tone);
}

/** States of an issue that need a reason. */
const tellsWhy: ReadonlySet<string> = new Set([
  'pending',
  'stuck',
  'failed',
  'blocked',
  'skipped',
  'cancelled',
]);

function issueLane(issue: IssueView, told: Told): Lane {
  const { bars, tries } = workOf(issue.number, told);
  const { number, title, pull, reason = '' } = issue;
  return {
    ...{ name: `#${number}`, title, issue: number },
    ...(pull !== null && { pull }),
    ...{ state: stateOf(issue), tone: toneOf(issue), bars, tries },
    reason: tellsWhy.has(issue.state) ? reason : '',
  };
}

/** The bars of one issue, and its tries. */
function workOf(issue: number, told: Told): { bars: Bar[]; tries: Try[] } {
  const jobs = told.jobs.filter(job => job.issue === issue);
  const { bars, begin, end, close } = strip(told.until);
  const tries: Open[] = [];
  let waits: { from: number; why: string } | undefined;
  const over = (at: number, came: string) => {
    const last = tries.at(-1);
    if (last && last.to === undefined) Object.assign(last, { to: Math.max(last.from, at), came });
  };
  for (const event of told.events) {
    if (event.type === 'cost_update' && event.of === `#${issue}`) {
      const last = tries.at(-1);
      if (last) last.cost_usd = (last.cost_usd ?? 0) + event.usd;
    }
    if (!('issue' in event) || event.issue !== issue) continue;
    const { at } = event;
    if (event.type === 'slot_waits') {
      waits ??= { from: at, why: event.reason };
      waits.why = event.reason;
      begin('waits', at, event.reason);
    }
    if (event.type !== 'slot_changed') continue;
    const { to, reason } = event;
    if (to === 'running') {
      const job = newest(jobs, at);
      const what = job?.what ?? 'work';
      begin('works', at, what);
      tries.push({
        ...{ what, from: at, came: '', rounds: [] },
        ...{ waited: waits ? at - waits.from : 0, waitedFor: waits?.why ?? '' },
        ...(job && { job: job.op }),
      });
      waits = undefined;
    } else if (to === 'merging') {
      over(at, reason);
      begin('delivers', at, 'delivering');
    } else if (to === 'delivering') {
      // It is delivered since it was merged.
    } else if (to === 'stuck') {
      over(at, reason);
      begin('waits', at, reason);
      waits = { from: at, why: reason };
    } else {
      over(at, reason);
      // What a delivery came to is what the try came to.
      const last = tries.at(-1);
      if (last && event.from !== 'pending' && event.to !== 'pending') last.came = reason;
      end(at);
    }
  }
  if (goesOn(told)) close();
  const inner = tries.map(each => within(each, told));
  return {
    bars: [...bars, ...inner.flatMap(each => each.bars)],
    tries: tries.map((each, index) => ({ ...each, rounds: inner[index]?.rounds ?? [] })),
  };
}

type Open = { -readonly [Key in keyof Try]: Try[Key] };

/** The job that was asked for last by then. */
const newest = (jobs: readonly PastJob[], at: number) => jobs.findLast(job => job.at <= at);

function within(
  { job, from, to }: Try,
  { progress, until }: Told,
): { bars: Bar[]; rounds: readonly Round[] } {
  return job === undefined ? { bars: [], rounds: [] } : roundsOf(progress(job), { from, to: to ?? until });
}
