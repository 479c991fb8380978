// A repository of one's own for demo and local forge: whether it can be taken, its name there, and what plays on it.
import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { Forge } from '@echelon/forge';
import { git } from '@echelon/ground/workspace';
import { samplePath } from './sample.ts';
import { chooseModel, type ModelChoice } from '../../engine/models.ts';

/** Login of the person who uses the local forge. */
export const person = 'you';

/** Calls the API of a repository of the local GitHub as `login`. Throws where the call is refused. */
export const callerOn =
  (forge: Forge, login: string, { owner, name }: { owner: string; name: string }) =>
  async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await forge.call(login, method, `/repos/${owner}/${name}${path}`, body);
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };

/** Returns the reason that the repository at `path` cannot be given to the forge, otherwise undefined. */
export async function repositoryProblem(path: string): Promise<string | undefined> {
  if (!existsSync(path)) return 'not found';
  const found = (args: string[]) =>
    git(args, { cwd: path }).then(
      () => true,
      () => false,
    );
  if (!(await found(['rev-parse', '--git-dir']))) return 'not a git repository';
  return (await found(['rev-parse', '--verify', 'HEAD^{commit}'])) ? undefined : 'has no commit yet';
}

/** Its name on the forge; default: the sample's. */
export const repositoryName = (path: string | undefined): string =>
  path === undefined ? 'sample' : basename(path).replace(/[^A-Za-z0-9._-]/g, '-') || 'repository';

/**
 * The script of replies to play: `file`, or the sample's. `own` names what of somebody's own it would play on, as the
 * user knows it (`--repo`): the sample's story is refused there. `remedy`: what to give then.
 */
export function scriptToPlay(
  file: string | undefined,
  { own, remedy }: { own: string | undefined; remedy: string },
): ModelChoice | { problem: string } {
  if (file === undefined && own !== undefined)
    return { problem: `${own} needs ${remedy}: the sample's script fits the sample only` };
  const [name, path] =
    file === undefined ? ['script.json', samplePath('script.json')] : [file, resolve(file)];
  const chosen = chooseModel({ file: name, path }, {}, '--script <file>');
  return 'problem' in chosen ? { problem: `--script ${chosen.problem}` } : chosen;
}
