// The attestation of a release: that the release workflow of its repository built and compared its files. The release
// workflow attests the list of all files of the tag, so one digest stands for everything that a job would run.
// https://docs.github.com/actions/security-guides/using-artifact-attestations-to-establish-provenance-for-builds
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SetUp } from '../../../app/github/set-up.ts';
import { run } from '../init/programs.ts';
import type { Release } from '../product-repository.ts';
import { type Finding, missing, unknown, well } from '../../finding.ts';

const what = 'workflow: attestation';

/** Where GitHub keeps attestations; other servers have none. */
export const keepsAttestations = (api: string): boolean =>
  /^https:\/\/api\.(?:github\.com|[\w-]+\.ghe\.com)\/?$/.test(api);

/** What vouches for the files of `release`. */
export async function attestationFinding(setUp: SetUp, release: Release): Promise<Finding> {
  const { owner, name: repo, commit: ref } = release;
  const files = await setUp.listing({ owner, repo, ref });
  if (typeof files !== 'string') return unknown(what, `this token may not read ${owner}/${repo}`);
  const digest = createHash('sha256').update(files).digest('hex');
  const bundles = await setUp.attestations({ owner, repo }, `sha256:${digest}`);
  if (!Array.isArray(bundles) || bundles.length === 0)
    return unknown(
      what,
      `${owner}/${repo} has none for this release: who pushed its tag vouches for the build`,
    );
  return await verified(files, `${owner}/${repo}`);
}

async function verified(files: string, repository: string): Promise<Finding> {
  const signer = `${repository}/.github/workflows/release.yml`;
  const scratch = await mkdtemp(join(tmpdir(), 'echelon-attestation-'));
  try {
    const file = join(scratch, 'files.txt');
    await writeFile(file, files);
    if ((await run('gh', ['attestation', 'verify', '--help'], { cwd: scratch })).code !== 0)
      return unknown(what, `there is one; whether ${signer} signed it takes gh 2.49 or newer`);
    const args = ['attestation', 'verify', file, '--repo', repository, '--signer-workflow', signer];
    const { code, why } = await run('gh', args, { cwd: scratch });
    return code === 0
      ? well(what, `by ${signer}, its signature verified by gh`)
      : missing(what, `gh does not verify it: ${why}`, `do not run this release, and tell ${repository}`);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
