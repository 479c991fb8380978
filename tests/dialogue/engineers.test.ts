// Issues worked by engineers: what passes, what does not, what stands on what, and how a job is stopped.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ApiError, forbidden } from '../../packages/forge/errors.ts';
import { isBoard } from '../board.ts';
import { nesting } from '../ground/workspace/fixture.ts';
import { alike, type Dialogue, openDialogue } from './fixture.ts';
import { director, evaluator, issues, passes, quietLeads, round, teamLead, toWork } from './script.ts';

const none = 'approval: none\n';
/** Work of one attempt only: the script has no reply for another one. */
const marks = [...toWork({ title: 'Add a mark' }), ...passes('Add a mark', { 'mark.txt': 'A1\n' })];

const write = (path: string, content: string) => [{ name: 'write_file', input: { path, content } }];

interface Pull {
  number: number;
  title: string;
  body: string;
  draft: boolean;
  base: { ref: string };
  head: { ref: string };
}
const pulls = async (d: Dialogue) => (await d.call<Pull[]>('you', 'GET', '/pulls?state=all')).toReversed();
const moves = (d: Dialogue, issue: number) =>
  d.events.flatMap(event => (event.type === 'slot_changed' && event.issue === issue ? [event.to] : []));

/** A test of the project's that names itself. */
const marked = '[ -e mark.txt ] || { echo "not ok 1 - has a mark"; exit 1; }\necho "ok 1 - has a mark"\n';

test('an issue that passes at once: a draft pull request with the tests and their result', async () => {
  await using d = await openDialogue({
    processes: true,
    config: none,
    replies: [
      ...toWork({
        ...{ title: 'Add a shelf mark', domain: 'backend' },
        body: 'Acceptance criteria:\n- A mark stands in mark.txt.\n- Books can be found.',
      }),
      ...director('Add a shelf mark', { 'mark.txt': 'A1\n', 'test.sh': marked }, 'The mark is there.'),
      {
        ...evaluator('Add a shelf mark', true, 'Small and whole.', [
          { of: 1, met: true, evidence: 'mark.txt:1' },
          { text: 'It is small.', met: false, evidence: 'It has two letters.' },
        ]),
        // Asked for the second criterion it leaves it out again.
        times: 2,
      },
    ],
  });
  await d.run();
  const [pull] = await pulls(d);
  expect({ ...pull, body: undefined }).toMatchObject({
    title: 'Add a shelf mark',
    draft: true,
    base: { ref: 'main' },
  });
  expect(shown(alike(pull!.body))).toMatchInlineSnapshot(`
    "Closes #2

    The mark is there.

    **Criteria**

    - [x] A mark stands in mark.txt. (mark.txt:1)
    - [ ] **not met**: It is small. (It has two letters.)
    - [ ] _not judged_: Books can be found.

    **Evidence**: the tests that it adds or changes fail without the change (exit 1): \`has a mark\`. With it they pass.

    **Tests**: \`sh test.sh\` exited 0. Before any change they were green.

    **Checks**: they have not started, because they may use secrets of this repository and nobody has read this change yet. Comment \`/checks\`, approve it in a review, or mark it as ready for review; then they start.

    **Evaluation**: passed in round 1.

    > Small and whole.

    <details><summary>1 test passed</summary>

    - has a mark

    </details>

    <details><summary>Try it</summary>

    \`\`\`
    git fetch origin echelon/<hex>/2-add-a-shelf-mark
    git switch --detach FETCH_HEAD
    sh test.sh
    \`\`\`

    </details>

    <sub>part of #1 · 2 files · $0.00 · isolation \`none\` · played by the scripted model</sub>"
  `);
  expect(await d.story(2)).toMatchInlineSnapshot(`""`);
  expect(await d.last()).toMatchInlineSnapshot(`
    "The run is completed. Of 1 issue: 1 delivered.

    **Review, then merge** #3 for #2, Add a shelf mark.

    When all of it is merged, this issue can be closed.

    It cost $0.00 of $50.00 and took N s; estimated were about $0.05 (0.02 to 0.15), N minutes (N to N). It was played by the scripted model.

    <details><summary>Estimated and actual, by issue</summary>

    | Issue | Estimated | Cost | Estimated | Took |
    | --- | --- | --- | --- | --- |
    | #2 | $0.05 (0.02 to 0.15) | $0.00 | N min (N to N) | 1 min |
    | Planning | $0.00 | $0.00 |  |  |
    | **In all** | $0.05 (0.02 to 0.15) | $0.00 | N min (N to N) | 1 min |

    </details>"
  `);
  expect(await d.status()).toBe('completed');
});

