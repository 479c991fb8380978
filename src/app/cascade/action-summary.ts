// An action in one line.
import { layerName } from '../layers.ts';
import type { Action } from './actions.ts';

/** `done`: how many issues of a `create_issues` are there already. */
export function actionSummary(action: Action, done = 0): string {
  switch (action.action) {
    case 'update_plan':
      return 'replace the plan';
    case 'create_issues': {
      const count = action.issues.length - done;
      return `create ${count} ${count === 1 ? 'issue' : 'issues'}`;
    }
    case 'schedule': {
      const which = action.issues
        ? `issues ${action.issues.map(each => (typeof each === 'number' ? `no. ${each}` : each)).join(', ')}`
        : action.label
          ? `the issues labelled ${action.label}`
          : 'all issues of this run';
      return `work on ${which}${action.max_parallel ? `, at most ${action.max_parallel} at a time` : ''}`;
    }
    case 'create_branch':
      return `create the branch ${action.branch_name} from ${action.from ?? 'the base branch'}`;
    case 'request_review':
      return `ask for a review of pull request ${action.pr_number}`;
    case 'request_info':
      return `ask the ${action.target === 'ceo' ? 'person' : layerName(action.target)} a question`;
    case 'escalate':
      return 'ask the person to decide';
  }
}
