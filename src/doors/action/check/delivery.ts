// The part of `mode: check` that writes to contents, as `settle` does: a branch and a draft pull request, which are removed again.
import { sharedWait, systemClock } from '@echelon/ground';
import { caller } from '../../../app/github/octokit.ts';
import { pullsOf } from '../../../app/github/pulls.ts';
import type { Finding } from '../../finding.ts';
import { openPlace, tried } from './place.ts';

export async function checkDelivery(
  env: NodeJS.ProcessEnv,
): Promise<{ findings: Finding[]; record: string }> {
  const { place, client, record } = await openPlace(env);
  const { request } = client;
  const { owner, name: repo } = place.repository;
  const here = { owner, repo };
  const branch = `echelon/check-${place.run}`;
  const calls = caller(systemClock, sharedWait(systemClock));
  const pulls = pullsOf(client, calls, () => here, undefined);
  const pushed = await tried('branch', `${branch} was made, with a commit`, async () => {
    const at = { ...here, ref: `heads/${place.defaultBranch}` };
    const { data: head } = await request('GET /repos/{owner}/{repo}/git/ref/{ref}', at);
    const parent = head.object.sha;
    const of = { ...here, commit_sha: parent };
    const { data: before } = await request('GET /repos/{owner}/{repo}/git/commits/{commit_sha}', of);
    const { data: commit } = await request('POST /repos/{owner}/{repo}/git/commits', {
      ...{ ...here, message: 'Check that a branch can be made', tree: before.tree.sha, parents: [parent] },
    });
    const made = { ...here, ref: `refs/heads/${branch}`, sha: commit.sha };
    await request('POST /repos/{owner}/{repo}/git/refs', made);
  });
  if (pushed.state === 'missing') return { findings: [pushed], record: record() };
  const opened = await tried('draft pull request', 'one was opened and closed again', async () => {
    const made = await pulls.createPull({
      ...{ title: 'Echelon check', head: branch, base: place.defaultBranch, draft: true },
      body: 'Opened by `echelon doctor --on-github --write`, to see that pull requests can be opened. It is closed at once.',
    });
    if ('refused' in made) throw new Error(made.refused);
    const closed = { ...here, pull_number: made.number, state: 'closed' as const };
    await request('PATCH /repos/{owner}/{repo}/pulls/{pull_number}', closed);
  });
  const removed = await tried('clean-up', `${branch} was removed`, () =>
    request('DELETE /repos/{owner}/{repo}/git/refs/{ref}', { ...here, ref: `heads/${branch}` }),
  );
  return { findings: [pushed, opened, removed], record: record() };
}