test('an evaluator that accepts although the tests failed is not believed', async () => {
  await using d = await openDialogue({
    config: `${none}rounds: 1\nretries: 0\n`,
    replies: [
      ...toWork({ title: 'Light the lamp' }),
      ...director('Light the lamp', { wrong: 'yes\n' }),
      evaluator('Light the lamp', true, 'Looks fine to me.'),
    ],
  });
  await d.run();
  expect(await d.last(2)).toContain('The tests exited 1, so the change is not accepted.');
  expect(await pulls(d)).toEqual([]);
});

test('an engineer that changes nothing: neither tests nor evaluator are asked, and it is tried again and told so', async () => {
  await using d = await openDialogue({
    config: `${none}retries: 1\n`,
    // They are red without a change, which would be told instead.
    files: { 'test.sh': 'test -e mark.txt\n' },
    replies: [
      ...toWork({ title: 'Add a mark' }),
      ...director('the engineer changed nothing', { 'mark.txt': 'A1\n' }, 'Now it is there.'),
      ...passes('Add a mark', {}, 'It is fine as it is.'),
    ],
  });
  await d.run();
  expect(moves(d, 2)).toContain('retrying');
  expect((await pulls(d))[0]!.body).toContain('Now it is there.');
});

test('an attempt that ends at its turns: the next goes on from its tree, and is told so', async () => {
  await using d = await openDialogue({
    config: `${none}retries: 1\nturns: { director: 2 }\n`,
    replies: [
      ...toWork({ title: 'Add two marks' }),
      // The second attempt gets this; the first marks are in its checkout.
      ...director('Its changes are in your checkout', { 'b.txt': 'B\n' }, 'Both are there.'),
      { for: 'engineer.director', when: 'This is your last turn', tool_calls: write('a.txt', 'A2\n') },
      { for: 'engineer.director', when: 'Add two marks', tool_calls: write('a.txt', 'A1\n') },
      evaluator('a.txt', true),
    ],
  });
  await d.run();
  const [pull] = await pulls(d);
  expect(pull!.body).toContain('Both are there.');
  const files = await d.call<{ filename: string; patch: string }[]>(
    'you',
    'GET',
    `/pulls/${pull!.number}/files`,
  );
  expect(files.map(({ filename }) => filename)).toEqual(['a.txt', 'b.txt']);
  expect(files[0]!.patch).toContain('+A2');
});

test('an attempt that the evaluator rejected in all its rounds: the next begins clean', async () => {
  await using d = await openDialogue({
    config: `${none}retries: 1\nrounds: 1\n`,
    replies: [
      ...toWork({ title: 'Add a mark' }),
      ...director('Not this one.', { 'b.txt': 'B\n' }),
      ...director('Add a mark', { 'a.txt': 'A\n' }),
      evaluator('b.txt', true),
      evaluator('a.txt', false, 'Not this one.'),
    ],
  });
  await d.run();
  const [pull] = await pulls(d);
  const files = await d.call<{ filename: string }[]>('you', 'GET', `/pulls/${pull!.number}/files`);
  expect(files.map(({ filename }) => filename)).toEqual(['b.txt']);
});

test('a patch that touches a workflow: refused with the reason, tried again, and told so', async () => {
  await using d = await openDialogue({
    config: `${none}retries: 1\n`,
    replies: [
      ...toWork({ title: 'Run more' }),
      ...director('the patch was refused', { 'more.txt': 'more\n' }, 'Without the workflow.'),
      ...director('Run more', { '.github/workflows/more.yml': 'on: push\n' }, 'A workflow.'),
      { ...evaluator('Run more', true), times: 2 },
    ],
  });
  await d.run();
  const reasons = d.events.flatMap(event => (event.type === 'slot_changed' ? [event.reason] : []));
  expect(reasons.find(reason => reason.startsWith('the patch was refused'))).toContain(
    '.github/workflows/more.yml',
  );
  const [pull] = await pulls(d);
  const files = await d.call<{ filename: string }[]>('you', 'GET', `/pulls/${pull!.number}/files`);
  expect(files.map(file => file.filename)).toEqual(['more.txt']);
});

