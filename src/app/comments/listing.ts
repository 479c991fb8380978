// The listing that asks for approval: exactly what would be done, split over comments where one would be too long.
import { layerName, type LayerId } from '../layers.ts';
import { dollars, plural } from './figures.ts';
import { codeSpan, inFence, MAX_BODY, neutral, neutralLine, oneLine } from './neutral.ts';

export interface ListedAction {
  id: string;
  layer: LayerId;
  /** One line: what would be done. */
  title: string;
  /** Everything that approval covers, in pieces that are whole Markdown each and fit a comment. */
  detail: string[];
}

/** Room that the head, the tests, the foot and the hidden mark of a listing comment take at most (characters). */
const FRAME = 12_000;

/**
 * The bodies of the listing comments. The first begins with `note`; the last one says what the tests came to at the base
 * (`tests`) and what to type. The same input gives the same bodies: what was approved is checked against them.
 */
export function listingComments(
  actions: readonly ListedAction[],
  digest: string,
  left: { budget_usd: number; issues: number },
  { others, tests, note }: { others: Others; tests: string; note: string },
): string[] {
  const sections = actions.flatMap(({ id, layer, title, detail: [first = '', ...rest] }) => [
    `#### ${id}: ${neutralLine(title)}\n<sub>asked for by the ${layerName(layer)}</sub>\n\n${first}`,
    ...rest,
  ]);
  sections.push(...otherRuns(others));
  const chunks: string[][] = [[]];
  let size = 0;
  for (const section of sections) {
    if (size + section.length > MAX_BODY - FRAME && chunks.at(-1)!.length > 0) {
      chunks.push([]);
      size = 0;
    }
    chunks.at(-1)!.push(section);
    size += section.length + 2;
  }
  return chunks.map((chunk, index) => {
    const of = chunks.length > 1 ? `, part ${index + 1} of ${chunks.length}` : '';
    const parts = [
      `### Waiting for your approval${of}`,
      ...(note && index === 0 ? [neutral(note)] : []),
      ...chunk,
    ];
    if (index === chunks.length - 1) parts.push(tests, foot(actions, digest, left));
    return parts.join('\n\n');
  });
}

/** What was approved does not stand any more. `created`: numbers of the issues that were created by then. */
export function voided(why: string, created: readonly number[]): string {
  if (created.length === 0)
    return `The approval does not count: ${neutralLine(why)}. The actions are listed again.`;
  const those = created.map(number => `#${number}`).join(', ');
  const which =
    created.length === 1
      ? `${those} was created by then and stays`
      : `${those} were created by then and stay`;
  return `The approval does not count any more: ${neutralLine(why)}. ${which}; what is left is listed again.`;
}

/** Other open runs of the repository whose issues name the same files. */
export interface Others {
  meetings: readonly { issue: number; paths: readonly { here: string; there: string }[] }[];
  /** There may be runs that were not looked at. */
  more: boolean;
}

/** Runs that are named, so that the section fits a comment. */
const MAX_RUNS = 10;

function otherRuns({ meetings, more }: Others): string[] {
  const rows = meetings.slice(0, MAX_RUNS).map(({ issue, paths }) => {
    const pairs = paths.map(({ here, there }) =>
      here === there ? code(here) : `${code(here)} here and ${code(there)} there`,
    );
    return `- the run of #${issue}: ${pairs.join('; ')}`;
  });
  const left = meetings.length - rows.length;
  if (left > 0) rows.push(`- and ${plural(left, 'other run')}`);
  const unknown = more ? ['There may be more: not all open runs could be looked at.'] : [];
  if (rows.length === 0) return unknown;
  const head =
    '**Others work on the same files.** What both change may conflict when it is merged; you may want to wait with one of them.';
  return [[head, rows.join('\n'), ...unknown].join('\n\n')];
}

function foot(
  actions: readonly ListedAction[],
  digest: string,
  left: { budget_usd: number; issues: number },
) {
  const first = actions[0]?.id ?? 'a1';
  const issues = [
    'Each issue ends with one line more, which names this one and those it waits for, and a mark that nobody sees.',
    `Working ${plural(left.issues, 'issue')} may cost up to ${dollars(left.budget_usd)}, which is what is left of the budget.`,
  ];
  return [
    ...(left.issues > 0 ? issues : []),
    `Nothing of this is done before someone with write access approves it. What is approved is exactly this text, \`${digest.slice(0, 12)}\`.`,
    '',
    `- \`/approve\` approves all, \`/approve ${first}\` one, \`/approve ${digest.slice(0, 12)}\` this listing and no other`,
    `- \`/reject ${first} reason\` rejects one and tells the layer why, \`/reject reason\` all`,
  ].join('\n');
}

/** An issue as it would be created; title and body are in their final form. In pieces that fit a comment each. */
export function issueDetail(issue: {
  place: number;
  title: string;
  body: string;
  labels: readonly string[];
  dependsOn: readonly string[];
  paths: readonly string[];
  assignee?: string | undefined;
  estimate?: number | undefined;
}): string[] {
  const facts = [
    issue.labels.length ? `labels ${issue.labels.map(code).join(', ')}` : '',
    issue.dependsOn.length ? `after ${issue.dependsOn.join(', ')}` : '',
    issue.paths.length ? `paths ${issue.paths.map(code).join(', ')}` : '',
    issue.assignee ? `assigned to ${code(issue.assignee)}` : '',
    issue.estimate ? `about ${issue.estimate} min` : '',
  ].filter(Boolean);
  return [`**${issue.place}.** ${codeSpan(issue.title)}\n\n${facts.join(' · ')}`, verbatim(issue.body)];
}

/** Characters of a line that a code block shows beside each other on a wide page; what is longer scrolls out of sight. */
const LINE = 160;

/**
 * A neutral text exactly as it is, since rendering Markdown can hide some of it: read back, code blocks and inline
 * code one after the other are its lines. A long line is inline code, which a page breaks without changing it.
 */
export function verbatim(text: string): string {
  const parts: string[] = [];
  let block: string[] = [];
  const close = () => {
    if (block.length > 0) parts.push(inFence(block.join('\n')));
    block = [];
  };
  for (const line of text.split('\n'))
    if (line.length <= LINE || line.trim() === '') block.push(line);
    else {
      close();
      parts.push(codeSpan(line));
    }
  close();
  return parts.join('\n\n');
}

/** A name in a sentence. */
export const code = (text: string) => codeSpan(oneLine(text));
