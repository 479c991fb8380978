// The view of a run is the fold of its events: nothing else changes it.
import { KEPT_SESSIONS, type SessionSummary } from '../../engine/models.ts';
import { utcMinute } from './figures.ts';
import type { LayerId } from '../layers.ts';
import type { RunEvent } from '../run-events.ts';
import type { IssueView, LayerReply, LayerView, QuestionView, RunView } from './view.ts';

/** New values of members; undefined removes one. */
type Values<Of> = { readonly [Member in keyof Of]?: Of[Member] | undefined };

/** An event that only the view shows: consumers of events are not told of it. */
export type ViewChange =
  | { change: 'run'; to: Values<RunView> }
  | { change: 'layer'; layer: LayerId; to: Values<LayerView> }
  | { change: 'issue'; issue: number; to: Values<IssueView> }
  | { change: 'question'; id: string; to: Values<QuestionView> }
  | { change: 'issue created'; issue: IssueView }
  | { change: 'question opened'; question: QuestionView }
  | { change: 'replied'; reply: LayerReply }
  /** The outcome of an action of a reply that no comment has shown yet. */
  | { change: 'action done'; layer: LayerId; index: number; how: string }
  | { change: 'session ended'; session: SessionSummary }
  /** USD, beside what else was used by a layer or an issue. */
  | { change: 'spent'; usd: number; layer: LayerId; turns: number }
  | { change: 'spent'; usd: number; issue: number | undefined; model_calls: number };

/** The part of a run that shows what happens. */
export interface Shown {
  view: RunView;
  emit(event: RunEvent | ViewChange): void;
}

export function fold(view: RunView, event: RunEvent | ViewChange): void {
  const { questions, replies, sessions, issues } = view;
  if (!('change' in event)) {
    if (event.type === 'agent_status')
      put(findLayer(view, event.layer), { status: event.status, waitsFor: undefined });
    else if (event.type === 'slot_changed') put(findIssue(view, event.issue), { state: event.to });
    else if (event.type === 'run_settled') put(view, { status: event.status, pausedBy: undefined });
  } else if (event.change === 'run') put(view, event.to);
  else if (event.change === 'layer') put(findLayer(view, event.layer), event.to);
  else if (event.change === 'issue') put(findIssue(view, event.issue), event.to);
  else if (event.change === 'question')
    put(
      questions.find(({ id }) => id === event.id),
      event.to,
    );
  else if (event.change === 'issue created') put(view, { issues: [...issues, event.issue] });
  else if (event.change === 'question opened') put(view, { questions: [...questions, event.question] });
  else if (event.change === 'replied') put(view, { replies: [...replies, event.reply] });
  else if (event.change === 'session ended')
    put(view, { sessions: [...sessions, event.session].slice(-KEPT_SESSIONS) });
  else if (event.change === 'spent') spend(view, event);
  else {
    const { asked } = replies.findLast(({ layer }) => layer === event.layer) ?? {};
    put(asked?.[event.index], { how: event.how });
  }
}

function spend(view: RunView, event: Extract<ViewChange, { change: 'spent' }>): void {
  const { usd } = event;
  put(view, { cost_usd: view.cost_usd + usd });
  if ('layer' in event) {
    const layer = findLayer(view, event.layer);
    if (layer) put(layer, { cost_usd: layer.cost_usd + usd, turns: layer.turns + event.turns });
    return;
  }
  const issue = findIssue(view, event.issue);
  if (issue)
    put(issue, { cost_usd: issue.cost_usd + usd, model_calls: issue.model_calls + event.model_calls });
}

const findLayer = ({ layers }: RunView, id: LayerId) => layers.find(each => each.id === id);
const findIssue = ({ issues }: RunView, number: number | undefined) =>
  issues.find(each => each.number === number);

/** In place: slots and layers hold their part of the view. */
function put<Part extends object>(part: Part | undefined, to: Values<Part>): void {
  if (!part) return;
  Object.assign(part, to);
  for (const [member, value] of Object.entries(to))
    if (value === undefined) Reflect.deleteProperty(part, member);
}

/** The run has what it waited for. */
export const goesOn: ViewChange = {
  change: 'run',
  to: { status: 'running', waitingFor: undefined, note: undefined },
};

export const waitsFor = (what: string): ViewChange => ({
  change: 'run',
  to: { status: 'waiting', waitingFor: what },
});

export const noted = (note: string): ViewChange => ({ change: 'run', to: { note } });

/** The run waits for `/budget`; `why` is a clause, `next` a sentence that says what to type. Returns the note. */
export function waitForBudget(
  { emit }: Pick<Shown, 'emit'>,
  why: string,
  next = "/budget +5 raises the run's limit.",
): string {
  const note = `The run waits: ${why}. ${next}`;
  emit({ change: 'run', to: { status: 'waiting', waitingFor: 'budget', note } });
  return note;
}

/** Nobody is asked for anything: the run goes on by itself at `until` (milliseconds since the epoch). */
export function waitsForProvider(until: number): ViewChange {
  // A minute is as exact as people wait.
  return waitsFor(`the model's provider, until ${utcMinute(until + 59_999)}`);
}

/** A saved view: of the newest entry at `at`. Where nothing is under way, a pause shows over what the run waits for. */
export function saved(view: RunView, at: number): ViewChange {
  const isPaused = view.pausedBy !== undefined && (view.status === 'running' || view.status === 'waiting');
  return { change: 'run', to: { updated: at, ...(isPaused && { status: 'paused' }) } };
}
