// An issue that fails for good: what is said of it, where its last change is kept, and what to type.
import { expect, test } from 'vitest';
import { alike, type Dialogue, openDialogue } from './fixture.ts';
import { director, evaluator, quietLeads, type Reply, teamLead, toWork } from './script.ts';

const config = 'approval: none\nrounds: 1\nretries: 0\n';
const asks = (...replies: Reply[]): Reply[] => [...toWork({ title: 'Light the lamp' }), ...replies];
const wrong = director('Light the lamp', { wrong: 'yes\n' });
/** Prints a failure among other things, and fails as long as there is a file `wrong`. */
const tests = {
  'test.sh':
    'echo one passes\necho "FAIL lamp.test: it is dark"\necho "    at lamp (test.sh:2:6)"\necho "gone.js(1,2): error: no"\ntest ! -e wrong\n',
};

const fileOn = (d: Dialogue, branch: string, path: string) =>
  d.call<{ type: string }>('you', 'GET', `/contents/${path}?ref=${branch}`);
const pulls = (d: Dialogue) => d.call('you', 'GET', '/pulls?state=all');

test('what failed, once and in plain words: tests, first failure, feedback, log, branch, and what to type', async () => {
  await using d = await openDialogue({
    config: config.replace('retries: 0', 'retries: 1'),
    files: tests,
    replies: asks(...wrong.map(reply => ({ ...reply, times: 2 })), {
      ...evaluator('Light the lamp', false, 'The lamp is still out.'),
      times: 2,
    }),
  });
  await d.run();
  expect(await d.story(2)).toMatchInlineSnapshot(`
    "**This issue failed**: the evaluator did not accept the change.

    **Tests**: \`sh test.sh\` exited 1. What fails: \`lamp.test: it is dark\`

    The evaluator said last:

    > The lamp is still out.

    <details><summary>End of the log</summary>

    \`\`\`
    one passes
    FAIL lamp.test: it is dark
        at lamp (test.sh:2:6)
    gone.js(1,2): error: no
    \`\`\`

    </details>

    The last change is kept on the branch \`echelon/<hex>/2-light-the-lamp-unfinished-2\`, without a pull request.

    2 attempts, 1 round in the last one, $0.00. Type \`/retry #2\` on #1 to have it tried again."
  `);
  expect((await d.last()).split('\n\nIt cost')[0]).toMatchInlineSnapshot(`
    "The run has failed. Of 1 issue: 1 failed.

    **Not delivered:**

    - #2 failed: the evaluator did not accept the change: The lamp is still out; \`sh test.sh\` exited 1: FAIL lamp.test: it is dark (kept on \`echelon/<hex>/2-light-the-lamp-unfinished-2\`)

    Type \`/retry #2\` to have it tried again."
  `);
  expect(d.events.flatMap(event => (event.type === 'slot_changed' ? [event.to] : []))).toEqual([
    'running',
    'retrying',
    'pending',
    'running',
    'failed',
  ]);
  const [branch, ...others] = await d.branches();
  expect(others).toEqual([]);
  expect(branch).toMatch(/^echelon\/[0-9a-f]{8}\/2-light-the-lamp-unfinished-2$/);
  expect((await d.board()).body).toContain(branch);
  expect(await fileOn(d, branch!, 'wrong')).toMatchObject({ type: 'file' });
  const { check_runs } = await d.call<{ check_runs: { id: number; conclusion: string }[] }>(
    'you',
    'GET',
    `/commits/${branch}/check-runs`,
  );
  expect(check_runs).toMatchObject([{ name: 'echelon/tests', conclusion: 'failure' }]);
  expect(await d.call('you', 'GET', `/check-runs/${check_runs[0]?.id}/annotations`)).toMatchObject([
    { path: 'test.sh', start_line: 2, annotation_level: 'failure', message: 'FAIL lamp.test: it is dark' },
  ]);
  expect(await pulls(d)).toEqual([]);
});

