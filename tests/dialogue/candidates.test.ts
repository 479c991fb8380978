// Several engineers at one issue: which one's change is delivered, what is told of the others, and what they cost together.
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { alike, type Dialogue, openDialogue } from './fixture.ts';
import { costing, evaluator, type Reply, toWork } from './script.ts';

const config = 'approval: none\ncandidates: 2\nrounds: 1\nretries: 0\n';
const asks = (...titles: string[]): Reply[] => [...toWork(...titles.map(title => ({ title })))];
const number = '$(basename "$(dirname "$PWD")" | sed "s/.*-//")';
const works = (command: string): Reply[] => [
  costing({ for: 'engineer.director', tool_calls: [{ name: 'shell', input: { command } }] }, 0.02),
  costing({ for: 'engineer.director', text: 'Done.' }, 0.01),
];
const accepts = costing(evaluator('Add a mark', true, 'Whole.'), 0.01);
/** Only the second one's tests pass. */
const files = { 'test.sh': 'case "$PWD" in *-candidate-1/tree) exit 1;; esac\n' };

/** Both engineers wait for a file that the test makes. */
const waits = 'touch began; while ! test -e ../../go; do sleep 0.05; done; echo A > mark';
const jobs = (d: Dialogue) => join(d.folder, 'data', 'jobs');
const bothBegan = (d: Dialogue) => () =>
  readdirSync(jobs(d)).filter(job => existsSync(join(jobs(d), job, 'tree', 'began'))).length === 2;

test('the second alone passes its tests: its change is delivered, and the pull request tells of both', async () => {
  const replies = [...asks('Add a mark'), ...works(`echo ${number} > mark`), accepts];
  await using d = await openDialogue({ config, files, replies });
  await d.run();
  const [pull] = await d.call<{ body: string; head: { ref: string } }[]>('you', 'GET', '/pulls');
  const { content } = await d.call<{ content: string }>('you', 'GET', `/contents/mark?ref=${pull!.head.ref}`);
  expect(Buffer.from(content, 'base64').toString()).toBe('2\n');
  const [, fold] = /(<details><summary>Candidate [\s\S]*?<\/details>)/.exec(alike(pull!.body)) ?? [];
  expect(fold).toMatchInlineSnapshot(`
    "<details><summary>Candidate 2 of 2 was taken: no other was accepted</summary>

    | Candidate | End | Tests | Rounds | Patch | Cost |
    | --- | --- | --- | --- | --- | --- |
    | 1 | the evaluator did not accept the change | exited 1 | 1 | 0.2 KB | $0.04 |
    | **2, taken** | accepted | exited 0 | 1 | 0.2 KB | $0.04 |

    </details>"
  `);
  // The sum of the parts is the issue's cost, and that of the run.
  expect(pull!.body).toContain('$0.08 · isolation');
  expect(await d.last()).toContain('It cost $0.08 of $50.00');
});

test('/pause while both work: what they come to is delivered, and the next issue waits', async () => {
  const replies = [...asks('Add a mark', 'Add a lamp'), ...works(waits), accepts];
  await using d = await openDialogue({ config: `${config}max_parallel: 1\n`, files, replies });
  await d.label();
  await d.progress('both candidates', bothBegan(d));
  await d.comment('you', '/pause');
  writeFileSync(join(jobs(d), 'go'), '');
  await d.until('its delivery', () =>
    d.events.some(event => event.type === 'slot_changed' && event.issue === 2 && event.to === 'done'),
  );
  expect(await d.status()).toBe('paused');
  expect(d.attemptFolders()).toHaveLength(1);
});

test('/cancel while both work: both are ended, and what they had cost is counted', async () => {
  const replies = [...asks('Add a mark'), ...works(waits), accepts];
  await using d = await openDialogue({ processes: true, config, files, replies });
  await d.label();
  await d.progress('both candidates', bothBegan(d));
  await d.comment('you', '/cancel');
  expect(await d.status()).toBe('cancelled');
  expect(await d.last()).toContain('It cost $0.04');
  // Nobody is left who would go on.
  const marks = readdirSync(jobs(d)).filter(job => existsSync(join(jobs(d), job, 'tree', 'mark')));
  expect([d.jobsRun(), marks]).toEqual([false, []]);
});
