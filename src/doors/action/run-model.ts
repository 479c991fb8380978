// What the secrets of a workflow give a run: a model by its key, or replies that are played for a try-out, and the record's keys.
import { noModelKey, noStateKey } from '../../app/comments/replies.ts';
import type { ModelChoice } from '../../engine/runtime/open-model.ts';
import type { Settings } from '../settings.ts';
import type { Abilities } from './abilities.ts';

/** `script`: the text of a file of replies. Where the model is another job's nothing is asked of this one's. */
export function chooseRunModel(script: string | undefined, { anthropic }: Settings): ModelChoice {
  if (script !== undefined) return { provider: 'scripted', file: 'the input script', script };
  return { provider: 'anthropic', apiKey: anthropic.apiKey ?? '', baseUrl: anthropic.baseUrl };
}

/** The secret that a job of these abilities lacks, with the remedy; undefined: none. */
export function missingSecret(
  { model }: Abilities,
  script: string | undefined,
  { anthropic, stateKeys }: Settings,
): string | undefined {
  if (stateKeys.length === 0) return noStateKey;
  return model && script === undefined && anthropic.apiKey === undefined ? noModelKey : undefined;
}
