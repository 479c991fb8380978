// The model of a run on GitHub Actions: by its key, or replies that are played for a try-out.
import type { ModelChoice } from '../../engine/runtime/open-model.ts';
import type { Settings } from '../settings.ts';
import type { Abilities } from './abilities.ts';

/** Throws with the remedy where a job that asks the model has none. `script`: the text of a file of replies. */
export function chooseRunModel(
  { model }: Abilities,
  script: string | undefined,
  { anthropic }: Settings,
): ModelChoice {
  if (script !== undefined) return { provider: 'scripted', file: 'the input script', script };
  const { apiKey, baseUrl } = anthropic;
  if (apiKey === undefined && model)
    throw new Error(
      'the secret ANTHROPIC_API_KEY is not set, or the workflow does not hand it on. Set it: gh secret set ANTHROPIC_API_KEY',
    );
  // Where the model is another job's nothing is asked of this one.
  return { provider: 'anthropic', apiKey: apiKey ?? '', baseUrl };
}
