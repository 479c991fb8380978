// A forge that runs workflows, with a repository set up as `echelon init` leaves one: what the demo plays on without any App.
import { sharedWait, systemClock } from '@echelon/ground';
import { git } from '@echelon/ground/workspace';
import { environmentOf } from '../../engine/models/provider-keys.ts';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { defaultLabel } from '../../app/config.ts';
import type { RunView } from '../../app/views.ts';
import { tokenClient } from '../../app/set-up.ts';
import { inspectRun, loadRun } from '../../app/app.ts';
import { onThisMachine, openForge, type RunnerOptions } from '@echelon/forge';
import type { ModelChoice } from '../../engine/models.ts';
import { openInstallations } from '../app/installations.ts';
import type { OperatorOptions } from '../app/open-repository.ts';
import { filesFor } from './init/files.ts';
import type { LocalOptions } from './local.ts';
import { callerOn } from './own-repository.ts';
import { product, productRelease, productRepository } from './product-repository.ts';

/** A job of a workflow as it moves on. */
export interface WorkflowJob {
  id: number;
  name: string;
  status: string;
  conclusion: string | null;
  started_at: string | null;
  completed_at: string | null;
}

export type LocalActions = Awaited<ReturnType<typeof openLocalActions>>;

/** Login that workflows write as. */
const bot = 'github-actions[bot]';
/** Variable of the repository that holds a script: in a file of it the models would read what they are to say. */
const scriptVariable = 'ECHELON_SCRIPT';

export interface ActionsOptions extends Pick<LocalOptions, 'folder' | 'person' | 'onCall' | 'pages'> {
  repository: NonNullable<LocalOptions['repository']>;
  model: ModelChoice;
  test: string | undefined;
  host: OperatorOptions['host'];
  /** Changes how jobs are carried out. */
  runner?: (usual: RunnerOptions) => RunnerOptions;
  log(line: string): void;
}

export async function openLocalActions(options: ActionsOptions) {
  const { folder, person, repository, model, host } = options;
  const { owner, name } = repository;
  const key = randomBytes(32).toString('base64url');
  const forge = await openForge({
    folder: join(folder, 'forge'),
    ...(options.pages && { pages: options.pages }),
    ...(options.onCall && { onCall: options.onCall }),
    runner: (options.runner ?? (usual => usual))({
      carryOut: onThisMachine(host.path, host.reach && { env: host.reach }),
    }),
  });
  const call = callerOn(forge, person, repository);
  try {
    forge.addUser(person);
    await forge.addRepository({ ...product, from: await productRepository(folder) });
    await forge.addRepository({
      owner,
      name,
      from: await setUp(repository.from, join(folder, 'set-up'), options),
    });
    forge.setPermission(owner, name, person, 'admin');
    // The one switch of GitHub's that a person has to turn: `echelon init` asks for it.
    await call('PUT', '/actions/permissions/workflow', { can_approve_pull_request_reviews: true });
    forge.setActionValue(owner, name, 'secret', 'ECHELON_STATE_KEY', key);
    if (model.provider === 'scripted')
      forge.setActionValue(owner, name, 'variable', scriptVariable, model.script);
    else {
      for (const [variable, value] of Object.entries(environmentOf(model.keys)))
        forge.setActionValue(owner, name, variable.endsWith('_KEY') ? 'secret' : 'variable', variable, value);
    }
  } catch (error) {
    await forge.close();
    throw error;
  }
  const keys = [new TextEncoder().encode(key)];
  // Only to look at records: nothing is advanced here.
  const installations = openInstallations({
    ...{ data: folder, model, keys, host, log: options.log },
    secrets: [],
    secretsPresent: false,
    web: forge.url,
  });
  const get = (route: string) => call('GET', route);
  return {
    forge,
    /** State of an issue's run from its record; undefined if it has none. */
    async view(issue: number): Promise<RunView | undefined> {
      const { id } = (await get('')) as { id: number };
      const token = forge.tokenFor(person);
      const access = installations.repository(
        { owner, name, id },
        {
          client: tokenClient(token, forge.api),
          bot,
          token: async () => token,
          wait: sharedWait(systemClock),
        },
      );
      const loaded = await loadRun(await access.github.thread(issue), access);
      return loaded.kind === 'run' ? await inspectRun(loaded.store, access) : undefined;
    },
    /** Every job of every run so far. */
    async jobs(): Promise<WorkflowJob[]> {
      const { workflow_runs } = (await get('/actions/runs?per_page=100')) as {
        workflow_runs: { id: number }[];
      };
      const lists = await Promise.all(
        workflow_runs.map(
          async ({ id }) => (await get(`/actions/runs/${id}/jobs?per_page=100`)) as { jobs: WorkflowJob[] },
        ),
      );
      return lists.reverse().flatMap(({ jobs }) => jobs);
    },
    /** Resolves when nothing runs any more. */
    idle: (): Promise<void> => forge.workflowsSettled(),
    async close(): Promise<void> {
      await installations.close();
      await forge.close();
    },
  };
}

/** A clone of the repository with what `echelon init` proposes merged, and a script where one is played. */
async function setUp(from: string, into: string, { folder, model, test }: ActionsOptions): Promise<string> {
  await git(['clone', '--quiet', '--no-hardlinks', from, into]);
  const release = await productRelease(await productRepository(folder));
  for (const { path, text } of filesFor(
    { test: test ?? '', label: defaultLabel },
    { way: 'actions', release },
  )) {
    // A configuration of its own stands, as `init` lets it stand.
    if (existsSync(join(into, path))) continue;
    const scripted = model.provider === 'scripted' && path.endsWith('workflows/echelon.yml');
    // The input plays a script instead of asking a model.
    const played = `    with:\n      script: \${{ vars.${scriptVariable} }}\n    secrets:\n`;
    mkdirSync(dirname(join(into, path)), { recursive: true });
    writeFileSync(join(into, path), scripted ? text.replace('    secrets:\n', played) : text);
  }
  const as = ['-c', 'user.name=you', '-c', 'user.email=you@users.noreply.github.com'];
  await git(['add', '--all', '--force', '.github'], { cwd: into });
  await git([...as, 'commit', '--quiet', '--message', 'Let Echelon work issues of this repository'], {
    cwd: into,
  });
  return into;
}
