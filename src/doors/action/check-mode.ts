// `mode: check`: tries on the repository's own runner everything that a run needs. One job for each set of permissions.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { masker, sharedWait, systemClock } from '@echelon/ground';
import { checkFiles, type Finding, findingLines } from '../finding.ts';
import { fencedOff } from '../../engine/texts.ts';
import { checkModels } from './check/models.ts';
import { checkTests } from './check/tests.ts';
import { addSummary, quietly, secretsOfStep } from './workflow-commands.ts';
import { caller, pullsOf } from '../../app/set-up.ts';
import { openPlace, tried } from './check/place.ts';

/** A part of the check. `record`: see `openPlace`. */
type CheckPart = (env: NodeJS.ProcessEnv) => Promise<{ findings: Finding[]; record?: string }>;

/** By the input `check`, with the headings that people read. */
const parts: Readonly<Record<string, { heading: string; look: CheckPart }>> = {
  tests: { heading: 'Sandbox and tests', look: checkTests },
  models: { heading: 'Models and issues', look: checkModels },
  delivery: { heading: 'Branch and pull request', look: checkDelivery },
};

/** Answers the exit code: 0 nothing is missing, 1 something is, 2 the step was written wrongly. */
export async function checkMode(env: NodeJS.ProcessEnv): Promise<number> {
  const mask = masker(secretsOfStep(env));
  return await quietly(mask, async tell => {
    const part = parts[env['INPUT_CHECK'] ?? ''];
    const folder = env['INPUT_FOLDER'];
    if (!part || !folder) {
      tell(`mode: check needs check (${Object.keys(parts).join(', ')}) and folder`);
      return 2;
    }
    const { findings, record } = await part.look(env);
    const lines = findingLines(findings).map(mask);
    for (const line of lines) console.log(line);
    await addSummary(`### ${part.heading}\n\n${fencedOff(lines.join('\n'))}\n`);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, checkFiles.findings), mask(JSON.stringify(findings)));
    if (record !== undefined) await writeFile(join(folder, checkFiles.record), mask(record));
    return findings.some(({ state }) => state === 'missing') ? 1 : 0;
  });
}

/** Tests the writing of `settle`: a branch and a draft pull request, which are removed again. */
async function checkDelivery(env: NodeJS.ProcessEnv): Promise<{ findings: Finding[]; record: string }> {
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
