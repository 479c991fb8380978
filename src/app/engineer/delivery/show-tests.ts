// Shows the test result on a pushed commit, with the lines that failed: once for each commit.
import { annotationMessage, annotationTitle, checkSummary, checkTitle } from '../../comments/base-tests.ts';
import type { Annotation, CheckShown } from '../../github/checks.ts';
import { type Committed, type EngineerContext, type Slot, stepsOf } from '../slots/context.ts';
import { failurePlaces, fileNames } from '../jobs/failure-places.ts';
import type { JobReport } from '../jobs/report-spec.ts';

/** GitHub takes as many in a call. */
const MAX_ANNOTATIONS = 50;

/** The step's key; undefined: the tests did not run on these files, or GitHub has refused a check before. */
export const testsKey = (
  { view }: EngineerContext,
  slot: Slot,
  { tests }: JobReport,
  { tree }: Committed,
): string | undefined =>
  tests?.tree === tree && view.checksRefused === undefined ? `${stepsOf(slot)}/tests-shown` : undefined;

/** Without the right to it the run goes on: the board says so, and it is not tried for the next one. */
export async function showTests(
  ctx: EngineerContext,
  slot: Slot,
  report: JobReport,
  made: Committed,
): Promise<void> {
  const key = testsKey(ctx, slot, report, made);
  const { tests } = report;
  if (key === undefined || !tests) return;
  const { commit } = made;
  const { view, github } = ctx;
  const log = report.kind === 'failed' ? report.log_tail : '';
  const text = { issue: slot.issue.number, tests, before: view.baseTests, log };
  const shown = await ctx.step<CheckShown>(
    key,
    async op => {
      const passed = tests.exit_code === 0;
      const annotations = passed ? [] : await annotationsOf(ctx, commit, log);
      const check = { commit, passed, title: checkTitle(tests), summary: checkSummary(text) };
      return await github.showCheck({ ...check, annotations }, op);
    },
    { find: op => github.checkShown(commit, op) },
  );
  if ('refused' in shown) ctx.emit({ change: 'run', to: { checksRefused: shown.refused } });
}

/** Only at files of the commit: a log may name anything. */
async function annotationsOf(
  { mirror }: EngineerContext,
  commit: string,
  log: string,
): Promise<Annotation[]> {
  if (log.trim() === '') return [];
  const files = await (await mirror()).listFiles(commit);
  const names = fileNames(files.map(({ path }) => path));
  return failurePlaces(log, names, MAX_ANNOTATIONS).map(({ path, line, said }) => ({
    ...{ path, line, title: annotationTitle, message: annotationMessage(said) },
  }));
}
