// Checks: those of the repository wait for a person, and an App that may not show its own says so once.
import { expect, onTestFinished, test, vi } from 'vitest';
import { forbidden } from '../../packages/forge/errors.ts';
import { type Dialogue, openDialogue } from './fixture.ts';
import { director, evaluator, passes, toWork } from './script.ts';

test('where GitHub refuses a check the next issue is delivered without a try, and the board says it once', async () => {
  let asked = 0;
  await using d = await openDialogue({
    config: 'approval: none\nmax_parallel: 1\n',
    replies: [
      ...toWork({ title: 'Add a mark' }, { title: 'Add a label' }),
      ...['mark', 'label'].flatMap(name => [
        ...director(`Title: "Add a ${name}"`, { [`${name}.txt`]: 'a\n' }),
        evaluator(`Add a ${name}`, true),
      ]),
    ],
    onCall({ route }, phase) {
      if (phase !== 'received' || !route.endsWith('/check-runs') || !route.startsWith('POST')) return;
      asked += 1;
      throw forbidden('Resource not accessible by integration');
    },
  });
  await d.run();
  expect(await d.status()).toBe('completed');
  expect(await d.call('you', 'GET', '/pulls')).toHaveLength(2);
  expect(asked).toBe(1);
  const { body } = await d.board();
  expect(body.match(/Branches get no check .*permission Checks/g)).toHaveLength(1);
});

/** A pipeline with a key, as many repositories have one. */
const ci = `on: [push, pull_request]
jobs:
  deploy:
    runs-on: ubuntu-24.04
    steps:
      - env:
          DEPLOY_KEY: \${{ secrets.DEPLOY_KEY }}
        run: test "$DEPLOY_KEY" = "a deploy key"
`;
const delivered = {
  runs: true as const,
  config: 'approval: none\nrounds: 1\n',
  files: { '.github/workflows/ci.yml': ci },
  replies: [
    ...toWork({ title: 'Add a mark' }),
    ...passes('The body of Add a mark', { 'mark.txt': 'a\n' }),
    ...director('brighter', { 'mark.txt': 'b\n' }).slice(0, -1),
    {
      for: 'engineer.director',
      when: 'brighter',
      text: '<result status="COMPLETE">\n<content>It is.</content>\n<output name="answers">[]</output>\n</result>',
    },
    evaluator('It is.', true),
  ],
};

interface Commit {
  commit: { message: string; verification: { verified: boolean } };
}

/** The repository requires signatures, or has another rule. */
async function deliver(d: Dialogue, type = 'required_signatures') {
  d.forge.setActionValue('you', 'shelf', 'secret', 'DEPLOY_KEY', 'a deploy key');
  const rules = [{ type }];
  await d.call('you', 'POST', '/rulesets', {
    name: 'signed',
    enforcement: 'active',
    target: 'branch',
    rules,
  });
  await d.run();
}
/** Runs of the pipeline for the pull request's head, and the message of that. */
async function checksOf(d: Dialogue) {
  await d.forge.workflowsSettled();
  const { head } = await d.call<{ head: { sha: string } }>('you', 'GET', '/pulls/3');
  const { workflow_runs: runs } = await d.call<{
    workflow_runs: { event: string; conclusion: string; head_branch: string; head_sha: string }[];
  }>('you', 'GET', '/actions/runs');
  const commits = await d.call<Commit[]>('you', 'GET', '/pulls/3/commits');
  expect(commits.map(each => each.commit.verification.verified)).not.toContain(false);
  return {
    runs: runs
      .filter(({ head_branch }) => head_branch !== 'main')
      .map(
        ({ event, conclusion, head_sha }) =>
          `${event}: ${conclusion}${head_sha === head.sha ? '' : ', before'}`,
      )
      .toSorted(),
    waits: commits.map(({ commit }) => commit.message.trimEnd().endsWith('\nskip-checks: true')),
  };
}
const both = ['pull_request: success', 'push: success'];

test('checks with a key do not run on a change before somebody with write access has read it, each round anew', async () => {
  await using d = await openDialogue(delivered);
  await deliver(d);
  expect(await checksOf(d)).toEqual({ runs: [], waits: [true] });
  const body = async () => (await d.call<{ body: string }>('you', 'GET', '/pulls/3')).body;
  expect(await body()).toContain('**Checks**: they have not started');
  await d.comment('tom', '/checks', 3);
  expect(await checksOf(d)).toEqual({ runs: [], waits: [true] });
  await d.comment('wanda', '/checks', 3);
  expect(await checksOf(d)).toEqual({ runs: both, waits: [false] });
  expect(await body()).not.toContain('**Checks**');
  const { head: read } = await d.call<{ head: { sha: string } }>('you', 'GET', '/pulls/3');
  await d.comment('wanda', '/fix brighter', 3);
  await d.until('a round', async () =>
    (await d.said(3)).some(text => text.includes('**Round 1** is pushed')),
  );
  const before = both.map(run => `${run}, before`);
  expect(await checksOf(d)).toEqual({ runs: before, waits: [false, true] });
  expect(await d.last(3)).toContain('nobody has read this round yet');
  // She began to review before the round.
  await d.call('wanda', 'POST', '/pulls/3/reviews', { event: 'APPROVE', body: '', commit_id: read.sha });
  await d.settled();
  expect((await checksOf(d)).waits).toEqual([false, true]);
  await d.call('wanda', 'POST', '/pulls/3/reviews', { event: 'APPROVE', body: '' });
  await d.settled();
  expect(await checksOf(d)).toEqual({ runs: [...both, ...before].toSorted(), waits: [false, false] });
});

test('a draft that is marked as ready has been read', async () => {
  await using d = await openDialogue(delivered);
  await deliver(d);
  const { node_id: id } = await d.call<{ node_id: string }>('you', 'GET', '/pulls/3');
  const query =
    'mutation ($id: ID!) { markPullRequestReadyForReview(input: {pullRequestId: $id}) { clientMutationId } }';
  await d.forge.call('wanda', 'POST', '/graphql', { query, variables: { id } });
  await d.settled();
  expect(await checksOf(d)).toEqual({ runs: both, waits: [false] });
});

test('where a rule keeps the branch as it is that is said; what a person pushes starts the checks, and is kept', async () => {
  // All within one second: the commit that starts them is another one than the one that is held.
  vi.setSystemTime(Date.now());
  onTestFinished(() => void vi.useRealTimers());
  await using d = await openDialogue(delivered);
  await deliver(d, 'non_fast_forward');
  await d.comment('wanda', '/checks', 3);
  await d.until('the refusal', async () => (await d.last(3)) !== '');
  expect(await d.last(3)).toMatchInlineSnapshot(
    `"**The checks have not started**: the server refuses the branch echelon/<hex>/2-add-a-mark: Repository rule violations found. Cannot force-push to this branch. Exempt branches that begin with echelon/ from that rule, under Settings > Rules or Settings > Branches. When that is changed, comment \`/checks\` again. Or push a commit to the branch, which starts them."`,
  );
  expect(await checksOf(d)).toEqual({ runs: [], waits: [true] });
  const pull = () => d.call<{ body: string; head: { sha: string; ref: string } }>('you', 'GET', '/pulls/3');
  const { ref: branch } = (await pull()).head;
  await d.call('wanda', 'PUT', '/contents/more.txt', { branch, message: 'More', content: '' });
  await d.settled();
  const { body, head } = await pull();
  expect(body).not.toContain('**Checks**');
  await d.comment('wanda', '/checks', 3);
  expect((await pull()).head).toEqual(head);
});
