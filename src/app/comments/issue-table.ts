// The issues of a run as people read them: one table, and the graph of what waits for what.
import { dollars, mermaid, rounded, table } from './figures.ts';
import { neutralLine } from './neutral.ts';
import { isQueued, type IssueView, type RunView } from './view.ts';

const states: Readonly<Record<string, { words: string; colour: keyof typeof colours }>> = {
  pending: { words: 'waiting', colour: 'waits' },
  running: { words: 'being worked on', colour: 'works' },
  stuck: { words: 'stands still', colour: 'works' },
  killed: { words: 'out of time', colour: 'works' },
  retrying: { words: 'tried again', colour: 'works' },
  merging: { words: 'being delivered', colour: 'works' },
  delivering: { words: 'being delivered', colour: 'works' },
  done: { words: 'delivered', colour: 'done' },
  failed: { words: 'failed', colour: 'failed' },
  blocked: { words: 'blocked', colour: 'failed' },
  skipped: { words: 'left to a person', colour: 'off' },
  cancelled: { words: 'cancelled', colour: 'off' },
};

/** Fill, border and letters, each readable on a light page and on a dark one. */
const colours = {
  waits: 'fill:#eaeef2,stroke:#8c959f,color:#1f2328',
  works: 'fill:#fff8c5,stroke:#bf8700,color:#1f2328',
  done: 'fill:#dafbe1,stroke:#1a7f37,color:#1f2328',
  failed: 'fill:#ffebe9,stroke:#cf222e,color:#1f2328',
  off: 'fill:#eaeef2,stroke:#8c959f,color:#57606a',
};

/** The state of an issue's work in words. */
export function stateOf(issue: IssueView): string {
  const { state, merged } = issue;
  if (isQueued(issue)) return 'finished, queued';
  return merged && state === 'done' ? 'merged' : (states[state]?.words ?? state);
}

/** State of an issue, as a colour. */
export const toneOf = ({ state }: Pick<IssueView, 'state'>): keyof typeof colours =>
  states[state]?.colour ?? 'waits';

/** Text that cannot leave its table cell: a bar is another one, since readers differ on what escapes it. */
export const cell = (text: string, max = 120) => neutralLine(text, max).replaceAll('|', '\u00a6');

const head = ['Issue', 'State', 'Waits for', 'Tests', 'Pull request', 'Cost'];

/** Characters of a title, where there are so many issues that the rows of longer ones would not fit. */
const SHORT_TITLE = 36;
const MANY = 20;

/** Costs of layers and issues (USD), in their order, rounded so that they add up to the total. */
export function costsOf({ layers, issues }: Pick<RunView, 'layers' | 'issues'>) {
  const all = rounded([...layers, ...issues].map(({ cost_usd }) => cost_usd));
  return { layers: all.slice(0, layers.length), issues: all.slice(layers.length) };
}

const sum = (usd: readonly number[]) => usd.reduce((all, each) => all + each, 0);

/**
 * At most `room` characters where that can be: where not all rows fit, the last ones are one that says what they are.
 * The last column adds up to all that was spent.
 */
export function issueTable(view: Pick<RunView, 'layers' | 'issues'>, room: number): string {
  const { issues } = view;
  const costs = costsOf(view);
  const title = issues.length > MANY ? SHORT_TITLE : 120;
  const rows = issues.map((issue, index) => [
    ...issueRow(issue, title),
    `${dollars(costs.issues[index] ?? 0)}${issue.estimate ? ` (est. ${dollars(issue.estimate.usd.likely)})` : ''}`,
  ]);
  const planning = ['Planning', '', '', '', '', dollars(sum(costs.layers))];
  for (let most = rows.length; ; most -= 1) {
    const rest = issues.slice(most);
    const restUsd = dollars(sum(costs.issues.slice(most)));
    const others =
      rest.length > 0 ? [[`and ${rest.length} more`, countStates(rest), '', '', '', restUsd]] : [];
    const text = table(head, [...rows.slice(0, most), ...others, planning]);
    if (text.length <= room || most === 0) return text;
  }
}

const issueRow = (issue: IssueView, title: number) => [
  `#${issue.number} ${cell(issue.title, title)}`,
  `${stateOf(issue)}${issue.attempt > 1 ? `, attempt ${issue.attempt}` : ''}`,
  ['pending', 'stuck'].includes(issue.state) || isQueued(issue)
    ? cell((issue.reason ?? '').replace(/^waits for /, '').replace(/, on which it depends$/, ''), 80)
    : '',
  issue.tests === null ? '' : issue.tests.exit_code === 0 ? 'green' : 'red',
  issue.pull !== null ? `#${issue.pull}` : issue.unfinished ? `#${issue.unfinished}, unfinished` : '',
];

/** Dependencies as a Mermaid graph; titles stay out, so that nothing in them is syntax. Empty: there are none. */
export function graph(issues: readonly IssueView[]): string {
  const here = new Set(issues.map(({ number }) => number));
  const edges = issues.flatMap(({ number, dependsOn }) => dependsOn.map(on => ({ on, number })));
  if (edges.length === 0) return '';
  const others = new Set(edges.map(({ on }) => on).filter(on => !here.has(on)));
  const used = new Set(issues.map(toneOf));
  return mermaid([
    ...issues.map(each => `i${each.number}["#${each.number}: ${stateOf(each)}"]:::${toneOf(each)}`),
    ...[...others].map(on => `i${on}["#${on}"]`),
    ...edges.map(({ on, number }) => `i${on} --> i${number}`),
    ...[...used].map(name => `classDef ${name} ${colours[name]}`),
  ]);
}

/** `3 delivered, 1 failed`, in the order of the table. */
export const countStates = (issues: readonly IssueView[]): string =>
  [...Map.groupBy(issues, stateOf)].map(([state, { length }]) => `${length} ${state}`).join(', ');
