// Checks of the job `advance` before the first model call: the sandbox on its runner, and the switch for pull requests.
import { bubblewrapFault, IsolationMissing } from '@echelon/ground/workspace';
import type { RepositoryContext } from '../../app/handlers/repository-context.ts';
import { prepareRunner } from './prepare-runner.ts';

type Checks = Pick<RepositoryContext, 'isolation' | 'pullsFault'>;

/**
 * Engineers get a runner with the same label, so what keeps bubblewrap from working here does so there too. On a pool
 * of different machines the tests at the base tell. An App that opens the pull requests needs no switch.
 */
export const firstChecks = (
  { isolation, github }: Pick<RepositoryContext, 'isolation' | 'github'>,
  env: NodeJS.ProcessEnv,
): Checks => ({
  async isolation(config) {
    const kind = await isolation({ ...config, execution: 'actions' });
    if (kind === 'none') return kind;
    // The programs that install it need no secret.
    const { PATH, RUNNER_ENVIRONMENT } = env;
    await prepareRunner({
      env: { PATH, RUNNER_ENVIRONMENT },
      say: line => console.log(`isolation: ${line}`),
    });
    const fault = await bubblewrapFault();
    if (fault !== undefined)
      throw new IsolationMissing(`commands cannot be isolated on this runner: ${fault}`);
    return kind;
  },
  async pullsFault({ create_pr, dry_run }, branch) {
    const byApp = env['HAS_APP'] === 'true';
    return byApp || dry_run || !create_pr ? undefined : await github.whyNone(branch);
  },
});
