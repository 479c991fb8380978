// A repository as one job of the workflow reaches it: what the job may not do makes the program wait, and is noted.
import { Waiting } from '@echelon/ground/journal';
import { noModelKey, noStateKey, type RepositoryAccess } from '../../app/app.ts';
import { hasKey } from '../../engine/models/provider-keys.ts';
import type { ModelChoice } from '../../engine/models.ts';
import type { Settings } from '../settings.ts';

/** Abilities by a job's keys and its token. */
interface Abilities {
  /** Has the model's key, and hands out jobs. */
  model: boolean;
  /** Has a token that writes to the repository's contents, and statuses on its commits. */
  contents: boolean;
}

/** Abilities of a job of each mode: never both a model's key and a token that writes to the contents. */
export const abilitiesOf = {
  run: { model: true, contents: false },
  deliver: { model: false, contents: true },
} as const satisfies Record<string, Abilities>;

export type RunKind = keyof typeof abilitiesOf;

/** Abilities that the program waits for: another job has to go on. */
export type Lack = Record<keyof Abilities, boolean>;

/** The repository's access, changed in place: it is this process's own. */
export function limited<T extends RepositoryAccess>(access: T, abilities: Abilities, lack: Lack): T {
  const elsewhere = (ability: keyof Abilities) => async (): Promise<never> => {
    lack[ability] = true;
    throw new Waiting([`a job with ${ability}`]);
  };
  if (!abilities.model) access.openModel = elsewhere('model');
  if (abilities.contents) return access;
  const { mirror, newestMirror } = access;
  const push = elsewhere('contents');
  const made = { storeBlob: push, storeTree: push, storeCommit: push, pointBranch: push };
  const changed = { createBranch: push, merge: push, mergePull: push, readyPull: push };
  Object.assign(access.github, { ...made, ...changed, showCheck: push, checkShown: push });
  access.mirror = async () => Object.assign(await mirror(), { push });
  access.newestMirror = async () => Object.assign(await newestMirror(), { push });
  return access;
}

/** `script`: the text of a file of replies. Where the model is another job's nothing is asked of this one's. */
export const chooseRunModel = (script: string | undefined, { providers }: Settings): ModelChoice =>
  script === undefined
    ? { provider: 'served', keys: providers }
    : { provider: 'scripted', file: 'the input script', script };

/** The secret that a job of these abilities lacks, with the remedy; undefined: none. */
export function missingSecret(
  { model }: Abilities,
  script: string | undefined,
  { providers, stateKeys }: Settings,
): string | undefined {
  if (stateKeys.length === 0) return noStateKey;
  return model && script === undefined && !hasKey(providers) ? noModelKey : undefined;
}
