// Checks of `echelon init` before it writes anything. All problems are collected, so that they are reported together.
import { type SetUp, workflowFile } from '../../../app/set-up.ts';
import { type Finding, finding, missing } from '../../finding.ts';
import { releaseAt } from '../doctor/release.ts';
import { actionsFindings, placeFindings, pullsFinding, serverFindings } from '../doctor/settings.ts';
import type { Release } from '../product-repository.ts';
import type { Clone } from './look.ts';

export interface Checked {
  findings: Finding[];
  /** The release to call; undefined where there is none, which a finding says. */
  release: Release | undefined;
  /** Actions may open pull requests; undefined: the login may not see it. */
  pulls: boolean | undefined;
  /** Set for a fork: its page, and whether GitHub runs its workflows already. */
  fork: { page: string; runs: boolean } | undefined;
}

export interface Asked {
  /** The release that the workflow is to call. */
  from: Omit<Release, 'commit'>;
  allowFork: boolean;
  identity: boolean;
}

/** The checks for GitHub Actions, by what `setUp` may see of the clone's repository. Throws what is no answer of GitHub. */
export async function checkForActions(
  { repository: name, enterprise, overHttp }: Clone,
  setUp: SetUp,
  { from, allowFork, identity }: Asked,
): Promise<Checked> {
  const { release, found } = await releaseFinding(setUp, from, identity);
  const findings = [...serverFindings(enterprise), ...found];
  const repository = name === undefined ? undefined : await setUp.repository();
  if (typeof repository !== 'object') return { findings, release, pulls: undefined, fork: undefined };
  const { state } = await pullsFinding(setUp);
  return {
    findings: [
      ...findings,
      ...placeFindings(setUp.here, repository, allowFork),
      ...(await actionsFindings(
        setUp,
        `${from.owner}/${from.name}@${release?.commit ?? from.tag}`,
        identity,
      )),
      ...(overHttp ? [scopeFinding(repository.scopes)] : []),
    ],
    release,
    pulls: state === 'unknown' ? undefined : state === 'well',
    fork: repository.fork
      ? { page: repository.page, runs: (await setUp.workflowState(workflowFile)) === 'active' }
      : undefined,
  };
}

async function releaseFinding(setUp: SetUp, from: Asked['from'], identity: boolean) {
  const what = 'Echelon';
  const found = await releaseAt(setUp, from, identity ? '.github/workflows/run-identity.yml' : undefined);
  if (found === 'hidden') {
    const detail = `this login may not read ${from.owner}/${from.name}`;
    return { release: undefined, found: [missing(what, detail, 'gh auth login')] };
  }
  return 'commit' in found
    ? { release: found, found: [] }
    : { release: undefined, found: [missing(what, found.detail, found.fix)] };
}

/** GitHub takes a workflow file from a login with this scope only. */
const scopeFinding = (scopes: readonly string[] | undefined): Finding =>
  finding(
    'scope workflow',
    scopes === undefined ? 'not needed by this login' : 'granted to this login',
    scopes === undefined || scopes.includes('workflow')
      ? undefined
      : {
          detail: 'this login may not push workflow files: it lacks the scope `workflow`',
          fix: 'gh auth refresh -s workflow',
        },
  );
