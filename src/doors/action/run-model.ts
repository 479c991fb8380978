// What the secrets of a workflow give a run: models by their keys, or replies that are played for a try-out, and the record's keys.
import { noModelKey, noStateKey } from '../../app/comments/replies.ts';
import { hasKey } from '../../engine/models/provider-keys.ts';
import type { ModelChoice } from '../../engine/runtime/open-model.ts';
import type { Settings } from '../settings.ts';
import type { Abilities } from './abilities.ts';

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