test('a patch with a secret that the process knows, in any of its forms: refused, and nothing of it is pushed', async () => {
  const secret = 'hunter2-hunter2-hunter2';
  await using d = await openDialogue({
    config: `${none}retries: 1\n`,
    secrets: [secret],
    replies: [
      ...toWork({ title: 'Log in' }),
      ...director('the patch was refused', { 'key.txt': Buffer.from(`key=${secret}`).toString('base64') }),
      ...director('Log in', { 'key.txt': `key=${secret}` }),
      { ...evaluator('Log in', true), times: 2 },
    ],
  });
  await d.run();
  const reasons = d.events.flatMap(event => (event.type === 'slot_changed' ? [event.reason] : []));
  expect(reasons.filter(reason => reason.includes('key.txt: contains a secret'))).toHaveLength(2);
  expect(await pulls(d)).toEqual([]);
  expect((await d.call<{ name: string }[]>('you', 'GET', '/branches')).map(({ name }) => name)).toEqual([
    'main',
  ]);
});

test('a patch that changes what coding agents are told: the pull request says so and names the files', async () => {
  await using d = await openDialogue({
    config: none,
    replies: [
      ...toWork({ title: 'Write it down' }),
      ...passes('Write it down', { 'shop/Agents.md': 'Be kind.\n', '.cursorrules': 'x\n', 'a.md': 'a\n' }),
    ],
  });
  await d.run();
  expect((await pulls(d))[0]!.body).toMatch(
    /\*\*Read with care\*\*: this changes what coding agents are told, .*: `\.cursorrules`, `shop\/Agents\.md`\.\n/,
  );
});

test('an issue that depends on another is told what that delivered; its pull request goes to the other’s branch and says so', async () => {
  await using d = await openDialogue({
    config: none,
    replies: [
      ...toWork(
        { title: 'Second step', domain: 'docs', depends_on: [2], paths: ['docs/**'] },
        { title: 'First step', domain: 'backend', body: 'What issue 1 stands on.' },
      ),
      // The first in the list has the second number.
      ...director('> What issue #3 stands on.', { 'first.txt': 'The first line.\n' }),
      evaluator('Title: "First step"', true),
      ...director('+The first line.', { 'second.txt': '2\n' }),
      evaluator('Title: "Second step"', true),
    ],
  });
  await d.run();
  const [first, second] = await pulls(d);
  expect([first!.title, second!.title]).toEqual(['First step', 'Second step']);
  expect(second!.base.ref).toBe(first!.head.ref);
  expect(second!.body).toContain(`Stands on #${first!.number}: merge that first.`);
  const specs = d.attemptFolders().map(folder => readFileSync(join(folder, 'job.json'), 'utf8'));
  expect(specs.join()).toContain('[{"number":3,"title":"Second step","waits":true}]');
});

test('a schedule means the places that the listing shows, not the order of creation', async () => {
  await using d = await openDialogue({
    config: none,
    replies: [
      ...quietLeads,
      teamLead(
        'The first alone.',
        issues({ title: 'Needs the other', depends_on: [2] }, { title: 'Stands alone' }),
        { action: 'schedule', issues: [2] },
      ),
      ...passes('Title: "Stands alone"', { 'alone.txt': 'a\n' }),
    ],
  });
  await d.run();
  expect((await pulls(d)).map(({ title }) => title)).toEqual(['Stands alone']);
});

test('what a failed issue was needed for is blocked, with the reason', async () => {
  await using d = await openDialogue({
    config: `${none}rounds: 1\nretries: 0\n`,
    replies: [
      ...toWork(
        { title: 'First step', domain: 'backend' },
        { title: 'Second step', domain: 'docs', depends_on: [1] },
      ),
      ...director('Title: "First step"', { wrong: 'yes\n' }),
      evaluator('Title: "First step"', false, 'No.'),
    ],
  });
  await d.run();
  expect(await d.last(3)).toMatchInlineSnapshot(`
    "This issue is blocked.

    #2, on which it depends, failed."
  `);
  expect((await d.last()).split('\n\nIt cost')[0]).toMatchInlineSnapshot(`
    "The run has failed. Of 2 issues: 1 failed, 1 blocked.

    **Not delivered:**

    - #2 failed: the evaluator did not accept the change: No; \`sh test.sh\` exited 1 (kept on \`echelon/<hex>/2-first-step-unfinished-1\`)
    - #3 blocked: #2, on which it depends, failed

    Type \`/retry\` to have all of these tried again, \`/retry #2\` for one."
  `);
});

