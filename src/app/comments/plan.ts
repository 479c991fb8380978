// The answer to /plan.
import { stateOf } from './issue-table.ts';
import { clip, neutral, neutralLine } from './neutral.ts';
import type { RunView } from './view.ts';

/** Characters of a plan that are shown. */
const MAX_PLAN = 40_000;

export function planReply({ plan, issues }: RunView): string {
  const rows = issues.map(issue => `- #${issue.number} ${neutralLine(issue.title)}: ${stateOf(issue)}`);
  return [
    plan ? clip(neutral(plan), MAX_PLAN) : 'There is no plan yet: the layers have written none.',
    rows.join('\n'),
  ]
    .filter(Boolean)
    .join('\n\n');
}
