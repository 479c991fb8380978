// The job that runs the project's tests at the base: a fresh checkout, the test command, what it came to. No model.
import { join } from 'node:path';
import { trimLog } from '../../engine/language/trim.ts';
import { messageOf } from '../../lib/message.ts';
import { createCheckout } from '../../workspace/checkout.ts';
import { runCommand } from '../../workspace/command.ts';
import type { CommandResult } from '../../workspace/command-end.ts';
import { chooseIsolation } from '../../workspace/isolation.ts';
import { readRegular } from '../../workspace/regular-file.ts';
import { ATTEMPT_LIMIT, type BaseTestsReport, type BaseTestsSpec } from './job-spec.ts';
import { testOutcome } from './test-outcome.ts';
import type { JobHost } from './workplace.ts';

/** Bytes of the tests' output that are kept, of stdout and of stderr each. */
const MAX_OUTPUT = 256 * 1024;
/** Tokens of it that people and the evaluator are shown. */
const TAIL = 500;

type BaseTestsHost = Pick<JobHost, 'clock' | 'hostPath' | 'mark' | 'signal'>;

/** Runs the tests in `folder`. Whatever keeps them from running is the report; throws only the signal's reason. */
export async function runBaseTests(
  spec: BaseTestsSpec,
  folder: string,
  host: BaseTestsHost,
): Promise<BaseTestsReport> {
  const began = host.clock.now();
  const report = (found: Omit<BaseTestsReport, 'kind' | 'ms'>): BaseTestsReport => ({
    kind: 'base-tests',
    ...found,
    ms: host.clock.now() - began,
  });
  try {
    const { ended, declared } = await runTests(spec, folder, host, began);
    const tail = trimLog(`${ended.stdout}\n${ended.stderr}`, TAIL).trim();
    return report({
      failing: [],
      why: '',
      ...testOutcome(ended, declared),
      exit_code: ended.exit_code,
      tail,
    });
  } catch (error) {
    host.signal.throwIfAborted();
    return report({ state: 'cannot_run', failing: [], why: messageOf(error), exit_code: null, tail: '' });
  }
}

async function runTests(
  spec: BaseTestsSpec,
  folder: string,
  { clock, hostPath, mark, signal }: BaseTestsHost,
  began: number,
): Promise<{ ended: CommandResult; declared(name: string): boolean }> {
  const isolation = await chooseIsolation(spec.isolation, { secretsPresent: true });
  const checkout = await createCheckout({ mirror: spec.mirror, commit: spec.base, folder });
  try {
    const declared = declaredIn(checkout.tree);
    const ended = await runCommand({
      command: spec.command,
      tree: checkout.tree,
      home: checkout.home,
      hostPath,
      env: {},
      job: mark,
      // Whoever watches the job counts from its start.
      time: { ms: Math.max(1000, spec.limits.attempt_ms - (clock.now() - began)), more: ATTEMPT_LIMIT },
      maxOutputBytes: MAX_OUTPUT,
      isolation,
      network: spec.network,
      signal,
    });
    return { ended, declared };
  } finally {
    await checkout.remove();
  }
}

/** Where projects name what they depend on; bytes that are read of one. */
const manifests = ['package.json', 'pyproject.toml', 'setup.py', 'setup.cfg', 'Pipfile', 'tox.ini'];
const requirements = ['requirements.txt', 'requirements-dev.txt', 'requirements/dev.txt'];
const MAX_MANIFEST = 256 * 1024;

/** Whether the project in `tree`, as it is now, names a package as its dependency. */
function declaredIn(tree: string): (name: string) => boolean {
  const texts = [...manifests, ...requirements].map(name => {
    const bytes = readRegular(join(tree, name), MAX_MANIFEST);
    return Buffer.isBuffer(bytes) ? bytes.toString('utf8') : '';
  });
  const words = new Set(texts.join('\n').split(/[\s"',;=<>~![\](){}]+/));
  return name => words.has(name);
}
