// The run comment: the state of a run at a glance. Drawn from the view alone.
import { layerName } from '../layers.ts';
import { baseTestsLine } from './base-tests.ts';
import type { IssueView, QuestionView, RunView } from './view.ts';
import { dollars, folded, plural, table } from './figures.ts';
import { code } from './listing.ts';
import { clip, neutral, neutralLine } from './neutral.ts';
import { openQuestions } from './question.ts';
import { unwellSessions } from './session.ts';

/** Characters the board may take: the open segment of the record stands below it in the same comment. */
const MAX_BOARD = 9000;

export function board(view: RunView): string {
  return clip([headline(view), ...body(view)].filter(Boolean).join('\n\n'), MAX_BOARD);
}

/** The answer to `/status`: the board, and the sessions that were not healthy. */
export function statusReply(view: RunView): string {
  return [board(view), unwellSessions(view.sessions)].filter(Boolean).join('\n\n');
}

function headline(view: RunView): string {
  const waiting = view.status === 'waiting' && view.waitingFor ? `: ${view.waitingFor}` : '';
  return `### Echelon: ${view.status}${waiting}`;
}

function body(view: RunView): string[] {
  const parts = [
    `Phase **${view.phase}** · ${dollars(view.cost_usd)} of ${dollars(view.budget_usd)} · run ${code(view.run)}${
      view.isolation ? ` · isolation ${code(view.isolation)}` : ''
    }`,
  ];
  if (view.scripted)
    parts.push('_The scripted model is playing: every reply comes from a file, no language model is asked._');
  if (view.note) parts.push(neutral(view.note));
  if (view.baseTests && view.baseTests.state !== 'green') parts.push(baseTestsLine(view.baseTests));
  if (view.pending.length) parts.push(pending(view));
  const open = openQuestions(view);
  if (open.length) parts.push(questions(open));
  parts.push(table(['Layer', 'Status', 'Turns', 'Cost'], view.layers.map(layerRow)));
  if (view.plan) parts.push(folded('Plan', clip(neutral(view.plan), 3000)));
  if (view.issues.length) {
    parts.push(
      table(
        ['Issue', 'Domain', 'State', 'Attempt', 'Rounds', 'Pull request', 'Cost'],
        view.issues.map(issueRow),
      ),
    );
    const reasons = view.issues.filter(issue => issue.reason && issue.state !== 'done');
    if (reasons.length)
      parts.push(
        reasons
          .map(issue => `- #${issue.number}: ${neutralLine(issue.reason ?? '')}${keptOn(issue)}`)
          .join('\n'),
      );
    parts.push(graph(view.issues));
  }
  return parts;
}

function pending(view: RunView): string {
  const rows = view.pending.map(action => `- ${code(action.id)} ${neutralLine(action.title)}`);
  return `**${plural(view.pending.length, 'action')} waiting for approval**: type \`/approve\` or \`/reject\`.\n\n${rows.join('\n')}`;
}

function questions(open: readonly QuestionView[]): string {
  const rows = open.map(({ id, from, text }) => `- ${code(id)} ${from}: ${neutralLine(text, 300)}`);
  return `**${plural(open.length, 'question')} open**: type ${code(`/answer ${open[0]!.id} your answer`)}.\n\n${rows.join('\n')}`;
}

const layerRow = (layer: RunView['layers'][number]) => [
  layerName(layer.id),
  layer.error ? `${layer.status}: ${cell(layer.error)}` : layer.status,
  String(layer.turns),
  dollars(layer.cost_usd),
];

const issueRow = (issue: IssueView) => [
  `#${issue.number} ${cell(issue.title)}`,
  issue.domain,
  issue.state,
  String(issue.attempt),
  issue.rounds ? String(issue.rounds) : '',
  issue.pull === null ? '' : `#${issue.pull}`,
  dollars(issue.cost_usd),
];

/** Where the last change of a failed issue is. */
export const keptOn = ({ state, kept }: IssueView) =>
  state === 'failed' && kept ? ` (kept on ${code(kept)})` : '';

/** Text that cannot leave its table cell: a bar is another one, since readers differ on what escapes it. */
const cell = (text: string) => neutralLine(text, 120).replaceAll('|', '\u00a6');

/** The issues and what depends on what, as Mermaid; titles stay out, so that nothing in them is syntax. */
function graph(issues: readonly IssueView[]): string {
  const nodes = issues.map(issue => `  i${issue.number}["#${issue.number} ${issue.domain}: ${issue.state}"]`);
  const edges = issues.flatMap(issue => issue.dependsOn.map(on => `  i${on} --> i${issue.number}`));
  if (edges.length === 0) return '';
  return `\`\`\`mermaid\ngraph LR\n${[...nodes, ...edges].join('\n')}\n\`\`\``;
}
