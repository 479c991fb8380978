// Texts of a sub-issue: its body, and the end of its work where there is no pull request.
import { someNames } from './evidence.ts';
import { attemptEnd, exited, remedies, type TestsResult } from './attempt-end.ts';
import { dollars, folded, hashed, plural, utcMinute } from './figures.ts';
import { code, clip, fenced, neutral, neutralLine, quote, paragraphs } from './neutral.ts';

const heads = {
  blocked: 'This issue is blocked.',
  skipped: 'This issue is left to a person.',
  cancelled: 'This issue is not worked on any more.',
} as const;

export const issueEndComment = (end: keyof typeof heads, reason: string): string =>
  `${heads[end]}\n\n${sentence(clip(neutral(reason), 8000))}`;

/**
 * Location of a failed issue's last change: a branch, with or without a draft; its job's files, until then or for
 * good; nowhere, with the reason; null: there was no change.
 */
export type Kept = { branch: string; pull?: number } | { until: number | null } | { refused: string } | null;

export interface IssueFailed {
  issue: number;
  directive: number;
  /** Class of the last attempt's end, and what was said of it. */
  kind: string;
  detail: string;
  tests: TestsResult | null;
  /** Tests that the log names as failed, the line of it that says what failed first, and its end. */
  failing: readonly string[];
  failure: string;
  log: string;
  attempts: number;
  /** Judged in the last attempt. */
  rounds: number;
  /** Of all attempts. */
  cost_usd: number;
  /** Engine of the director, if it was not this product itself. */
  engine?: string | undefined;
  kept: Kept;
  /** The work is finished: only its delivery was refused. */
  finished: boolean;
}

export function issueFailedComment(end: IssueFailed): string {
  const { finished } = end;
  const head = finished ? 'This issue is finished, but not delivered' : 'This issue failed';
  const retry = `ype ${code(`/retry #${end.issue}`)} on #${end.directive}`;
  return paragraphs([
    `**${head}**: ${attemptEnd(end.kind)}.`,
    ...failureText(end),
    keptLine(end),
    remedies.get(end.kind) ?? '',
    finished
      ? `When that is changed, t${retry}: the finished work is delivered as it is, and no model is called. (${figuresOf(end)})`
      : `${figuresOf(end)}. T${retry} to have it tried again.`,
  ]);
}

export const figuresOf = (end: Pick<IssueFailed, 'attempts' | 'rounds' | 'cost_usd' | 'engine'>) =>
  [
    plural(end.attempts, 'attempt'),
    `${plural(end.rounds, 'round')} in the last one`,
    dollars(end.cost_usd),
    ...(end.engine ? [`worked by ${neutralLine(end.engine)}`] : []),
  ].join(', ');

/** The failure, in paragraphs of which some may be empty. */
export function failureText(end: Omit<IssueFailed, 'kept' | 'finished'>): string[] {
  const { kind, detail, log, tests } = end;
  const said = detail.trim();
  return [
    tests ? `**Tests**: ${code(tests.command)} ${exited(tests)}.${failingLine(end)}` : '',
    said && said !== attemptEnd(kind)
      ? `${kind === 'rejected' ? 'The evaluator said last:' : 'In detail:'}\n\n${quote(clip(neutral(detail), 5000))}`
      : '',
    log.trim() && tests?.exit_code !== 0 ? folded('End of the log', clip(fenced(log), 10_000)) : '',
  ];
}

function failingLine({
  tests,
  failing,
  failure,
}: Pick<IssueFailed, 'tests' | 'failing' | 'failure'>): string {
  if (tests?.exit_code === 0) return '';
  if (failing.length > 0) return ` What fails: ${someNames(failing)}`;
  return failure ? ` The first failure: ${code(failure)}` : '';
}

/** For the board, behind the reason. */
export const keptUntil = (kept: Kept): string =>
  kept && 'until' in kept && kept.until !== null
    ? `; the work is kept until ${new Date(kept.until).toISOString().slice(0, 10)}`
    : '';

function keptLine({ kept, finished }: IssueFailed): string {
  if (!kept) return '';
  if ('until' in kept) {
    const until = kept.until === null ? '' : ` until ${utcMinute(kept.until)}`;
    return `The finished work is kept with the files of its job${until}.`;
  }
  if ('refused' in kept) return `The last change was not kept: ${neutralLine(kept.refused)}.`;
  if (kept.pull !== undefined)
    return `The last change is kept as a draft that says unfinished, #${kept.pull}.`;
  return `The ${finished ? 'finished work' : 'last change'} is kept on the branch ${code(kept.branch)}, without a pull request.`;
}

// Tabs would be narrower behind the mark, and what is code no code.
const sentence = (text: string) => {
  const trimmed = text.trim();
  const first = trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
  return /[.!?)]$/.test(first) ? first : `${first}.`;
};

/** A sub-issue of a run that ended before its work did. `why`: `was cancelled by ...`. */
export const runOverComment = (directive: number, why: string) =>
  `The run of #${directive} ${why}: nobody works on this issue any more. Close it, or take it up yourself; the label put on #${directive} again begins a new run with issues of its own.`;

/** On a sub-issue whose directive was deleted or moved away. */
export const directiveGone = (directive: number) =>
  `#${directive}, whose run this is part of, was deleted or moved to another repository: the run is over, and nobody works on this issue any more. Close it, or take it up yourself.`;

export const runStopped = 'has failed before this was done';

/** Reasons for an issue's state, each a clause. */
export const closedBefore = 'it was closed before its work began';
export const closedDuring = (by: string) => `${by} closed it while it was worked`;
export const issueIsShut = 'waits until its issue is open again';
export const issueIsGone = 'it was deleted, or moved to another repository';
export const closedTooOften = 'it was closed and opened again too often';
export const labelledWip = 'it is labelled WIP';
export const assignedBy = (to: string, by: string) =>
  to === by ? `it was taken by ${to}` : `it was assigned to ${to} by ${by}`;
export const givenBack = 'it is free again';
export const takenTooOften = 'it was taken and given back too often';
export const openedAgain = 'it was opened again';

export const directiveClosed = (by: string) => `Cancelled: ${code(by)} closed this issue.`;

export const cancelledBy = (login: string) => `was cancelled by ${code(login)}`;

/** The number of the directive in the body of a sub-issue or of a pull request of ours. */
export function directiveIn(body: string): number | undefined {
  const found = [...body.matchAll(/<sub>part of #(\d{1,9})\b/gi)].at(-1)?.[1];
  return found === undefined ? undefined : Number(found);
}

export function issueBody({
  body,
  directive,
  dependsOn,
}: {
  body: string;
  directive: number;
  dependsOn: number[];
}) {
  const foot = [`Part of #${directive}.`, dependsOn.length ? `After ${hashed(dependsOn)}.` : ''].filter(
    Boolean,
  );
  return `${body}\n\n<sub>${foot.join(' ')}</sub>`;
}