test('an issue closed by a person before its work begins is left alone', async () => {
  await using d = await openDialogue({
    config: 'approval: destructive\nmax_parallel: 1\nretries: 0\nrounds: 1\n',
    replies: [
      ...toWork({ title: 'First step', domain: 'backend' }, { title: 'Second step', domain: 'docs' }),
      ...passes('Title: "First step"', { 'first.txt': '1\n' }),
    ],
  });
  await d.label();
  const off = d.local.installations.bus.on(event => {
    if (event.type === 'issue_created' && event.title === 'Second step')
      void d.call('you', 'PATCH', `/issues/${event.issue}`, { state: 'closed' });
  });
  await d.comment('you', '/approve');
  await d.ended();
  off();
  expect(await d.last(3)).toMatchInlineSnapshot(
    `
    "This issue is not worked on any more.

    It was closed before its work began."
  `,
  );
});

const three = toWork(
  { title: 'Left part', domain: 'backend' },
  { title: 'Right part', domain: 'docs' },
  { title: 'The whole', domain: 'tests', depends_on: [1, 2] },
);

test('an issue that needs two others: a merge of their branches, and both are named', async () => {
  await using d = await openDialogue({
    config: none,
    replies: [
      ...three,
      ...['Left part', 'Right part', 'The whole'].flatMap(title => [
        ...passes(`Title: "${title}"`, { [`${title}.txt`]: 'x\n' }),
      ]),
    ],
  });
  await d.run();
  const whole = (await pulls(d)).find(({ title }) => title === 'The whole');
  expect(whole!.base.ref).toMatch(/^echelon\/[0-9a-f]{8}\/4-base$/);
  expect(whole!.body).toMatch(/Stands on #[56], #[56]: merge those first\./);
  const files = await d.call<{ filename: string }[]>('you', 'GET', `/pulls/${whole!.number}/files`);
  expect(files.map(file => file.filename)).toEqual(['The whole.txt']);
});

test.each([
  [
    'waits until a round has made them fit',
    'Left part\nRight part\n',
    ['running', 'merging', 'delivering', 'done'],
  ],
  ['blocked, with the file, where no round does', '<<<<<<< a\nx\n>>>>>>> b\n', ['blocked']],
])('an issue that needs two others whose branches conflict: %s', async (_name, same, whole) => {
  await using d = await openDialogue({
    config: none,
    replies: [
      ...three,
      ...round('These files conflict', { 'same.txt': same }),
      ...passes('Title: "The whole"', { 'whole.txt': 'x\n' }),
      ...['Left part', 'Right part'].flatMap(title => [
        ...passes(`Title: "${title}"`, { 'same.txt': `${title}\n` }),
      ]),
    ],
  });
  await d.run();
  expect(moves(d, 4)).toEqual(whole);
  if (!whole.includes('done')) expect(await d.last(4)).toContain('same.txt');
  expect((await pulls(d)).some(({ title }) => title === 'The whole')).toBe(whole.includes('done'));
});

test('tests that take longer than an attempt may: ended, and said', async () => {
  await using d = await openDialogue({
    config: `${none}retries: 0\ntimeouts: { attempt: 1s }\n`,
    files: { 'test.sh': 'test ! -e long.txt || sleep 60\n' },
    replies: [...toWork({ title: 'Take long' }), ...director('Take long', { 'long.txt': '\n' })],
  });
  await d.run();
  expect(moves(d, 2)).toEqual(['running', 'killed', 'failed']);
  expect(await d.last(2)).toContain('he hard time limit has passed');
  expect(processesOf(d)).toEqual([]);
});

test('what the tests of one round leave behind is in no later one and not in the patch', async () => {
  const left = 'echo x > artefact.txt; echo "{}" > package.json; git init -q .';
  await using d = await openDialogue({
    config: none,
    files: { 'package.json': '{ "name": "shelf" }\n', 'test.sh': `${left}\n` },
    replies: [
      ...toWork({ title: 'Add a mark' }),
      ...director('Look again.', { 'mark.txt': 'A2\n' }),
      ...director('Add a mark', { 'mark.txt': 'A1\n' }),
      { ...evaluator('A1', false, 'Look again.'), times: 1 },
      evaluator('A2', true),
    ],
  });
  await d.run();
  const [pull] = await pulls(d);
  expect(pull?.body).toContain('passed in round 2');
  const files = await d.call<{ filename: string }[]>('you', 'GET', `/pulls/${pull!.number}/files`);
  expect(files.map(({ filename }) => filename)).toEqual(['mark.txt']);
});

/** A shell command that leaves a tree which is nested deeper than a path may be long. */
const nests = `${process.execPath} -e "${nesting()}"`;

test('an engineer that leaves folders nested too deeply: the attempt fails, and the reason is told', async () => {
  await using d = await openDialogue({
    config: `${none}retries: 0\n`,
    replies: [
      ...toWork({ title: 'Dig' }),
      { for: 'engineer.director', when: 'Dig', tool_calls: [{ name: 'shell', input: { command: nests } }] },
      ...director('Dig', {}),
    ],
  });
  await d.run();
  expect(await d.last(2)).toContain('Delete what is nested too deeply');
});

test('tests that somebody kills: evaluator and person are told so, and that no limit was reached', async () => {
  await using d = await openDialogue({
    config: `${none}retries: 0\nrounds: 1\n`,
    files: { 'test.sh': 'kill -KILL $$\n' },
    replies: [
      ...toWork({ title: 'Add a mark' }),
      ...director('Add a mark', { 'mark.txt': 'A1\n' }),
      evaluator('SIGKILL from outside', true, 'Fine.'),
    ],
  });
  await d.run();
  expect(await d.last(2)).toMatch(
    /The tests did not pass \(.*ended by SIGKILL from outside after N s; no limit of ours was reached/,
  );
});

test('the branch is there already, with other work: not overwritten, and the issue says so', async () => {
  await using d = await openDialogue({
    config: `${none}retries: 0\n`,
    replies: marks,
  });
  const { object } = await d.call<{ object: { sha: string } }>('you', 'GET', '/git/ref/heads/main');
  let taken: string | undefined;
  const off = d.local.installations.bus.on(event => {
    if (event.type !== 'slot_changed' || event.to !== 'running') return;
    const run = [...d.local.installations.repositories()][0]!.told.keys().next().value;
    taken = `refs/heads/echelon/${run}/2-add-a-mark`;
    void d.call('you', 'POST', '/git/refs', { ref: taken, sha: object.sha });
  });
  await d.run();
  off();
  expect(await d.call('you', 'GET', `/git/ref/${taken!.slice(5)}`)).toMatchObject({ object });
  expect(await d.last(2)).toMatchInlineSnapshot(`
    "**This issue is finished, but not delivered**: the branch could not be pushed.

    **Tests**: \`sh test.sh\` exited 0.

    In detail:

    > branch echelon/<hex>/2-add-a-mark was expected not to exist but is at <hex>; it was not moved. Someone else pushed to it or deleted it: rename or restore the branch, then try again.

    The finished work is kept with the files of its job.

    When that is changed, type \`/retry #2\` on #1: the finished work is delivered as it is, and no model is called. (1 attempt, 1 round in the last one, $0.00)"
  `);
  expect(await pulls(d)).toEqual([]);
  // The branch is still there.
  await d.comment('wanda', '/retry');
  await settledTimes(d, 2);
  expect((await d.said(2)).map(text => text.includes('was expected not to exist'))).toEqual([true, true]);
});

const settledTimes = (d: Dialogue, times: number) =>
  d.until(`end ${times}`, () => d.events.filter(({ type }) => type === 'run_settled').length === times);

test('a rule of the repository refuses the push: /retry delivers the same work when the rule is changed', async () => {
  let holds = true;
  await using d = await openDialogue({
    config: `${none}retries: 0\n`,
    replies: marks,
    onCall({ route }, phase) {
      if (holds && phase === 'received' && route.startsWith('POST') && route.endsWith('/git/refs'))
        throw new ApiError(
          422,
          'Repository rule violations found\n\nCannot create ref due to creations being restricted.\n\n',
        );
    },
  });
  await d.run();
  expect(await d.last(2)).toMatchInlineSnapshot(`
    "**This issue is finished, but not delivered**: the branch could not be pushed.

    **Tests**: \`sh test.sh\` exited 0.

    In detail:

    > the server refuses the branch echelon/<hex>/2-add-a-mark: Repository rule violations found. Cannot create ref due to creations being restricted. Exempt branches that begin with echelon/ from that rule, under Settings > Rules or Settings > Branches

    The finished work is kept with the files of its job.

    When that is changed, type \`/retry #2\` on #1: the finished work is delivered as it is, and no model is called. (1 attempt, 1 round in the last one, $0.00)"
  `);
  expect((await d.board()).body).toContain('the branch could not be pushed: the server refuses');
  await d.comment('wanda', '/retry');
  await settledTimes(d, 2);
  expect(await d.said(2)).toHaveLength(2);
  holds = false;
  await d.restart();
  await d.comment('wanda', '/retry #2');
  await settledTimes(d, 3);
  expect(await pulls(d)).toMatchObject([{ title: 'Add a mark', draft: true }]);
  expect(d.attemptFolders()).toHaveLength(1);
  expect(await d.status()).toBe('completed');
});

test('pull requests refused: the branch is there, and /retry opens its draft without another call of a model', async () => {
  let forbids = true;
  await using d = await openDialogue({
    config: `${none}retries: 0\n`,
    replies: marks,
    onCall({ route }, phase) {
      if (forbids && phase === 'received' && route.startsWith('POST') && route.endsWith('/pulls'))
        throw forbidden('GitHub Actions is not permitted to create or approve pull requests.');
    },
  });
  await d.run();
  expect(await d.last(2)).toMatchInlineSnapshot(`
    "**This issue is finished, but not delivered**: the pull request could not be opened.

    **Tests**: \`sh test.sh\` exited 0.

    In detail:

    > GitHub Actions is not permitted to create or approve pull requests

    The finished work is kept on the branch \`echelon/<hex>/2-add-a-mark\`, without a pull request.

    When that is changed, type \`/retry #2\` on #1: the finished work is delivered as it is, and no model is called. (1 attempt, 1 round in the last one, $0.00)"
  `);
  expect(await d.status()).toBe('failed');
  forbids = false;
  await d.comment('wanda', '/retry', 2);
  await settledTimes(d, 2);
  const [pull] = await pulls(d);
  expect(pull).toMatchObject({ title: 'Add a mark', draft: true });
  expect(await d.branches()).toEqual([pull?.head.ref]);
  expect(d.attemptFolders()).toHaveLength(1);
  expect(await d.status()).toBe('completed');
});

test('a sub-issue that a run has spoken on may have a run of its own', async () => {
  await using d = await openDialogue({
    config: none,
    replies: toWork({ title: 'For Mia', assignee: 'mia' }),
  });
  await d.label();
  expect(await d.story(2)).toContain('This issue is left to a person.');
  await d.call('you', 'POST', '/issues/2/labels', { labels: ['echelon'] });
  await d.settled();
  expect((await d.comments(2)).filter(({ body }) => isBoard(body))).toHaveLength(1);
});

/** Processes whose command line or folder speaks of the dialogue's folder. */
function processesOf(d: Dialogue): string[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap(pid => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        const state = readFileSync(`/proc/${pid}/stat`, 'utf8');
        const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
        // A reader of objects ends by itself when nobody asks it.
        const isReader = line.startsWith('git cat-file --batch-command');
        const own = `${line} ${environment}`.includes(d.folder) && !/\) Z /.test(state) && !isReader;
        return own ? [line] : [];
      } catch {
        return [];
      }
    });
}

