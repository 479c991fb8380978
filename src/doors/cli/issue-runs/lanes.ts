// A run's history as lanes of a time line: who planned, who waited for what, who worked, tested and delivered when.
import { dollars, type IssueView, layerName, seconds } from '../../../app/views.ts';
import { type RunHistory, stateOf, toneOf } from '../../../app/app.ts';
import type { JobProgress } from '../../../app/job.ts';
import type { Bar, Doing, Lane, Tone, Try } from '@echelon/forge';
import { roundsOf } from './rounds.ts';

export interface Told extends Pick<RunHistory, 'view' | 'events' | 'jobs' | 'halts'> {
  /** Progress that a job has reported, by its operation key. */
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
  const end = (at: number) => {
    const last = bars.at(-1);
    if (last && last.to === Number.POSITIVE_INFINITY) last.to = Math.max(last.from, at);
  };
  return {
    bars,
    begin(doing: Doing, from: number, says: string) {
      end(from);
      bars.push({ doing, from, to: Number.POSITIVE_INFINITY, says });
    },
    end,
    /** Open bars end now; the end of some is never reported. */
    close(goesOn: boolean) {
      if (goesOn) end(until);
      else if (bars.at(-1)?.to === Number.POSITIVE_INFINITY) bars.pop();
    },
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
function haltLane({ halts, until }: Told): Lane {
  const bars = halts.flatMap(({ from, to, why }): Bar[] =>
    from < until ? [{ doing: 'waits', from, to: Math.max(from, Math.min(to, until)), says: why }] : [],
  );
  return lane('Run', 'paused, or kept waiting', bars);
}

const layerTones: Partial<Record<string, Tone>> = { error: 'failed', done: 'done', waiting: 'waits' };

const layerLanes = (told: Told): Lane[] =>
  told.view.layers.map(({ id, status, waitsFor, error = '' }) => {
    const bars: Bar[] = [];
    const tries: Try[] = [];
    let since: number | undefined;
    const turn = (at: number, to: number, says: string, came: Partial<Try>) => {
      const [from, what] = [Math.min(Math.max(told.view.started, at), to), `turn ${tries.length + 1}`];
      bars.push({ doing: 'works', from, to, says: `${what}${says}` });
      tries.push({ what, from, waited: 0, waitedFor: '', rounds: [], came: '', ...came });
      since = undefined;
    };
    for (const event of told.events) {
      if (!('layer' in event) || event.layer !== id) continue;
      const { at } = event;
      if (event.type === 'agent_status' && event.status === 'thinking') since = at;
      else if (since === undefined) continue;
      else if (event.type === 'agent_status')
        turn(since, at, `: ${event.status}`, { to: at, job: id, came: event.status });
      else if (event.type === 'message') {
        const { ms, cost_usd } = event;
        // Use the recorded duration: the reply may have waited for another process before it.
        const came = { to: at, job: id, came: 'replied', cost_usd };
        turn(at - ms, at, `: ${seconds(ms)}, ${dollars(cost_usd)}`, came);
      }
    }
    if (since !== undefined && goesOn(told)) turn(since, told.until, '', {});
    const state = waitsFor === undefined ? status : `waits for ${waitsFor}`;
    const tone = layerTones[status] ?? 'works';
    return { ...lane(layerName(id), 'planning', bars, state, tone), reason: error, tries };
  });

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
  waits.close(goesOn(told));
  const [state, tone]: [string, Tone] = told.view.pending.length > 0 ? ['waits', 'waits'] : ['given', 'done'];
  // Requests made at the same moment are one wait.
  const bars = waits.bars.filter(({ from, to }) => to > from);
  return lane('Approval', 'by a person', bars, state, tone);
}

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
  close(goesOn(told));
  const tone = last === 'green' ? 'done' : last === 'running' ? 'works' : 'failed';
  return lane('Tests', 'at the base, and of all together', bars, last, tone);
}

/** States of an issue that need a reason. */
const tellsWhy = ['pending', 'stuck', 'failed', 'blocked', 'skipped', 'cancelled'];

function issueLane(issue: IssueView, told: Told): Lane {
  const { number, title, pull, reason = '' } = issue;
  return {
    ...{ name: `#${number}`, title, issue: number },
    ...(pull !== null && { pull }),
    ...{ state: stateOf(issue), tone: toneOf(issue), ...workOf(number, told) },
    reason: tellsWhy.includes(issue.state) ? reason : '',
  };
}

/** The bars of one issue, and its tries. */
function workOf(issue: number, told: Told): { bars: Bar[]; tries: Try[] } {
  const { bars, begin, end, close } = strip(told.until);
  const tries: Try[] = [];
  let waits: { from: number; why: string } | undefined;
  const over = (at: number, came: string) => {
    const last = tries.at(-1);
    if (last && last.to === undefined) Object.assign(last, { to: Math.max(last.from, at), came });
  };
  for (const event of told.events) {
    const last = tries.at(-1);
    if (event.type === 'cost_update' && event.of === `#${issue}` && last)
      last.cost_usd = (last.cost_usd ?? 0) + event.usd;
    if (!('issue' in event) || event.issue !== issue) continue;
    const { at } = event;
    if (event.type === 'slot_waits') {
      waits = { from: waits?.from ?? at, why: event.reason };
      begin('waits', at, event.reason);
    }
    if (event.type !== 'slot_changed') continue;
    const { from: before, to, reason } = event;
    if (to === 'running') {
      // The one that was asked for last by then.
      const job = told.jobs.findLast(each => each.issue === issue && each.at <= at);
      const what = job?.what ?? 'work';
      begin('works', at, what);
      const waited = { waited: waits ? at - waits.from : 0, waitedFor: waits?.why ?? '' };
      tries.push({ ...{ what, from: at, came: '', rounds: [] }, ...waited, ...(job && { job: job.op }) });
      waits = undefined;
    } else if (to !== 'delivering') {
      // It is delivered since it was merged.
      over(at, reason);
      if (to === 'merging') begin('delivers', at, 'delivering');
      else if (to === 'stuck') {
        begin('waits', at, reason);
        waits = { from: at, why: reason };
      } else {
        // The result of the delivery is the result of the attempt.
        if (last && before !== 'pending' && to !== 'pending') last.came = reason;
        end(at);
      }
    }
  }
  close(goesOn(told));
  for (const each of tries) {
    if (each.job === undefined) continue;
    const inner = roundsOf(told.progress(each.job), { from: each.from, to: each.to ?? told.until });
    bars.push(...inner.bars);
    each.rounds = inner.rounds;
  }
  return { bars, tries };
}
