// Permission for another round on a pull request by the state of its issue, and the number of rounds.
import { expect, test } from 'vitest';
import { takeCheckState, takeFix } from '../../../../src/app/engineer/batch/round.ts';
import { MAX_ROUNDS } from '../../../../src/app/comments/round.ts';

type Parameter = Parameters<typeof takeFix>;

/** `/fix` on #3, the pull request of #2. Answers why it is not followed, and whether a round is due. */
async function fix(stands: object, view: object = {}) {
  const slot = { issue: { number: 2 }, state: 'done', rounds: 0, ...stands, view: { pull: 3, ...view } };
  let why: string | undefined;
  const ctx = {
    slots: [slot],
    view: {},
    refuse: async (_: unknown, said: string) => void (why = said),
    accept: async () => {},
  };
  const command = { id: 'c1-1', name: 'fix', value: { by: 'wanda', comment: 1, text: 'it', on: 3 }, at: 0 };
  await takeFix(ctx as unknown as Parameter[0], command as Parameter[1]);
  return { why, due: 'wants' in slot };
}

test.each<[string, object, object, string]>([
  ['merged', {}, { merged: true }, '#3 is merged'],
  ['closed', { state: 'failed' }, {}, '#3 is closed'],
  ['worked anew', { state: 'running' }, {}, '#2 has no pull request yet'],
  ['reworked ten times', { rounds: MAX_ROUNDS }, {}, '#3 has had its 10 rounds'],
])('of a pull request that is %s there is none, and why', async (_, stands, view, why) => {
  expect(await fix(stands, view)).toEqual({ why: expect.stringContaining(why), due: false });
});

test.each([
  ['delivered', {}],
  ['in its ninth round', { rounds: MAX_ROUNDS - 1, state: 'running', round: {} }],
])('of one that is %s there is one', async (_, stands) => {
  expect(await fix(stands)).toEqual({ why: undefined, due: true });
});

test('a check that is green again takes back the round for it, and not the one that makes the branch fit', async () => {
  const red = {
    ...{ issue: { number: 2 }, view: { pull: 3 }, delivered: { commit: 'h' }, fits: [1] },
    ...{ red: { head: 'h', rounds: 1 }, wants: [{ by: null, text: 'lint', may: true }] },
  };
  const ctx = { slots: [red], view: {}, step: async () => {} };
  await takeCheckState(ctx as unknown as Parameter[0], { pull: 3, head: 'h', failed: [] });
  expect(red).toMatchObject({ fits: [1], wants: [] });
});
