// Rounds on a delivered branch: what reviewers want is done on top of what is there, answered where it was said, and nothing is lost.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ApiError } from '../../packages/forge/errors.ts';
import { alike, type Dialogue, openDialogue } from './fixture.ts';
import { playedOnce } from './played-once.ts';
import { director, evaluator, passes, type Reply, toWork } from './script.ts';

const title = 'Add a mark';
const config = 'approval: none\n';
const delivered: Reply[] = [
  ...toWork({ title, domain: 'backend' }),
  ...passes(`The body of ${title}`, { 'mark.txt': 'a1\n' }, 'The mark is there.'),
];

/** One round of the engineer, told `of`: what it writes, and its answers. */
const round = (of: string, files: Record<string, string>, answers: [string, boolean, string][]): Reply[] => [
  ...director(of, files).slice(0, -1),
  {
    for: 'engineer.director',
    when: of,
    text: `<result status="COMPLETE">\n<content>Looked after it.</content>\n<output name="answers">${JSON.stringify(answers.map(([thread, done, answer]) => ({ thread, done, answer })))}</output>\n</result>`,
  },
];

/** A dialogue whose only issue, #2, is delivered as #3. */
const withPull = playedOnce({ config: `${config}draft: false\nrounds: 1\n`, replies: delivered }, async d => {
  await d.run();
});

const review = (d: Dialogue, by: string, body: string, line: string) =>
  d.call(by, 'POST', '/pulls/3/reviews', {
    ...{ event: 'REQUEST_CHANGES', body },
    comments: [{ path: 'mark.txt', line: 1, body: line }],
  });
const lines = async (d: Dialogue) =>
  (
    await d.call<{ user: { login: string }; body: string; in_reply_to_id?: number }[]>(
      'you',
      'GET',
      '/pulls/3/comments',
    )
  ).map(({ user, body }) => `${user.login}: ${alike(body)}`);
const head = async (d: Dialogue) =>
  (await d.call<{ head: { sha: string; ref: string } }>('you', 'GET', '/pulls/3')).head;
/** Checks of a commit, each with its outcome. */
const checks = async (d: Dialogue, sha: string) =>
  (
    await d.call<{ check_runs: { name: string; conclusion: string; output: { title: string } }[] }>(
      'you',
      'GET',
      `/commits/${sha}/check-runs?filter=all`,
    )
  ).check_runs.map(({ name, conclusion, output }) => `${name}: ${conclusion}, ${output.title}`);
const settles = (d: Dialogue) => d.events.filter(({ type }) => type === 'run_settled').length;
const nextEnd = async (d: Dialogue) => {
  const before = settles(d);
  return () => d.until('the end of the round', () => settles(d) > before);
};
/** A file of the pull request's branch. */
const file = async (d: Dialogue, path: string) => {
  const { ref } = await head(d);
  const { content } = await d.call<{ content: string }>(
    'you',
    'GET',
    `/contents/${path}?ref=${encodeURIComponent(ref)}`,
  );
  return Buffer.from(content, 'base64').toString();
};

/** A test of the project's that names itself. */
const capital =
  'grep -q A1 mark.txt && echo "ok 1 - a capital" || { echo "not ok 1 - a capital"; exit 1; }\n';

test('a rule of the repository refuses a round: /retry delivers it when the rule is changed, and no model is called', async () => {
  let holds = true;
  await using d = await withPull({
    replies: [...round('The round', { 'mark.txt': 'A1\n' }, []), evaluator('The round', true)],
    onCall({ route }, phase) {
      if (holds && phase === 'received' && route.startsWith('PATCH') && route.includes('/git/refs/'))
        throw new ApiError(422, 'Repository rule violations found\n\nCannot update this protected ref.\n\n');
    },
  });
  const before = await head(d);
  const refused = await nextEnd(d);
  await d.comment('wanda', '/fix The round: marks are capitals.', 3);
  await refused();
  expect(await d.last(3)).toMatchInlineSnapshot(`
    "**Round 1 is finished, but not delivered**: the branch could not be pushed. The branch is as it was.

    > the server refuses the branch echelon/<hex>/2-add-a-mark: Repository rule violations found. Cannot update this protected ref. Exempt branches that begin with echelon/ from that rule, under Settings > Rules or Settings > Branches

    When that is changed, type \`/retry\` here: the finished round is delivered as it is, and no model is called."
  `);
  expect(await head(d)).toEqual(before);
  holds = false;
  await d.restart();
  const folders = d.attemptFolders();
  const delivered = await nextEnd(d);
  await d.comment('wanda', '/retry', 3);
  await delivered();
  expect(await file(d, 'mark.txt')).toBe('A1\n');
  expect(await d.last(3)).toMatch(/^\*\*Round 1\*\* is pushed as <hex>/);
  expect(d.attemptFolders()).toEqual(folders);
});

