// Use of a session's limits: tokens before a call is made, and a warning when 80 % are used.
import type { Limited, SessionState } from './state.ts';
import { estimateTokens } from '../language/trim.ts';
import type { ModelMessage, ModelPart, SystemText } from '../models/model.ts';
import type { SessionEvent } from './events.ts';

/** Share of a limit at which a warning goes out, and nothing else happens, where nobody says another. */
const WARN_AT = 0.8;

/**
 * Tokens that the next call would hold, with `messages` or those of the state: what the provider counted for the last
 * one with its reply, and an estimate of what was added since. An estimate of all before the first call, and where
 * `messages` do not begin with what was counted.
 */
export function contextTokens(
  { system }: { system: SystemText },
  { messages: own, counted }: Readonly<SessionState>,
  messages: readonly ModelMessage[] = own,
): number {
  const isCounted =
    counted && own.slice(0, counted.messages).every((message, at) => message === messages[at]);
  if (!isCounted) return estimateTokens(system.stable + system.changing) + sizeOf(messages);
  return counted.tokens + sizeOf(messages.slice(counted.messages));
}

const sizeOf = (messages: readonly ModelMessage[]) =>
  messages.reduce((sum, { content }) => sum + content.reduce((all, part) => all + partTokens(part), 0), 0);

function partTokens(part: ModelPart): number {
  if (part.type === 'text') return estimateTokens(part.text);
  if (part.type === 'tool_result') return estimateTokens(part.content);
  if (part.type === 'opaque') return estimateTokens(JSON.stringify(part.data));
  return estimateTokens(JSON.stringify(part.input) ?? '');
}

/** Tells once for each resource that it is nearly used up, and notes it in the state. Answers whether it did now. */
export function createWarnings(
  task: string,
  state: SessionState,
  onEvent: ((event: SessionEvent) => void) | undefined,
  warnAt: number = WARN_AT,
): (resource: Limited, used: number, limit: number | undefined) => boolean {
  return (resource, used, limit) => {
    if (limit === undefined || used < Math.ceil(limit * warnAt) || state.warned?.includes(resource))
      return false;
    state.warned = [...(state.warned ?? []), resource];
    onEvent?.({ type: 'warning', task, resource, used, limit });
    return true;
  };
}

/** Sent before the model's last turn. Sent earlier, it would make the model stop reading. */
export const LAST_TURN =
  'This is your last turn: give your final output now, without a call. Say what is done, and what is not.';

/** Sent when most of the session's time or of its work's budget is used. */
export const FINISH = 'finish, and say what is done, and what is not.';
