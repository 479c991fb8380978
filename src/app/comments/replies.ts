// Answers to commands that were not followed, and to people who may not give them.
import { keyName, providers } from '../../engine/models/provider-keys.ts';
import { utcMinute } from './figures.ts';
import { code, clip, fenced, neutralLine } from './neutral.ts';

const end = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

export const refusal = (by: string, command: string, why: string) =>
  `${code(`/${command}`)} by ${code(by)} was not followed: ${end(neutralLine(why))}`;

export const notPermitted = (by: string, command: string, has: string, needs: string) =>
  `${code(`/${command}`)} needs ${needs} access to this repository; ${code(by)} has ${has}.`;

export const noRun =
  'There is no run on this issue. A person with write access begins one by putting the label on.';

export const dryRunBegins =
  'The run that begins here next is a dry run, where this was written by somebody with write access before the label was put on: the layers say what they would do, and nothing is done. Take the label off where it is on, and put it on.';

/** On an issue that carries the label, where no run came of it. */
export const notBegun =
  'No run has begun on this issue yet. Where a comment above says why, mend that; then take the label off and put it on again.';

/** Reasons for refusing a command, each as a clause. */
export const nothingToDecide = 'nothing waits for approval now';
export const nothingToRetry = 'nothing has failed that could be tried again now';
export const runIsOver = (status: string) => `the run is ${status}`;
export const runWaitsFor = (names: readonly string[]) =>
  `the run waits for ${names.join(' or ') || 'nothing'}`;
export const runWaitsFirst = (names: readonly string[]) => `the run waits for ${names.join(' or ')} first`;

/** On a sub-issue or a pull request of a run: `type` is the line to write on the directive. */
export const belongsElsewhere = (command: string, directive: number, type: string) =>
  `${code(`/${command}`)} belongs on #${directive}, whose run this is part of: write ${code(type)} there.`;

export const ofRun = (directive: number, said: string) => `Of the run of #${directive}:\n\n${said}`;

export const editsDoNotCount =
  'An edited comment is not read for commands: what was written first counts. Write the command in a new comment.';

export const mayNotStart = (by: string, has: string, label: string) =>
  `The label ${code(label)} was put on by ${code(by)}, who has ${has} access. Write access is needed to begin a run.`;

/** While a run goes on. */
export const labelTakenOff = (label: string) =>
  `The label ${code(label)} was taken off. The run goes on: type ${code('/cancel')} to end it. What you approve counts again once the label is back on.`;

export function problemReply(
  problems: readonly { line: number; column: number; message: string; excerpt: string; nearest?: string }[],
): string {
  const rows = problems.slice(0, 5).map(problem => {
    const near = problem.nearest ? ` Did you mean ${code(problem.nearest)}?` : '';
    return `Line ${problem.line}, column ${problem.column}: ${end(neutralLine(problem.message))}${near}\n\n${fenced(problem.excerpt)}`;
  });
  return clip(rows.join('\n\n'), 10_000);
}

export const configReply = (
  path: string,
  problems: readonly { file?: string; line: number; column: number; message: string }[],
) =>
  [
    `The run does not begin, because ${code(path)} on the default branch has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:`,
    problems
      .map(
        ({ file = path, line, column, message }) =>
          `- ${code(`${file}:${line}:${column}`)} ${neutralLine(message)}`,
      )
      .join('\n'),
    'Mend the file, then take the label off and put it on again.',
  ].join('\n\n');

export const cannotStart = (why: string) =>
  `The run does not begin: ${end(neutralLine(why))} Then take the label off and put it on again.`;

/** For `cannotStart`: what a workflow lacks. */
export const noModelKey = `no secret has a model's key, or the workflow does not hand it on. Set the one that your models need: ${providers.map(each => `gh secret set ${keyName(each)}`).join(', or ')}; or store none, and set the ids of the trust (echelon init --identity)`;
export const noStateKey =
  'the secret ECHELON_STATE_KEY, which signs the record, is not set, or the workflow does not hand it on. Make one: openssl rand -hex 32 and gh secret set ECHELON_STATE_KEY';

/** For `cannotStart`: of `execution: actions`. */
export const lacksWorkflow = (path: string) =>
  `\`execution: actions\` needs the workflow ${path} that works the App's jobs, on the default branch. Run echelon init --app in a clone, and merge what it proposes; or take \`execution\` out of the configuration`;

/** `needs`: what GitHub says that would do. */
export const lacksPermission = (needs: string | undefined) =>
  `the token of the workflow may not do that${needs === undefined ? '' : `, which takes ${needs}`}. Give the workflow the permissions that echelon init writes, and have it begin again`;
export const pullsForbidden =
  'this repository does not let GitHub Actions open pull requests. Turn on "Allow GitHub Actions to create and approve pull requests" under Settings > Actions > General > Workflow permissions';
export const pushForbidden = (branch: string, reason: string) =>
  `the server refuses the branch ${branch}: ${reason}. Exempt branches that begin with echelon/ from that rule, under Settings > Rules or Settings > Branches`;

/** For `cannotStart`, which says how to go on. */
export const changedAfterLabel = ({ what, by }: { what: string; by: string }) =>
  `the ${what} was changed by ${by === 'ghost' ? 'an account that is gone' : by}, who has no write access, after the label was put on. Read the issue again`;

/** Reason for beginning no run. `until`: when one may (milliseconds since the epoch); `by`: what sets the limit. */
export const tooManyRuns = (begun: number, until: number, by: string) =>
  `${begun} ${begun === 1 ? 'run has' : 'runs have'} begun in this repository within the last hour, which is all that ${by} allows. Wait until ${utcMinute(until + 59_999)}`;

/** Of a run whose program fails. */
export const standsStill = (message: string) =>
  `Something went wrong while working on this run, and it stands still: ${end(neutralLine(message, 2000))}`;

/** `triesAgain`: whether the process that failed does so by itself. */
export const errorComment = (message: string, triesAgain: boolean) =>
  `${standsStill(message)} Nothing is lost. ${triesAgain ? 'It is tried again in a few minutes, and at the next command.' : 'If no other job goes on with it, comment `/retry`, or run the failed job again.'}`;

/** Of a run that a workflow could not bring on: nothing comes by itself. */
export const cannotGoOn = (message: string) =>
  `${standsStill(message)} Nothing is lost. When that is mended, start the workflow for this issue again.`;
