// The listing that asks for approval: exactly what would be done, split over comments where one would be too long.
import { layerName, type LayerId } from '../layers.ts';
import { dollars, estimated, folded, hashed, mermaid, plural } from './figures.ts';
import { code, codeSpan, inFence, MAX_BODY, neutral, neutralLine } from './neutral.ts';
import type { Figures, Range } from './view.ts';

export interface ListedAction {
  id: string;
  /** Absent: no layer has asked for it. */
  layer?: LayerId;
  /** One line: what would be done. */
  title: string;
  /** Everything that approval covers, in pieces that are whole Markdown each and fit a comment. */
  detail: string[];
}

/** Values of a listing besides its actions. */
export interface ListingFacts {
  digest: string;
  /** Number of issues that would be created. */
  issues: number;
  /** Left of the run's limit (USD). */
  left_usd: number;
  /** See RunView. */
  flatPlan?: true | undefined;
  /** Number of issues in progress at a time (0: nobody is started). */
  parallel: number;
  /** Engineers that work each of them, of whose changes one is taken. */
  candidates: number;
  /** Absent: there is nothing to work on. */
  estimate?: Figures<Range> | undefined;
  /** Dependencies among the issues. */
  graph: string;
  others: Others;
  /** Result of the tests at the base. */
  tests: string;
  /** Said above everything. */
  note: string;
  /** Layers that were skipped, and what that saved; empty: none was. */
  layers: string;
  /** See RunView. */
  mergesInto?: string | undefined;
  /** The layers' replies since the last comment, a piece each. */
  replies: readonly string[];
}

/** Room that the head, the tests, the foot and the hidden mark of a listing comment take at most (characters). */
const FRAME = 12_000;

/**
 * The bodies of the listing comments; the last one says what to type. The same input gives the same bodies: what was
 * approved is checked against them.
 */
export function listingComments(actions: readonly ListedAction[], facts: ListingFacts): string[] {
  const sections = [
    facts.graph,
    ...actions.flatMap(({ id, layer, title, detail: [first = '', ...rest] }) => [
      `#### ${id}: ${neutralLine(title)}${layer ? ` (${layerName(layer)})` : ''}\n\n${first}`,
      ...rest,
    ]),
    ...otherRuns(facts.others),
    ...facts.replies,
  ].filter(Boolean);
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
    const of = chunks.length > 1 ? ` (part ${index + 1} of ${chunks.length})` : '';
    const parts = [
      `### Approve? ${asked(actions, facts)}${of}`,
      ...(facts.note && index === 0 ? [neutral(facts.note)] : []),
      ...(facts.layers && index === 0 ? [facts.layers] : []),
      ...(facts.mergesInto !== undefined && index === 0 ? [withoutReview(facts.mergesInto)] : []),
      ...chunk,
    ];
    if (index === chunks.length - 1)
      parts.push(facts.tests, foot(actions[0]?.id ?? 'a1', actions.length, facts));
    return parts.filter(Boolean).join('\n\n');
  });
}

/** `4 issues, 3 at a time, about $0.90 (0.40 to 2.10), 40 minutes`. */
function asked(
  actions: readonly ListedAction[],
  { issues, parallel, candidates, estimate }: ListingFacts,
): string {
  const most = Math.min(parallel, issues);
  return [
    issues > 0 ? plural(issues, 'issue') : plural(actions.length, 'action'),
    most > 1 ? `${most} at a time` : '',
    most > 0 && candidates > 1 ? `${candidates} candidates each` : '',
    estimate ? estimated(estimate) : '',
  ]
    .filter(Boolean)
    .join(', ');
}

/** Meaning of `create_pr: false`, stated wherever somebody decides on the run. */
export const withoutReview = (into: string) =>
  `**Merged without review**: the branch of each finished issue is merged into ${code(into)}, and nobody is asked before. \`create_pr: true\` in the configuration has pull requests opened.`;

/** Answers a `/reject` of some actions while others (`left`) wait. */
export const partRejected = (ids: readonly string[], left: readonly string[]): string =>
  `Rejected: ${ids.map(code).join(', ')}. Still to be decided: ${left.map(code).join(', ')}. Type \`/approve ${left.join(' ')}\` or \`/reject ${left.join(' ')} reason\`; then the layer that asked is told.`;

