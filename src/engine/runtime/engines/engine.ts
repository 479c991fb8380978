// Engines that carry out a director: this product's own session, or an external program. They have an order: each is
// used if the one before is missing or unavailable.
import type { Progress } from '@echelon/ground/journal';
import { TaskError } from '../../language/result.ts';
import { failureClass } from '../../models/budget.ts';
import { ModelFailure, ProviderWait } from '../../models/model.ts';
import type { SessionOutcome, SessionRequest } from '../../reasoning/request.ts';

/** Characters of an error that the next engine's account shows. */
const SHOWN = 300;

export const engineNames = ['native', 'claude-code', 'aider'] as const;
export type EngineName = (typeof engineNames)[number];

/** The program is not there, or does not start. The message says how to get it. */
export class EngineMissing extends Error {}

/** None of the engines that may be used is there. */
export class NoEngine extends Error {}

/** Carries a session out to its end, as `runSession` does; throws EngineMissing besides. */
export type Engine = (request: SessionRequest, progress?: Progress) => Promise<SessionOutcome>;

export interface NamedEngine {
  name: EngineName;
  /** With its version, once that is known. */
  called(): string;
  run: Engine;
}

/**
 * The engines as one: each is asked where the one before it is missing, or its provider wants a pause or money, or denies the call. Where the
 * last one cannot either, its error is thrown with what became of each; NoEngine where none was there. `used`: which one
 * it was, and why none before it.
 */
export function inOrder(engines: readonly NamedEngine[], used: (words: string) => void): Engine {
  return async (request, progress) => {
    const passed: string[] = [];
    let held: ProviderWait | TaskError | undefined;
    for (const { name, called, run } of engines) {
      try {
        const outcome = await run(request, progress);
        used([called(), ...passed].join('; '));
        return outcome;
      } catch (error) {
        if (!isHeld(error) && !(error instanceof EngineMissing)) throw error;
        passed.push(`${name}: ${error.message.slice(0, SHOWN)}`);
        if (isHeld(error)) held = error;
      }
    }
    const what = `no engine could work: ${passed.join('; ')}`;
    if (held instanceof ProviderWait)
      throw new ProviderWait(held.until, new ModelFailure('rate_limit', what));
    if (held) throw new TaskError(held.detail, what, { notes: held.notes, cause: held.cause });
    throw new NoEngine(what);
  };
}

/** The provider wants a pause or money, or denies the call: of another engine it may not. A budget of ours is none of its. */
const isHeld = (error: unknown): error is ProviderWait | TaskError =>
  error instanceof ProviderWait ||
  (error instanceof TaskError &&
    error.cause instanceof ModelFailure &&
    ['quota', 'denied'].includes(failureClass(error.cause)));
