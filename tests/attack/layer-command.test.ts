// A command of a layer: what it answers, and what a hostile one comes to. It runs before a person has approved anything.
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createBus } from '../../src/app/run-events.ts';
import { jobsHere } from '../../src/doors/app/jobs-here.ts';
import { bubblewrapFault } from '../../packages/ground/workspace/isolation.ts';
import { openDialogue } from '../dialogue/fixture.ts';
import type { StartJob } from '../dialogue/jobs-here.ts';
import { quiet, strategist } from '../dialogue/script.ts';
import { jobSpec } from '../app/engineer/spec.ts';

const runs = (command: string) => [{ name: 'try_command', input: { command } }];
const fault = await bubblewrapFault();

test.skipIf(fault !== undefined)('it keeps nothing, reaches nobody, and sees no mirror', async () => {
  const hostile = `echo x > kept.txt; touch ../kept.txt ~/kept.txt
    echo "mirrors: $(find / -xdev -type d '(' -name '*.git' -o -name grounds ')' 2>&- | wc -l)"
    echo "proxy: \${HTTPS_PROXY:-none}"
    cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep -c INPUT_JOB; exit 3`;
  const kept = 'ls kept.txt ../kept.txt ~/kept.txt 2>&-; cat shelf.txt; exit 4';
  await using d = await openDialogue({
    files: { '.github/echelon.yml': 'isolation: bubblewrap\nnetwork: all\n', 'shelf.txt': 'book 1\n' },
    replies: [
      { for: '2ic', when: 'Commands: try_command.', tool_calls: runs(hostile) },
      { for: '2ic', when: 'exit code 3\n> mirrors: 0\n> proxy: none\n> 0', tool_calls: runs(kept) },
      { ...strategist('As directed.'), when: 'exit code 4\n> book 1' },
      ...quiet.slice(1),
    ],
  });
  await d.label();
  expect(await d.last()).toContain('No issue was worked on.');
});

test('the process of a job has a key only if it asks a model', async () => {
  await using data = await mkdtempDisposable(join(tmpdir(), 'echelon-keys-'));
  const keys: unknown[] = [];
  const model = { provider: 'served' as const, keys: { anthropic: { apiKey: 'CANARY' } } };
  const start: StartJob = async (_folder, { env, onEnd }) => {
    keys.push(env['ANTHROPIC_API_KEY']);
    onEnd();
  };
  const around = { bus: createBus(() => {}), repository: () => 'you/shelf', onEnd() {} };
  const { jobs } = jobsHere({ data: data.path, model, host: { path: '/bin' }, start }, around);
  const spec = jobSpec(1000, '0', data.path);
  await jobs.start(spec);
  await jobs.start({ ...spec, op: 'tests', kind: 'base-tests', command: 'env' });
  expect(keys).toEqual(['CANARY', undefined]);
  jobs.close();
});
