// A model whose provider asked one caller to wait: every other one that shares its key waits as well.
import type { Clock } from '../../lib/clock.ts';
import type { SharedWait } from '../../lib/shared-wait.ts';
import { type Model, ModelFailure } from './model.ts';

/** `model`, not called while `wait` lasts: it then fails as the provider would, which a resilient model waits for, or ends the run at. */
export function waitingModel(model: Model, wait: SharedWait, clock: Clock): Model {
  const failure = (until: number, message: string, cause?: unknown) =>
    new ModelFailure('rate_limit', message, { cause, retry_after_ms: until - clock.now() });
  return {
    ...model,
    async call(request, onEvent) {
      const until = wait.until();
      if (until !== undefined) throw failure(until, 'its provider asked another call to wait');
      try {
        return await model.call(request, onEvent);
      } catch (error) {
        if (!(error instanceof ModelFailure) || error.class !== 'rate_limit') throw error;
        wait.extend(clock.now() + (error.retry_after_ms ?? 0));
        const asked = wait.until();
        throw asked === undefined ? error : failure(asked, error.message, error);
      }
    },
  };
}
