// actions/checkout: a commit of a repository of the forge, over HTTP with the token that the step is given.
import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { StepFailed, type StepRun } from '../step.ts';
import { isWithin, placeOf, flag, inputsOf } from './inputs.ts';

/** Revision to fetch, its local ref, and the thing to check out: a branch by name, or a commit alone. */
interface Revision {
  source: string;
  kept: string;
  branch?: string;
}

export async function checkout(step: StepRun): Promise<void> {
  const inputs = inputsOf(step, {
    repository: step.render('${{ github.repository }}'),
    ref: '',
    token: step.render('${{ github.token }}'),
    'persist-credentials': 'true',
    path: '',
    clean: 'true',
    'fetch-depth': '1',
    'fetch-tags': 'false',
    'show-progress': 'true',
  });
  const { workspace, job } = step.state.folders;
  const folder = resolve(workspace, inputs.path);
  // The existing folder is removed, but not through a link that a step left on the way.
  if (!isWithin(folder, workspace) || !isWithin(await placeOf(dirname(folder)), job))
    throw new StepFailed(`Repository path '${folder}' is not under '${workspace}'`);
  const depth = Number(inputs['fetch-depth']);
  if (!Number.isInteger(depth) || depth < 0)
    throw new StepFailed(`The fetch-depth ${inputs['fetch-depth']} is no number.`);
  if (!/^[\w.-]+\/[\w.-]+$/.test(inputs.repository))
    throw new StepFailed(`Invalid repository '${inputs.repository}'. Expected format {owner}/{repo}.`);

  const { site, secrets } = step.state.host;
  const basic = Buffer.from(`x-access-token:${inputs.token}`).toString('base64');
  secrets.add(basic);
  const header = `AUTHORIZATION: basic ${basic}`;
  const git = gitIn(step, folder, { [`http.${site}/.extraheader`]: header });
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await git(['init', '--quiet', '--initial-branch=main', '.']);
  await git(['remote', 'add', 'origin', `${site}/${inputs.repository}.git`]);
  const revision = await revisionOf(step, inputs, git);
  await fetchRevision(git, revision, depth, flag('fetch-tags', inputs['fetch-tags']));
  if (revision.branch === undefined) await git(['checkout', '--quiet', '--force', '--detach', revision.kept]);
  else await git(['checkout', '--quiet', '--force', '-B', revision.branch, revision.kept]);
  if (flag('persist-credentials', inputs['persist-credentials']))
    await persist(step, git, `${site}/`, header);
  const commit = (await git(['rev-parse', 'HEAD'], 'quiet'))[0] ?? '';
  step.setOutput('ref', inputs.ref);
  step.setOutput('commit', commit);
  step.write(`HEAD is now at ${commit}`);
}

type Git = (args: string[], output?: 'log' | 'quiet') => Promise<string[]>;

/** Runs git there with these settings, which are in no argument that others could see. Fails the step where git fails. */
function gitIn(step: StepRun, folder: string, settings: Record<string, string>): Git {
  const env: Record<string, string> = {
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_COUNT: String(Object.keys(settings).length),
  };
  for (const [index, [name, value]] of Object.entries(settings).entries()) {
    env[`GIT_CONFIG_KEY_${index}`] = name;
    env[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return async (args, output = 'log') => {
    const lines: string[] = [];
    if (output === 'log') step.write(`[command]git ${args.join(' ')}`);
    // git's output is no command of a workflow: branches and files have hostile names.
    const onLine = (line: string) => (output === 'log' ? step.write(line) : lines.push(line));
    const code = await step.run(['git', ...args], folder, { env, onLine });
    if (code !== 0)
      throw new StepFailed(`The process 'git' failed with exit code ${code}: git ${args.join(' ')}`);
    return lines;
  };
}

async function revisionOf(
  step: StepRun,
  { repository, ref }: { repository: string; ref: string },
  git: Git,
): Promise<Revision> {
  const own = step.render('${{ github.repository }}').toLowerCase() === repository.toLowerCase();
  if (ref === '' && own) return named(step.render('${{ github.ref }}'), step.render('${{ github.sha }}'));
  if (ref === '') return { source: 'HEAD', kept: 'refs/remotes/origin/HEAD' };
  if (/^[0-9a-f]{40}$/i.test(ref)) return named('', ref);
  if (ref.startsWith('refs/')) return named(ref, ref);
  const asked = [`refs/heads/${ref}`, `refs/tags/${ref}`];
  const listed = (await git(['ls-remote', 'origin', ...asked], 'quiet')).map(line => line.split('\t')[1]);
  const found = asked.find(each => listed.includes(each));
  if (found === undefined)
    throw new StepFailed(`A branch or tag with the name '${ref}' could not be found in ${repository}.`);
  return named(found, found);
}

/** A commit (`source`) as the ref that it is known by; without one it is kept by its hash. */
function named(ref: string, source: string): Revision {
  const branch = /^refs\/heads\/(.+)$/.exec(ref)?.[1];
  if (branch !== undefined) return { source, kept: `refs/remotes/origin/${branch}`, branch };
  if (ref.startsWith('refs/tags/')) return { source, kept: ref };
  return {
    source,
    kept: ref.startsWith('refs/pull/')
      ? ref.replace('refs/pull/', 'refs/remotes/pull/')
      : `refs/remotes/commits/${source}`,
  };
}

async function fetchRevision(
  git: Git,
  { source, kept }: Revision,
  depth: number,
  tags: boolean,
): Promise<void> {
  const all = depth === 0 ? ['+refs/heads/*:refs/remotes/origin/*', '+refs/tags/*:refs/tags/*'] : [];
  const options = [...(depth === 0 ? [] : [`--depth=${depth}`]), ...(tags ? ['--tags'] : ['--no-tags'])];
  const fetch = ['fetch', '--quiet', '--prune', '--no-recurse-submodules', ...options, 'origin'];
  if (all.length > 0) await git([...fetch, ...all]);
  await git([...fetch.filter(each => each !== '--prune'), `+${source}:${kept}`]);
}

/** In a file of the temporary folder that the repository's settings include, as checkout v6 keeps them. */
async function persist(step: StepRun, git: Git, site: string, header: string): Promise<void> {
  const file = join(step.state.folders.temp, `git-credentials-${randomUUID()}.config`);
  await writeFile(file, `[http "${site}"]\n\textraheader = ${header}\n`, { mode: 0o600 });
  await git(['config', '--local', 'include.path', file]);
  step.saved['credentials'] = file;
}

/** After the job. */
export async function removeCredentials(step: StepRun): Promise<void> {
  const file = step.saved['credentials'];
  if (file === undefined) return;
  await rm(file, { force: true });
  step.write('Removed the credentials of the checkout.');
}