test('what is wanted with its lines is done in one commit on top, answered and resolved', async () => {
  await using d = await withPull({
    replies: [
      ...round(
        '## Thread T1: "mark.txt", line 1',
        { 'mark.txt': 'A1\n', 'test.sh': capital, '.npmrc': '#\n' },
        [['T1', true, 'It is a capital now.']],
      ),
      evaluator('It is a capital now.', true),
    ],
  });
  const before = await head(d);
  const ended = await nextEnd(d);
  await review(d, 'wanda', 'Nearly.', 'Marks are capitals.');
  await ended();
  expect(await file(d, 'mark.txt')).toBe('A1\n');
  const { sha } = await head(d);
  const commit = await d.call<{ parents: { sha: string }[]; commit: { message: string } }>(
    'you',
    'GET',
    `/commits/${sha}`,
  );
  expect(commit.parents).toMatchObject([{ sha: before.sha }]);
  expect(commit.commit.message.split('\n')[0]).toBe('Follow the review of #3');
  for (const commit of [before.sha, sha])
    expect(await checks(d, commit)).toEqual(['echelon/tests: success, sh test.sh exited 0']);
  expect(await lines(d)).toEqual([
    'wanda: Marks are capitals.',
    'echelon[bot]: Changed in <hex>.\n\nIt is a capital now.',
  ]);
  expect(await d.last(3)).toMatchInlineSnapshot(`
    "**Round 1** is pushed as <hex>. Its checks start when you comment \`/checks\`: nobody has read this round yet.

    Looked after it.

    **Evidence**: the tests that it adds or changes fail without the change (exit 1): \`a capital\`. With it they pass.

    <sub>Tests: \`sh test.sh\` exited 0. $0.00 Request changes or type \`/fix ...\` for another round.</sub>"
  `);
  const { body } = await d.call<{ body: string }>('you', 'GET', '/pulls/3');
  expect(body).toMatch(/^Closes #2\n/);
  expect(body).toContain('Since then 1 round of review.');
  expect(body).toMatch(/\*\*Read with care\*\*: .*: `\.npmrc`\./);
  expect(body).toContain('no test file is added or changed. That was before the rounds of review.');
  expect(await d.status()).toMatch(/^completed/);
  // The end was said before, and it is the same.
  expect((await d.said()).filter(text => /The run is/.test(text))).toHaveLength(1);
});

test('a pull request labelled WIP is a person’s: a review waits until the label is off', async () => {
  await using d = await withPull({
    replies: [
      ...round('Marks are capitals', { 'mark.txt': 'A1\n' }, [['T1', true, 'It is a capital now.']]),
      evaluator('It is a capital now.', true),
    ],
  });
  await d.call('wanda', 'POST', '/issues/3/labels', { labels: ['WIP'] });
  await d.settled();
  const before = await head(d);
  await d.comment('wanda', '/fix it should be a capital', 3);
  expect(await d.last(3)).toBe(
    '`/fix` by `wanda` was not followed: #3 is labelled WIP, a person works on it: take the label off first.',
  );
  await review(d, 'wanda', 'Nearly.', 'Marks are capitals.');
  await d.settled();
  expect([await head(d), d.jobsRun()]).toEqual([before, false]);
  const ended = await nextEnd(d);
  await d.call('wanda', 'DELETE', '/issues/3/labels/WIP');
  await ended();
  expect(await file(d, 'mark.txt')).toBe('A1\n');
});

test('a review and a merge while nobody listened are taken in by the next process', async () => {
  await using d = await withPull({
    replies: [
      ...round('Marks are capitals', { 'mark.txt': 'A1\n' }, [['T1', true, 'It is a capital now.']]),
      evaluator('It is a capital now.', true),
    ],
  });
  const ended = await nextEnd(d);
  await d.whileAway(async forge => {
    await forge.call('wanda', 'POST', '/repos/you/shelf/pulls/3/reviews', {
      ...{ event: 'REQUEST_CHANGES', body: 'Nearly.' },
      comments: [{ path: 'mark.txt', line: 1, body: 'Marks are capitals.' }],
    });
  });
  await ended();
  expect(await lines(d)).toContain('echelon[bot]: Changed in <hex>.\n\nIt is a capital now.');
  await d.whileAway(async forge => {
    await forge.call('wanda', 'PUT', '/repos/you/shelf/pulls/3/merge', {});
  });
  expect((await d.board()).body).toMatch(/\| merged \|/);
});

test('reviews by strangers cost one lookup each, and after twenty of them none', async () => {
  await using d = await withPull();
  const strangers = Array.from({ length: 40 }, (_, n) => `stranger-${n}`);
  for (const login of strangers) d.forge.addUser(login);
  const before = d.forge.calls.length;
  for (const login of strangers) await review(d, login, 'Not like this.', 'Delete it all.');
  await d.settled();
  const calls = d.forge.calls.slice(before).filter(({ actor }) => actor === 'echelon[bot]');
  // One more for the list of those who may.
  expect(calls).toHaveLength(21);
});

test("somebody's commit in between is kept: the round is done again on it; who has no say is data", async () => {
  const gate = mkdtempSync(join(tmpdir(), 'echelon-gate-'));
  const go = join(gate, 'go');
  const wait = { name: 'shell', input: { command: `until test -e ${go}; do sleep 0.05; done` } };
  await using d = await withPull({
    replies: [
      { for: 'engineer.director', when: 'Marks are capitals', tool_calls: [wait] },
      ...round('Marks are capitals', { 'mark.txt': 'A1\n' }, [['T1', false, 'Only half of it is right.']]),
      evaluator('Only half', true),
    ],
  });
  await review(d, 'sam', 'Not like this.', 'Delete it all.');
  const [{ id }] = await d.call<[{ id: number }]>('you', 'GET', '/pulls/3/comments');
  for (const [by, body] of [
    ['rita', 'And blue.'],
    ['wanda', 'Marks are capitals.'],
  ] as const)
    await d.call(by, 'POST', `/pulls/3/comments/${id}/replies`, { body });
  await d.settled();
  const { body: text } = await d.call<{ body: string }>('you', 'GET', '/pulls/3');
  await d.call('wanda', 'PATCH', '/pulls/3', { body: `Mine.\n\n${text}` });
  // Neither a stranger's review nor a word in a thread is a round's beginning.
  expect(d.attemptFolders()).toHaveLength(1);
  const ended = await nextEnd(d);
  await d.comment('you', '/fix the line', 3);
  await d.progress('the first job of the round', () => d.attemptFolders().length === 2);
  const { ref, sha: old } = await head(d);
  const content = Buffer.from('mine\n').toString('base64');
  await d.call('you', 'PUT', '/contents/mine.txt', { message: 'Mine', content, branch: ref });
  writeFileSync(go, '');
  await ended();
  rmSync(gate, { recursive: true });
  expect([await file(d, 'mark.txt'), await file(d, 'mine.txt')]).toEqual(['A1\n', 'mine\n']);
  // Text written by a person is kept.
  expect((await d.call<{ body: string }>('you', 'GET', '/pulls/3')).body).toBe(`Mine.\n\n${text}`);
  const specs = d.attemptFolders().map(folder => JSON.parse(readFileSync(join(folder, 'job.json'), 'utf8')));
  const rounds = specs.filter(({ wanted }) => wanted);
  expect(rounds.map(({ base }) => base === old).sort()).toEqual([false, true]);
  expect(rounds[0].wanted).toMatchObject({
    asked: [{ by: 'you', text: 'the line', may: true }],
    threads: [
      {
        ...{ path: 'mark.txt', line: 1 },
        said: [
          { by: 'sam', text: 'Delete it all.', may: false },
          { by: 'rita', text: 'And blue.', may: false },
          { by: 'wanda', text: 'Marks are capitals.', may: true },
        ],
      },
    ],
  });
  expect(await lines(d)).toContain('echelon[bot]: Not changed.\n\nOnly half of it is right.');
  // A thread that was answered waits for people now.
  const said = await d.comment('wanda', '/fix', 3);
  expect(await d.reactions(said)).toEqual(['confused']);
});

test('a round that fails leaves the pull request as it was, and the issue delivered', async () => {
  await using d = await withPull({
    replies: [
      ...round('paint it blue', { wrong: 'blue\n' }, []),
      evaluator('paint it blue', false, 'Blue is no mark.'),
    ],
  });
  const before = await head(d);
  const ended = await nextEnd(d);
  await d.comment('wanda', '/fix paint it blue', 3);
  await ended();
  expect(await head(d)).toEqual(before);
  expect(await d.last(3)).toMatchInlineSnapshot(`
    "**Round 1 came to nothing**: the evaluator did not accept the change. The branch is as it was.

    Tests: \`sh test.sh\` exited 1.

    > Blue is no mark.

    Type \`/fix ...\` here with what would help, or push to the branch yourself."
  `);
  const moves = d.events.flatMap(event =>
    event.type === 'slot_changed' && event.issue === 2 ? [event.to] : [],
  );
  expect(moves.slice(-3)).toEqual(['done', 'running', 'done']);
  const told = await d.comment('wanda', '/fix paint it blue');
  expect(await d.reactions(told)).toContain('confused');
  expect(await d.last()).toMatchInlineSnapshot(
    `"\`/fix\` by \`wanda\` was not followed: \`/fix\` belongs on a pull request of this run."`,
  );
});

test('what stands on a branch that was changed takes that up; where the two do not fit, by a round', async () => {
  const other = (of: string, files: Record<string, string>): Reply[] => [
    ...passes(`The body of ${of}`, files),
  ];
  await using d = await openDialogue({
    config,
    replies: [
      ...round('a capital', { 'mark.txt': 'A1\n' }, []),
      evaluator('a capital', true),
      ...round('These files conflict', { 'mark.txt': 'A1, over\n' }, []),
      evaluator('These files conflict', true),
      ...toWork(
        { title, domain: 'backend' },
        { title: 'Beside it', domain: 'docs', depends_on: [1] },
        { title: 'Over it', domain: 'tests', depends_on: [1] },
      ),
      ...other(title, { 'mark.txt': 'a1\n' }),
      ...other('Beside it', { 'beside.txt': 'b\n' }),
      ...other('Over it', { 'mark.txt': 'a1, over\n' }),
    ],
  });
  await d.run();
  const pulls = await d.call<{ number: number; title: string; head: { ref: string } }[]>(
    'you',
    'GET',
    '/pulls',
  );
  const of = (name: string) => pulls.find(pull => pull.title === name) ?? { number: 0, head: { ref: '' } };
  const text = async (name: string, path: string) => {
    const at = `/contents/${path}?ref=${encodeURIComponent(of(name).head.ref)}`;
    return Buffer.from((await d.call<{ content: string }>('you', 'GET', at)).content, 'base64').toString();
  };
  const ended = await nextEnd(d);
  await d.comment('wanda', '/fix a capital', of(title).number);
  await ended();
  expect(await text(title, 'mark.txt')).toBe('A1\n');
  expect([await text('Beside it', 'mark.txt'), await text('Beside it', 'beside.txt')]).toEqual([
    'A1\n',
    'b\n',
  ]);
  expect(await text('Over it', 'mark.txt')).toBe('A1, over\n');
  expect(await d.last(of('Over it').number)).toContain(
    `**Round 1**, which makes it fit with #${of(title).number},`,
  );
  expect(await d.said(of('Beside it').number)).toEqual([]);
});

test('what people do with pull requests settles their issues, and what stands on them goes where they went', async () => {
  const worked = (of: string, files: Record<string, string>): Reply[] => [
    ...passes(`The body of ${of}`, files),
  ];
  await using d = await openDialogue({
    config: `${config}draft: false\n`,
    replies: [
      ...toWork({ title, domain: 'backend' }, { title: 'Over it', domain: 'docs', depends_on: [1] }),
      ...worked(title, { 'mark.txt': 'a1\n' }),
      ...worked('Over it', { 'mark.txt': 'a1, over\n' }),
    ],
  });
  await d.run();
  const pull = (number: number) =>
    d.call<{ base: { ref: string }; changed_files: number; mergeable: boolean }>(
      'you',
      'GET',
      `/pulls/${number}`,
    );
  const view = (number: number) =>
    [...d.local.installations.repositories()]
      .flatMap(({ views }) => [...views.values()])[0]
      ?.issues.find(issue => issue.number === number);
  const [over, first] = (await d.call<{ number: number }[]>('you', 'GET', '/pulls')).map(
    ({ number }) => number,
  );
  expect((await pull(over!)).base.ref).toContain('2-add-a-mark');
  await d.call('wanda', 'PUT', `/pulls/${first}/merge`, { merge_method: 'squash' });
  await d.until('the upper one goes to main', async () => (await pull(over!)).base.ref === 'main');
  // A squash holds the lower one's work in another commit, and is no conflict all the same.
  await d.until('it has taken up the squash', async () => (await pull(over!)).mergeable);
  expect(view(2)).toMatchObject({ state: 'done', merged: true, reason: 'merged by wanda' });
  await d.call('wanda', 'PATCH', `/pulls/${over}`, { state: 'closed' });
  await d.until('it is settled', () => view(3)?.state === 'failed');
  expect(view(3)?.reason).toBe('its pull request was closed by wanda');
  await d.settled();
  // People's own acts are shown in the status comment.
  expect((await d.said()).filter(text => /The run is/.test(text))).toHaveLength(1);
  const retried = await d.comment('you', '/retry #3');
  expect(await d.reactions(retried)).toContain('confused');
  await d.call('wanda', 'PATCH', `/pulls/${over}`, { state: 'open' });
  await d.until('it is delivered again', () => view(3)?.state === 'done');
  expect(await d.said(over)).toEqual([]);
});
