// Views of runs as tests and stories put them together.
import type { ListingFacts } from '../../../src/app/comments/listing.ts';
import { fold, type Shown } from '../../../src/app/comments/fold.ts';
import type { IssueView, RunView } from '../../../src/app/comments/view.ts';
import { layers } from '../../../src/app/layers.ts';

export const issueView = (number: number, given: Partial<IssueView> = {}): IssueView => ({
  number,
  title: `Part ${number}`,
  domain: 'backend',
  state: 'pending',
  attempt: 1,
  dependsOn: [],
  branch: null,
  pull: null,
  cost_usd: 0,
  model_calls: 0,
  ms: 0,
  rounds: 0,
  tests: null,
  ...given,
});

/** A context whose events change the view. */
export const shown = (view: RunView): Shown => ({ view, emit: event => fold(view, event) });

/** Of a delivered issue. */
export const delivered = (number: number, pull: number, given: Partial<IssueView> = {}): IssueView =>
  issueView(number, {
    state: 'done',
    pull,
    cost_usd: 0.1,
    rounds: 1,
    tests: { command: 'npm test', exit_code: 0 },
    ...given,
  });

/** The total is the sum of its parts. */
export function runView(given: Partial<RunView> = {}): RunView {
  const view: RunView = {
    run: '0a1b2c3d',
    issue: 1,
    status: 'running',
    phase: 'strategy',
    title: 'Tidy the shelf',
    layers: layers.map(({ id }) => ({ id, status: 'done', turns: 1, cost_usd: 0.02 })),
    issues: [],
    paths: [],
    past: [],
    pending: [],
    questions: [],
    replies: [],
    sessions: [],
    cost_usd: 0,
    budget_usd: 50,
    scripted: false,
    isolation: 'bubblewrap',
    started: 0,
    updated: 754_000,
    ...given,
  };
  const cost_usd = [...view.layers, ...view.issues].reduce((sum, each) => sum + each.cost_usd, 0);
  return { ...view, cost_usd: given.cost_usd ?? cost_usd };
}

/** A listing of one issue beside which nothing is said. */
export const listingFacts = (given: Partial<ListingFacts> = {}): ListingFacts => ({
  ...{ digest: 'f'.repeat(64), issues: 1, parallel: 3, candidates: 1, left_usd: 1 },
  ...{
    graph: '',
    others: { meetings: [], more: false },
    tests: '',
    note: '',
    layers: '',
    replies: [],
  },
  ...given,
});
