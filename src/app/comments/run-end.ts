// The last comment of a run: what came of it.
import { endStates } from '../end-states.ts';
import type { RunView } from './view.ts';
import { keptOn } from './board.ts';
import { code } from './listing.ts';
import { dollars, plural, seconds } from './figures.ts';
import { neutral, neutralLine } from './neutral.ts';

export function runEndComment(view: RunView): string {
  const count = (state: string) => view.issues.filter(issue => issue.state === state).length;
  const ends = endStates
    .map(state => ({ word: state === 'done' ? 'delivered' : state, n: count(state) }))
    .filter(({ n }) => n > 0)
    .map(({ word, n }) => `${n} ${word}`);
  const rows = view.issues.map(issue => {
    const pull = issue.pull === null ? '' : `: pull request #${issue.pull}`;
    const why = issue.state === 'done' || !issue.reason ? '' : `: ${neutralLine(issue.reason)}`;
    const retry = issue.state === 'failed' ? `. ${code(`/retry #${issue.number}`)} tries it again` : '';
    return `- #${issue.number} ${issue.state === 'done' ? 'delivered' : issue.state}${pull}${why}${keptOn(issue)}${retry}`;
  });
  const heads = {
    completed: 'The run is completed.',
    failed: 'The run has failed.',
    cancelled: 'The run was cancelled.',
  } as Record<string, string>;
  return [
    `${heads[view.status] ?? `The run is ${view.status}.`} ${view.issues.length ? `Of ${plural(view.issues.length, 'issue')}: ${ends.join(', ')}.` : nobodyWorked(view)}`,
    view.note ? neutral(view.note) : '',
    rows.join('\n'),
    `<sub>${dollars(view.cost_usd)} of ${dollars(view.budget_usd)}, ${seconds(view.updated - view.started)}${view.scripted ? ', played by the scripted model' : ''}</sub>`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

export const runSaidEnough = (most: number) =>
  `It was stopped: it has written ${most} comments, the most that a run may. Take the label off and put it on again to begin anew`;

/** A run that fails without an issue has not failed by itself: nothing was scheduled, or nothing approved. */
const nobodyWorked = ({ status, note }: RunView) =>
  `No issue was worked on.${status === 'failed' && !note ? ' The layers scheduled none, or what they asked for was not approved.' : ''}`;
