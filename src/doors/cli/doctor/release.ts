// The release of Echelon that a repository's workflow names: that it exists, and that no newer one does.
import type { SetUp } from '../../../app/set-up.ts';
import { ownCommand, version } from '../own-command.ts';
import type { Release } from '../product-repository.ts';
import { type Finding, missing, type Problem, unknown, well } from '../../finding.ts';
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '@echelon/ground/workspace';
import { run } from '../init/programs.ts';

/** A file that only a release has: it is built. */
const built = 'action/index.mjs';

/** The release that a tag, a branch or a commit leads to, or why nothing can be called there: `file` is missing. */
export async function releaseAt(
  setUp: SetUp,
  named: Omit<Release, 'commit'>,
  file = built,
): Promise<Release | Problem | 'hidden'> {
  const { owner, name: repo, tag: ref } = named;
  const commit = await setUp.commit({ owner, repo, ref });
  if (commit === 'hidden') return commit;
  const fix =
    `npm run release -- v${version} --push, in a clone of ${owner}/${repo} by who maintains it; for a fork or a mirror of ` +
    `Echelon: ${ownCommand()} init --from owner/repo@ref`;
  if (commit === undefined)
    return { detail: `${owner}/${repo} has no ${ref}, or this login may not read it`, fix };
  const found = await setUp.file(file, { owner, repo, ref: commit });
  return found === undefined
    ? {
        detail: `${owner}/${repo}@${ref} is no release of Echelon: it has no ${file}`,
        fix,
      }
    : { ...named, commit };
}

/**
 * `uses`: of the job that calls the release. `text`: of the workflow, whose comment names the tag of a pinned commit.
 * `attested`: the server keeps attestations.
 */
export async function versionFindings(
  setUp: SetUp,
  uses: string,
  text: string,
  attested: boolean,
): Promise<Finding[]> {
  const [, owner = '', name = '', tag = ''] = /^([^/]+)\/([^/]+)\/[^@]*@(.*)$/s.exec(uses) ?? [];
  const found = await releaseAt(setUp, { owner, name, tag });
  const version = await versionFinding(setUp, { uses, text, found });
  return attested && found !== 'hidden' && 'commit' in found
    ? [version, await attestationFinding(setUp, found)]
    : [version];
}

async function versionFinding(
  setUp: SetUp,
  { uses, text, found }: { uses: string; text: string; found: Awaited<ReturnType<typeof releaseAt>> },
): Promise<Finding> {
  const what = 'workflow: version';
  const [name = '', ref = ''] = uses.split(/@(.*)/s);
  const [owner = '', repo = ''] = name.split('/');
  if (found === 'hidden') return unknown(what, `this token may not read ${owner}/${repo}`);
  if ('detail' in found)
    return missing(what, found.detail, `${ownCommand()} init, and merge its pull request`);
  const tag = tagOf(uses, text);
  if (tag === undefined) return well(what, uses);
  const newest = await setUp.commit({ owner, repo, ref: tag });
  if (newest === ref || newest === 'hidden' || newest === undefined) return well(what, `${uses} (${tag})`);
  return {
    ...well(what, `${uses} works; ${tag} has moved on to ${newest.slice(0, 12)}`),
    fix: `${ownCommand()} init, which proposes the newer one`,
  };
}

/** `v0` of `uses: echelon-org/echelon/...@<commit> # v0`. */
function tagOf(uses: string, text: string): string | undefined {
  const line = text.split('\n').find(each => each.includes(`${uses} #`));
  return /@[\da-f]{40}\s+#\s*(\S+)/.exec(line ?? '')?.[1];
}

// The attestation of a release: that the release workflow of its repository built and compared its files. The release
// workflow attests the list of all files of the tag, so one digest stands for everything that a job would run.
// https://docs.github.com/actions/security-guides/using-artifact-attestations-to-establish-provenance-for-builds

const what = 'workflow: attestation';

/** True if this GitHub stores attestations; other servers do not. */
export const keepsAttestations = (api: string): boolean =>
  /^https:\/\/api\.(?:github\.com|[\w-]+\.ghe\.com)\/?$/.test(api);

/** Checks the attestations of the release's files. */
async function attestationFinding(setUp: SetUp, release: Release): Promise<Finding> {
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
  await using scratch = await temporaryFolder('attestation');
  const file = join(scratch.path, 'files.txt');
  await writeFile(file, files);
  if ((await run('gh', ['attestation', 'verify', '--help'], { cwd: scratch.path })).code !== 0)
    return unknown(what, `there is one; whether ${signer} signed it takes gh 2.49 or newer`);
  const args = ['attestation', 'verify', file, '--repo', repository, '--signer-workflow', signer];
  const { code, why } = await run('gh', args, { cwd: scratch.path });
  return code === 0
    ? well(what, `by ${signer}, its signature verified by gh`)
    : missing(what, `gh does not verify it: ${why}`, `do not run this release, and tell ${repository}`);
}
