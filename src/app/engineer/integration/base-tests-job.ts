// The job that runs the project's tests at the base. No model is asked.
import type { BaseTestsReport } from '../jobs/report-spec.ts';
import type { BaseTestsSpec } from '../jobs/job-spec.ts';
import { testsAt, type TestsHost } from '../attempt/tests-at.ts';

/** Runs the tests in `folder`. Whatever keeps them from running is the report; throws only the signal's reason. */
export async function runBaseTests(
  spec: BaseTestsSpec,
  folder: string,
  host: TestsHost,
): Promise<BaseTestsReport> {
  const began = host.clock.now();
  return { kind: 'base-tests', ...(await testsAt({ ...spec, commit: spec.base, folder, began }, host)) };
}