/** An approval no longer holds. `created`: numbers of the issues that were created by then. */
export function voided(why: string, created: readonly number[]): string {
  if (created.length === 0)
    return `The approval does not count: ${neutralLine(why)}. The actions are listed again.`;
  const those = hashed(created);
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

/** An issue of a plan, at its place in the listing. */
export interface ListedIssue {
  place: number;
  /** Number of one that is there already. */
  existing?: number | undefined;
  title: string;
  body: string;
  labels: readonly string[];
  /** `no. 2` of the same listing, or `#12`. */
  dependsOn: readonly string[];
  paths: readonly string[];
  assignee?: string | undefined;
  estimate?: Figures<Range> | undefined;
}

/**
 * An issue as it would be created, or taken up; title and body are in their final form. A line, and the whole text folded: pieces that
 * fit a comment each.
 */
export function issueDetail(issue: ListedIssue): string[] {
  const facts = [
    issue.existing === undefined ? '' : `#${issue.existing}`,
    codeSpan(issue.title),
    issue.labels.length ? `labels ${issue.labels.map(code).join(', ')}` : '',
    issue.dependsOn.length ? `after ${issue.dependsOn.join(', ')}` : '',
    issue.paths.length ? `paths ${issue.paths.map(code).join(', ')}` : '',
    issue.assignee ? `assigned to ${code(issue.assignee)}` : '',
    issue.estimate ? estimated(issue.estimate) : '',
  ].filter(Boolean);
  return [
    `**${issue.place}.** ${facts.join(' · ')}`,
    folded(`The text of no. ${issue.place}`, verbatim(issue.body)),
  ];
}

/** Dependencies among listed issues; empty if there are none. Titles stay out: none of them is syntax. */
export function listingGraph(issues: readonly Pick<ListedIssue, 'place' | 'dependsOn'>[]): string {
  const node = (name: string) => name.replace(/^no\. /, 'n').replace(/^#/, 'i');
  const edges = issues.flatMap(({ place, dependsOn }) => dependsOn.map(on => [node(on), `n${place}`]));
  if (edges.length === 0) return '';
  const others = new Set(issues.flatMap(({ dependsOn }) => dependsOn.filter(on => on.startsWith('#'))));
  return mermaid([
    ...issues.map(({ place }) => `n${place}["no. ${place}"]`),
    ...[...others].map(on => `${node(on)}["${on}"]`),
    ...edges.map(([on, to]) => `${on} --> ${to}`),
  ]);
}

/** Characters of a line that a code block of a comment shows beside each other: what is longer scrolls out of sight. */
const LINE = 100;

/**
 * A neutral text exactly as it is, since rendering Markdown can hide some of it: one code block. A long line goes on
 * below with a mark before it, with which no line of the text begins.
 */
export function verbatim(text: string): string {
  const lines = text.split('\n');
  let mark = '↪ ';
  while (lines.some(line => line.startsWith(mark))) mark = `↪${mark}`;
  const rows = lines.map(
    line => line.match(new RegExp(`.{1,${LINE}}$|.{0,${LINE - 1}} |.{1,${LINE}}`, 'gsu')) ?? [line],
  );
  const block = inFence(rows.map(row => row.join(`\n${mark}`)).join('\n'));
  const note = `\`${mark.trim()}\` and a space at the beginning: the line above goes on.`;
  return rows.some(row => row.length > 1) ? `${block}\n\n${note}` : block;
}

/** Characters of a digest that name a listing. */
const NAMED = 12;
/** Longer than any foot with its hidden mark (characters). */
const LONGEST = 2000;

const type = '**Type `/approve`**';
const forAll = ' for all of it,';
const toChange = 'To change it first: `/drop 2`, `/edit 2` and the new text below, `/add title` and a text.';

/** The last paragraphs of a listing. `first`: the id of its first action. */
function foot(first: string, actions: number, { digest, issues, left_usd, flatPlan }: ListingFacts): string {
  const sum = digest.slice(0, NAMED);
  const parts = actions > 1 ? `${forAll} \`/approve ${first}\` for one part` : '';
  const atMost = flatPlan
    ? 'Dollars are by the price table: a flat plan pays (`billing: max`), and no limit is enforced.'
    : `No more than ${dollars(left_usd)} is spent on it, which is what is left of the limit.`;
  return [
    [
      `${type}${parts}, or \`/reject ${first} reason\`, which tells the layer why. Nothing is done before someone with write access approves.`,
      issues > 0 ? `${toChange} ${atMost}` : '',
    ],
    [
      `<sub>What is approved is exactly this text, \`${sum}\`; \`/approve ${sum}\` approves it and no other.`,
      issues > 0
        ? 'A new issue ends with one line more, which names this one and those it waits for, and a mark that nobody sees.'
        : '',
    ],
  ]
    .map(lines => lines.filter(Boolean).join(' '))
    .join('\n\n')
    .concat('</sub>');
}

/** The lines that decide on a listing. */
export interface Decisions {
  /** Names the listing, so that no other one is approved. */
  approve: string;
  /** A reason follows. */
  reject: string;
  /** The listing has several actions: ids at the beginning of the reason say which of them. */
  several: boolean;
}

/** The end of a comment: a foot, and the mark of who made it. Whatever a model wrote stands before it. */
const footAtEnd = new RegExp(
  `\\n\\n\\*\\*Type \`/approve\`\\*\\*(${forAll})?[^\\n]*\\n\\n<sub>What is approved is exactly this text, \`([0-9a-f]{${NAMED}})\`;[^\\n]*</sub>\\s*<!-- echelon:op=[0-9a-f]{20} -->\\s*$`,
);

/** The request in a comment of the bot's own, or nothing if it is no listing (or not its last part). */
export function decisionsIn(body: string): Decisions | undefined {
  if (!body.startsWith('### Approve? ')) return undefined;
  const [, all, sum] = footAtEnd.exec(body.slice(-LONGEST)) ?? [];
  if (sum === undefined) return undefined;
  const several = all !== undefined;
  const reject = several ? '/reject' : /`(\/reject a\d+) reason`/.exec(body.slice(-LONGEST))?.[1];
  if (reject === undefined) return undefined;
  return { approve: `/approve ${sum}`, reject, several };
}
