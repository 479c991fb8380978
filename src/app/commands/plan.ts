// /plan
import { bare, type Reading } from './command.ts';
import { stateOf } from '../comments/issue-table.ts';
import { clip, neutral, neutralLine } from '../comments/neutral.ts';
import type { RunView } from '../comments/view.ts';

export const plan: Reading<'plan'> = {
  kind: 'reads',
  ...bare('plan'),
  what: 'the present plan',
  who: 'read',
  answers: { of: 'run', say: planReply },
};

/** Characters of a plan that are shown. */
const MAX_PLAN = 40_000;

function planReply({ plan, issues }: RunView): string {
  const rows = issues.map(issue => `- #${issue.number} ${neutralLine(issue.title)}: ${stateOf(issue)}`);
  return [
    plan ? clip(neutral(plan), MAX_PLAN) : 'There is no plan yet: the layers have written none.',
    rows.join('\n'),
  ]
    .filter(Boolean)
    .join('\n\n');
}
