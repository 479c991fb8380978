// The pull request's title and body.
import { exited, type TestsResult } from './attempt-end.ts';
import { type CandidatesView, candidates } from './candidates.ts';
import { evidence, someNames, testsThatRan, type TestsShown } from './evidence.ts';
import { dollars, folded, hashed, plural } from './figures.ts';
import type { SessionSummary } from '../../engine/models.ts';
import { checksHeld, checksWait } from './round.ts';
import { code, clip, fenced, neutral, neutralLine, quote, titleLine, paragraphs } from './neutral.ts';
import { answeredInstead } from './session.ts';
import type { BaseTestsView } from './view.ts';

/** Also the first line of commits, where nothing is code. */
export const pullTitle = (title: string) => titleLine(title);

export interface PullText {
  issue: number;
  directive: number;
  /** The engineer's last words. */
  summary: string;
  feedback: string;
  /** Criteria of the issue; `met` null: nobody has judged it. */
  criteria: readonly CriterionText[];
  /** Of the last job. */
  tests: TestsShown | null;
  /** Of the job that was delivered: a round tells of its own change only. */
  delivered: TestsShown | null;
  /** The tests before any change; undefined: not known. */
  before: Pick<BaseTestsView, 'state' | 'exit_code' | 'failing'> | undefined;
  rounds: number;
  /** Of which this is the best; absent: it was alone. */
  candidates?: CandidatesView | undefined;
  /** Of the issue so far. */
  cost_usd: number;
  /** Its branch. */
  branch: string;
  /** Rounds that people had on it since. */
  reviewed: number;
  files: number;
  /** Those of the changed files that a reviewer should know of: what agents are told, what runs elsewhere, what a diff folds. */
  instructions: readonly string[];
  /** Packages that the change adds; names and versions are sanitized. */
  packages?: PackagesText | undefined;
  /** Its commit was pushed, so GitHub does not sign it, and why. */
  unsigned?: string | undefined;
  isolation: string;
  /** Engine of the director, if it was not this product itself. */
  engine?: string | undefined;
  /** The last of the attempt. */
  sessions: readonly SessionSummary[];
  scripted: boolean;
  /** GitHub starts its checks only when a person approves. */
  checksWait: boolean;
  /** Its head commit keeps the checks from starting. */
  checksHeld: boolean;
  /** Pull requests this one is built on. */
  standsOn: number[];
}

interface PackagesText {
  packages: readonly string[];
  more: number;
  /** Changed files whose packages could not be read. */
  unread: readonly string[];
}

interface CriterionText {
  text: string;
  met: boolean | null;
  evidence: string;
}

/** The issue that a pull request of ours is for, by the words that its body begins with. */
export function issueOfPull(body: string): number | undefined {
  const found = /\b(?:Closes|Unfinished work on) #(\d{1,9})\b/.exec(body)?.[1];
  return found === undefined ? undefined : Number(found);
}

export function pullBody(pull: PullText): string {
  const stands = hashed(pull.standsOn);
  return paragraphs([
    `Closes #${pull.issue}`,
    clip(neutral(pull.summary), 20_000) || '_The engineer left no summary._',
    criteriaList(pull.criteria),
    evidence(pull.delivered) &&
      `${evidence(pull.delivered)}${pull.reviewed > 0 ? ' That was before the rounds of review.' : ''}`,
    stands && `Stands on ${stands}: merge ${pull.standsOn.length > 1 ? 'those' : 'that'} first.`,
    withCare(pull.instructions),
    pull.packages && packagesLine(pull.packages),
    `**Tests**: ${testsLine(pull.tests)}${beforeLine(pull)}.`,
    pull.checksHeld ? checksHeld : pull.checksWait && checksWait,
    `**Evaluation**: passed in round ${pull.rounds}.${pull.reviewed > 0 ? ` Since then ${plural(pull.reviewed, 'round')} of review.` : ''}${pull.feedback.trim() ? `\n\n${quote(clip(neutral(pull.feedback), 5000))}` : ''}`,
    testsThatRan(pull.tests),
    pull.candidates && candidates(pull.candidates),
    answeredInstead(pull.sessions),
    tryIt(pull),
    `<sub>${[
      `part of #${pull.directive}`,
      plural(pull.files, 'file'),
      dollars(pull.cost_usd),
      `isolation ${code(pull.isolation)}`,
      pull.engine ? `worked by ${neutralLine(pull.engine)}` : '',
      pull.unsigned ? `pushed, so not signed by GitHub: ${neutralLine(pull.unsigned)}` : '',
      pull.scripted ? 'played by the scripted model' : '',
    ]
      .filter(Boolean)
      .join(' · ')}</sub>`,
  ]);
}

/** A reviewer decides about code of others as well, which no diff shows. */
/** Nothing where no such file is changed. */
export const withCare = (files: readonly string[]): string =>
  files.length > 0
    ? `**Read with care**: this changes what coding agents are told, what runs on a contributor's machine or in CI, or what a diff shows: ${files.map(code).join(', ')}.`
    : '';

const packagesLine = ({ packages, more, unread }: PackagesText): string =>
  [
    packages.length > 0 &&
      `**New packages**: ${packages.map(code).join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
    unread.length > 0 && `Look for new packages in ${unread.map(code).join(', ')}.`,
  ]
    .filter(Boolean)
    .join(' ');

export const testsLine = (tests: TestsResult | null) =>
  tests
    ? `${code(tests.command)} ${exited(tests)}`
    : 'the repository has no test command; the evaluator judged the change alone';

/** A box is checked where the evaluator says that it is met: people check the others. */
export const criteriaList = (criteria: readonly CriterionText[]) =>
  criteria.length === 0 ? '' : `**Criteria**\n\n${criteria.map(criterionLine).join('\n')}`;

function criterionLine({ text, met, evidence }: CriterionText): string {
  const state = met === null ? '_not judged_: ' : met ? '' : '**not met**: ';
  const shown = neutralLine(evidence);
  return `- [${met ? 'x' : ' '}] ${state}${neutralLine(text)}${shown === '' ? '' : ` (${shown})`}`;
}

/** Effect of the change on the tests: those that failed before pass now. */
export function beforeLine({ before, tests }: Pick<PullText, 'before' | 'tests'>): string {
  if (!tests || !before || before.state === 'running' || before.state === 'cannot_run') return '';
  if (before.state === 'green') return '. Before any change they were green';
  const red = before.failing.length > 0 ? `, red ${someNames(before.failing)}` : '';
  return `. Before any change they exited ${before.exit_code}${red}${tests.exit_code === 0 ? '; all are green now' : ''}`;
}

export const tryIt = ({ branch, tests }: Pick<PullText, 'branch' | 'tests'>) =>
  folded(
    'Try it',
    fenced(
      [`git fetch origin ${branch}`, 'git switch --detach FETCH_HEAD', tests?.command ?? '']
        .filter(Boolean)
        .join('\n'),
    ),
  );
