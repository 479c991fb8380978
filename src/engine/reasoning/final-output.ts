// The final output of a session: which text it is, and what the model is told where none can be taken.
import type { Operation, OperationProblem } from './operation.ts';
import { tracked } from './execution/report-to-model.ts';
import { isFinished } from './iteration.ts';
import { resolveReferences } from './operations/references.ts';
import { say } from './session-lifecycle.ts';
import type { Session } from './session-in-progress.ts';
import { turnsOf } from './stop.ts';
import type { Stores } from './stores.ts';

/** The final output that a reply gives, if it gives one, and not different ones: nobody can tell which is meant. */
export function finalOf(asked: readonly (Operation | OperationProblem)[]): string | undefined {
  const texts = asked.flatMap(each => ('kind' in each && each.kind === 'final' ? [each.text] : []));
  return new Set(texts).size === 1 ? texts[0] : undefined;
}

/** A final output with the vault's entries in the place of its references, or why it cannot be taken. */
export function filledFinal(
  text: string,
  { state }: Session,
): { text: string; error?: undefined } | { text?: undefined; error: string } {
  if (!text.includes('{{<vaultref')) return { text };
  const filled = resolveReferences(text, state.stores, state.lastResult, { isCode: false, isFinal: true });
  if ('text' in filled) return filled;
  state.missing = tracked(state.missing, filled.missing);
  return { error: `Your final output was not taken: ${filled.error}` };
}

/**
 * State of the goals. `new`: all are finished, and the model was not asked for its final output since the last was
 * added. `over`: all are finished, and it was asked. `before`: the stores before the reply.
 */
export function goalsAfter(before: Stores, { state }: Session): 'open' | 'new' | 'over' {
  const wasAsked = state.askedForFinal;
  state.askedForFinal = isFinished(state.stores);
  if (!state.askedForFinal) return 'open';
  const known = new Set(before.goals.map(({ identifier }) => identifier));
  const isKnown = state.stores.goals.every(({ identifier }) => known.has(identifier));
  return wasAsked && isKnown ? 'over' : 'new';
}

/** The text of a session that ends without a final output: the reply's own words, else the last that there were. */
export const lastWords = (prose: string, { state }: Session) =>
  prose || (state.iterations.findLast(({ reasoning }) => reasoning !== '')?.reasoning ?? '');

const AGAIN = `Your final output was not taken:
PROBLEM
A place is line:column of your final output. Give it again, whole and by itself, and say each thing in it once.`;

/**
 * Asks the model for its final output again the first time that it is rejected, if a turn is left. Returns true if it
 * asked. The request is then the end of the conversation.
 */
export function askAgain(text: string, { request, state }: Session): boolean {
  const { used, limit } = turnsOf(state, request.limits);
  if (!request.misfit || state.askedAgain || used >= limit) return false;
  const problem = request.misfit(text);
  if (problem === undefined) return false;
  state.askedAgain = true;
  say(
    state,
    AGAIN.replace('PROBLEM', () => problem),
  );
  return true;
}
