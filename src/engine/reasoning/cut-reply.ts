// A reply that was cut off at its output limit: the model goes on where it stopped, a few times.
import type { Session } from './session-in-progress.ts';
import { say } from './session-lifecycle.ts';
import { turnsOf } from './stop.ts';

/** Replies in a row that may be cut off before the session ends with what there is. */
const MAX_CUTS = 3;

const goOn = (
  limit: number,
) => `Your reply was cut off at the limit of ${limit} tokens, thinking included, and none of its calls was carried out.
Go on exactly where your text stops, without repeating any of it. If it was to make a call, make it again, in smaller pieces.`;

/** Whether the model was asked to go on, which ends the conversation then. `text` is what it wrote in the reply. */
export function askToGoOn(text: string, { request, state }: Session): boolean {
  const { times = 0, text: before = '' } = state.cut ?? {};
  const { used, limit } = turnsOf(state, request.limits);
  if (times >= MAX_CUTS || used >= limit) return false;
  state.cut = { times: times + 1, text: before + text };
  say(state, goOn(request.limits.output_tokens));
  return true;
}

/** The final output that `text` ends, after what was cut off before it; a model that began anew said all of it now. */
export function wholeText(
  text: string,
  { state, request: { misfit } }: Pick<Session, 'state' | 'request'>,
): string {
  if (!state.cut) return text;
  const whole = state.cut.text + text;
  return misfit?.(whole) !== undefined && misfit(text) === undefined ? text : whole;
}
