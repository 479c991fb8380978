// A final output that cannot be taken: the model is told once what is wrong with it, in the same conversation.
import { userMessage } from './session-lifecycle.ts';
import { turnsOf } from './stop.ts';
import type { Session } from './session-in-progress.ts';

const AGAIN = `Your final output was not taken:
PROBLEM
A place is line:column of your final output. Give it again, whole and by itself, and say each thing in it once.`;

/**
 * Whether the model was asked for its final output again: the first time that it cannot be taken, and where a turn is
 * left for it. What asks again stands at the end of the conversation.
 */
export function askAgain(text: string, { request, state }: Session): boolean {
  const { used, limit } = turnsOf(state, request.limits);
  if (!request.misfit || state.askedAgain || used >= limit) return false;
  const problem = request.misfit(text);
  if (problem === undefined) return false;
  state.askedAgain = true;
  const part = { type: 'text', text: AGAIN.replace('PROBLEM', () => problem) } as const;
  const last = state.messages.at(-1);
  // Roles alternate: the results of the calls beside a final output are the user's words, too.
  if (last?.role === 'user') state.messages.splice(-1, 1, userMessage(...last.content, part));
  else state.messages.push(userMessage(part));
  return true;
}