test.skipIf(!existsSync('/proc/self/environ'))(
  '/cancel while tests run (needs /proc): the job and all it started are gone, the issue is cancelled',
  async () => {
    await using d = await openDialogue({
      processes: true,
      config: none,
      files: {
        'test.sh': 'test -e long.txt || exit 0; echo running > "$HOME/running"; sleep 60 & sleep 60; wait\n',
      },
      replies: [...toWork({ title: 'Take long' }), ...director('Take long', { 'long.txt': '\n' })],
    });
    await d.label();
    await d.progress('the tests run', () => processesOf(d).some(line => line.includes('sleep')));
    const comment = await d.comment('wanda', '/cancel');
    expect(processesOf(d)).toEqual([]);
    expect(await d.reactions(comment)).toEqual(['eyes', 'rocket']);
    expect(await d.status()).toBe('cancelled');
    expect(moves(d, 2)).toEqual(['running', 'cancelled']);
    expect((await d.last()).split('\n\nIt cost')[0]).toMatchInlineSnapshot(`
      "The run was cancelled. Of 1 issue: 1 cancelled.

      Cancelled by wanda.

      **Not delivered:**

      - #2 cancelled

      Take the label off and put it on again to begin anew."
    `);
  },
);

test('a job that is killed from outside is started again, without counting a try', async () => {
  await using d = await openDialogue({
    processes: true,
    config: `${none}retries: 0\n`,
    replies: marks,
  });
  await d.label();
  await d.progress('a job that runs', () => d.killJob());
  await d.ended();
  expect(moves(d, 2)).toEqual(['running', 'merging', 'delivering', 'done']);
});

/** The body without its mark, for a snapshot. */
const shown = (text: string) => text.replace(/\s*<!-- echelon:op=[0-9a-f]{20} -->/, '');
