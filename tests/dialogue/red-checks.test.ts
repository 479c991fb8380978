// Checks that fail on a delivered branch: a round mends them, or a person is told why none begins.
import { expect, test } from 'vitest';
import { alike, type Dialogue, openDialogue } from './fixture.ts';
import { evaluator, passes, type Reply, round, toWork } from './script.ts';

/** Fails where the mark is not as it wants it, and says so. */
const lint =
  'test ! -e mark.txt || grep -q good mark.txt || { echo "LINT wants good, not $(cat mark.txt)"; exit 1; }';
const pipeline = (run: string) => `on: push
jobs:
  lint:
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/checkout@v4
      - run: '${run.replaceAll("'", "''")}'
`;

/** #2 is delivered as #3 with a mark that the pipeline does not like; then what is `said`. */
async function delivered(said: Reply[], { config = '', run = lint } = {}) {
  const d = await openDialogue({
    runs: true,
    config: `approval: none\nchecks: auto\nrounds: 1\n${config}`,
    files: { '.github/workflows/ci.yml': pipeline(run) },
    replies: [
      ...toWork({ title: 'Add a mark' }),
      ...said,
      ...passes('The body of Add a mark', { 'mark.txt': 'bad\n' }),
    ],
  });
  // On the base, too, the pipeline has run.
  await d.putFile('README.md', '# The shelf\n');
  await rest(d);
  await d.label();
  await rest(d);
  return d;
}

/** Until neither workflows nor the run have anything to do. */
async function rest(d: Dialogue) {
  for (let before = -1; before !== d.events.length; ) {
    before = d.events.length;
    await d.forge.workflowsSettled();
    const running = async () => (await d.comments()).some(({ body }) => body.includes('being worked on'));
    await d.until('no work', async () => !(await running()));
  }
}

async function mark(d: Dialogue) {
  const { head } = await d.call<{ head: { ref: string } }>('you', 'GET', '/pulls/3');
  const at = `/contents/mark.txt?ref=${head.ref}`;
  const { content, sha } = await d.call<{ content: string; sha: string }>('you', 'GET', at);
  return { text: Buffer.from(content, 'base64').toString(), branch: head.ref, sha };
}

test('a round is told the log; after two that mend nothing a person is, whose word begins another', async () => {
  await using d = await delivered([
    ...round('LINT wants good, not bad', { 'mark.txt': 'worse\n' }),
    ...round('LINT wants good, not worse', { 'mark.txt': 'worst\n' }),
    ...round('Write good', { 'mark.txt': 'good\n' }),
  ]);
  expect((await mark(d)).text).toBe('worst\n');
  expect(await d.last(3)).toMatchInlineSnapshot(
    `"**Checks have failed**: \`lint\`. No round begins: two rounds have not mended them. Type \`/fix ...\` here with what would help, or push to the branch yourself."`,
  );
  await d.comment('wanda', '/fix Write good', 3);
  await rest(d);
  const { text, branch, sha } = await mark(d);
  expect(text).toBe('good\n');
  // A head that somebody else pushed is theirs to mend.
  const content = Buffer.from('bad\n').toString('base64');
  await d.call('wanda', 'PUT', '/contents/mark.txt', { branch, message: 'Mine', content, sha });
  const before = await d.said(3);
  await rest(d);
  expect(await d.said(3)).toEqual(before);
});

test('a check that was red before the change begins no round', async () => {
  await using d = await delivered([], { run: 'exit 1' });
  expect(await d.last(3)).toContain('No round begins: they were red before this change, too.');
});

test('one that fails during a round that changes nothing is told after it; green at that commit, it is flaky', async () => {
  const asks = {
    for: 'engineer.director',
    when: 'Sure?',
    tool_calls: [{ name: 'ask', input: { question: 'Am I?' } }],
  };
  await using d = await delivered([...round('Yes, you are.', {}), asks, evaluator('Sure?', true)], {
    run: 'true',
    config: 'on_red: tell\n',
  });
  const review = (event: string, body: string) =>
    d.call('wanda', 'POST', '/pulls/3/reviews', { event, body });
  const { head } = await d.call<{ head: { sha: string } }>('you', 'GET', '/pulls/3');
  const status = async (state: string) => {
    await d.call('you', 'POST', `/statuses/${head.sha}`, { state, context: 'elsewhere' });
    await review('COMMENT', 'Looked.');
    await d.settled();
  };
  await review('REQUEST_CHANGES', 'Sure?');
  await rest(d);
  await status('failure');
  expect(await d.said(3)).toEqual([]);
  await d.comment('wanda', '/answer Q1 Yes, you are.');
  await rest(d);
  await status('success');
  expect((await d.said(3)).slice(1).map(alike)).toMatchInlineSnapshot(`
    [
      "**Checks have failed**: \`elsewhere\`. No round begins: \`on_red: tell\` is set. Type \`/fix ...\` here with what would help, or push to the branch yourself.",
      "**A check is flaky**: it was red and is green now, at the same commit. Nothing is changed.",
    ]
  `);
});