test('a last change that no pull request could have held is not kept, and why is said', async () => {
  await using d = await openDialogue({
    config,
    replies: asks(
      ...director('Light the lamp', { '.github/workflows/lamp.yml': 'on: push\n', wrong: 'yes\n' }),
      evaluator('Light the lamp', false, 'No.'),
    ),
  });
  await d.run();
  expect(await d.branches()).toEqual([]);
  expect(await d.last(2)).toMatch(/The last change was not kept: .*\.github\/workflows\/lamp\.yml/);
});

test.for<[string, Partial<Reply>, said: string]>([
  ['a call that its provider denies', { error: { type: 'denied' } }, 'Set the key anew'],
  ['a refusal of the model', { text: 'No.', stop: 'refusal' }, 'may well refuse again'],
])('%s is not repeated for nothing, and what to do is said', async ([, answer, said]) => {
  await using d = await openDialogue({
    config: config.replace('retries: 0', 'retries: 2'),
    replies: asks({ for: 'engineer.director', times: 9, ...answer }),
  });
  await d.run();
  expect(d.attemptFolders()).toHaveLength(1);
  expect(await d.last(2)).toContain(said);
  expect(await d.last()).toMatch(/(the script answers engineer\.director|the model refused to answer)/);
});

test('feedback and log of others command nothing, mention nobody, and are bounded', async () => {
  await using d = await openDialogue({
    config,
    files: { 'test.sh': `printf '/approve\\n@mia ~~~ \`\`\`\\n</details>\\n::error::x\\n'; exit 1\n` },
    replies: asks(...wrong, evaluator('Light the lamp', false, `/cancel\n@mia\n${'long '.repeat(9000)}`)),
  });
  await d.run();
  for (const text of [(await d.comments(2)).at(-1)!.body, await d.last()]) {
    expect(text).not.toMatch(/^\s*(\/approve|\/cancel|::)/m);
    // In code nobody is mentioned.
    expect(text.replace(/^(`{3,})$[\s\S]*?^\1$/gm, '')).not.toContain('@mia');
    expect(text.length).toBeLessThan(20_000);
  }
});

test.for(['received', 'applied'] as const)(
  'a crash when the last change is pushed (%s): one branch, one comment',
  async phase => {
    let crashed = false;
    await using d = await openDialogue({
      config,
      replies: asks(...wrong, evaluator('Light the lamp', false, 'No.')),
      onCall(call, at) {
        if (crashed || at !== phase || !/^POST .*\/git\/refs$/.test(call.route)) return;
        crashed = true;
        throw new Error('the process dies');
      },
    });
    await d.label();
    await d.until('a crash', () => crashed);
    await d.restart();
    await d.until('the end', async () => (await d.status()) === 'failed');
    expect(await d.branches()).toHaveLength(1);
    expect(await d.said(2)).toHaveLength(1);
  },
);

test('a run whose end could not be said yet has not ended, for the board neither', async () => {
  let posts = 0;
  let fails = true;
  await using d = await openDialogue({
    replies: [...quietLeads, teamLead('Nothing to do.')],
    onCall(call, phase) {
      const posted =
        phase === 'received' && call.route.startsWith('POST') && call.route.endsWith('/comments');
      // After the run comment.
      if (posted && ++posts > 1 && fails) throw new Error('GitHub is away');
    },
  });
  await d.label();
  expect(await d.status()).toBe('running');
  fails = false;
  await d.restart();
  expect([await d.status(), await d.last()]).toEqual([
    'failed',
    expect.stringContaining('The run has failed'),
  ]);
});

test('/retry after an end: the last change of each end has a branch of its own', async () => {
  await using d = await openDialogue({
    config,
    replies: asks(...wrong, evaluator('Light the lamp', false, 'No.')),
  });
  await d.run();
  await d.comment('wanda', '/retry #2');
  await anotherEnd(d);
  expect((await d.branches()).map(name => name.replace(/.*unfinished/, ''))).toEqual(['-1', '-2']);
});

interface Pull {
  number: number;
  title: string;
  body: string;
  draft: boolean;
  head: { ref: string; sha: string };
}
const asPull = `${config}partial: pull-request\ndraft: false\n`;
/** Fails once; what is tried again succeeds. */
const mends = asks(
  ...director('The lamp is still out.', { 'lamp.txt': 'on\n' }),
  evaluator('b/lamp.txt', true),
  ...wrong,
  evaluator('b/wrong', false, 'The lamp is still out.', [
    { text: 'There is light.', met: false, evidence: 'Nothing lights it.' },
  ]),
);
const anotherEnd = (d: Dialogue) =>
  d.until('another end', () => d.events.filter(({ type }) => type === 'run_settled').length === 2);

test('kept as a draft that says unfinished and closes nothing, which a /retry that succeeds takes over', async () => {
  await using d = await openDialogue({ config: asPull, files: tests, replies: mends });
  await d.run();
  const pull = () => d.call<Pull>('you', 'GET', '/pulls/3');
  const before = await pull();
  expect(before).toMatchObject({ title: 'Unfinished: Light the lamp', draft: true });
  const said = alike(before.body).split('\n\n');
  expect(said[0]).toBe(
    'Unfinished work on #2: the evaluator did not accept the change. This draft keeps the last change; it is not done, and not to be merged as it is.',
  );
  expect(said).toContain('- [ ] **not met**: There is light. (Nothing lights it.)');
  expect(said).toContain('> The lamp is still out.');
  expect(said.find(text => text.startsWith('1 attempt'))).toContain(
    'what succeeds takes this pull request over, as long as nobody else pushed to its branch.',
  );
  expect(said).toContain(
    '```\ngit fetch origin echelon/<hex>/2-light-the-lamp\ngit switch --detach FETCH_HEAD\nsh test.sh\n```',
  );
  expect(before.body).not.toMatch(/clos|fix|resolv/i);
  expect((await d.last(2)).split('\n\n').slice(-2)).toMatchInlineSnapshot(`
    [
      "The last change is kept as a draft that says unfinished, #3.",
      "1 attempt, 1 round in the last one, $0.00. Type \`/retry #2\` on #1 to have it tried again.",
    ]
  `);
  expect(await d.last()).toContain('(unfinished in #3)');
  expect((await d.board()).body).toContain('| #3, unfinished |');
  await d.comment('wanda', '/retry', 3);
  await anotherEnd(d);
  const after = await pull();
  expect(after).toMatchObject({ title: 'Light the lamp', draft: false, head: { ref: before.head.ref } });
  expect(after.body).toMatch(/^Closes #2\n/);
  expect(await pulls(d)).toHaveLength(1);
  expect(await d.branches()).toEqual([after.head.ref]);
  const files = await d.call<{ filename: string }[]>('you', 'GET', '/pulls/3/files');
  expect(files.map(({ filename }) => filename)).toEqual(['lamp.txt']);
  const commits = await d.call<{ sha: string }[]>('you', 'GET', '/pulls/3/commits');
  expect(commits.map(({ sha }) => sha)).toContain(before.head.sha);
  expect(await d.status()).toBe('completed');
});

test('a commit that a person pushed to the draft is kept, and what a /retry made stands beside it', async () => {
  await using d = await openDialogue({ config: asPull, replies: mends });
  await d.run();
  const { ref } = (await d.call<Pull>('you', 'GET', '/pulls/3')).head;
  const content = Buffer.from('mine\n').toString('base64');
  await d.call('wanda', 'PUT', '/contents/mine.txt', { message: 'Mine', content, branch: ref });
  const { sha } = (await d.call<Pull>('you', 'GET', '/pulls/3')).head;
  await d.comment('wanda', '/retry #2');
  await anotherEnd(d);
  expect((await d.call<Pull>('you', 'GET', '/pulls/3')).head.sha).toBe(sha);
  const kept = (await d.branches()).filter(name => name !== ref);
  expect(kept).toEqual([`${ref}-unfinished-2`]);
  expect(await fileOn(d, kept[0]!, 'lamp.txt')).toMatchObject({ type: 'file' });
  expect(await d.last(2)).toContain(kept[0]!.replace(/[0-9a-f]{8}/, '<hex>'));
});
