// Sorts what goes wrong in a call of Anthropic's API into the four classes of failures, without the key in any word.
import { messageOf } from '../../lib/message.ts';
import type Sdk from '@anthropic-ai/sdk';
import { type FailureClass, ModelFailure } from './model.ts';

/**
 * The kinds of errors that the API names, in a response or in an event in the middle of a stream.
 * Overload (529) and server errors are `timeout`, not `rate_limit`: they say that the service is unwell for everybody,
 * which is what the circuit breaker is for; `rate_limit` says that this account is too fast, and never opens it.
 * https://platform.claude.com/docs/en/api/errors
 */
const byType: Readonly<Record<string, FailureClass>> = {
  rate_limit_error: 'rate_limit',
  overloaded_error: 'timeout',
  api_error: 'timeout',
  timeout_error: 'timeout',
  billing_error: 'quota',
  permission_error: 'quota',
};

const byStatus: Readonly<Record<number, FailureClass>> = {
  402: 'quota',
  403: 'quota',
  408: 'timeout',
  429: 'rate_limit',
};

/** The failure for an error thrown by the SDK or while its stream was read. `apiKey` is masked wherever it occurs. */
export function toFailure(error: unknown, sdk: typeof Sdk, apiKey: string): ModelFailure {
  const mask = (text: string) => (apiKey.trim() === '' ? text : text.replaceAll(apiKey.trim(), '***'));
  if (error instanceof ModelFailure)
    return new ModelFailure(error.class, mask(error.message), { cause: error.cause });
  const { kind, message } = classify(error, sdk);
  const retryAfter = error instanceof sdk.APIError ? retryAfterMs(error.headers) : undefined;
  // The original stays out of `cause`: a log may print its fields, and a server may have put the key into them.
  const cause = new Error(mask(message));
  if (error instanceof Error && error.stack !== undefined) cause.stack = mask(error.stack);
  return new ModelFailure(kind, `Anthropic: ${mask(message)}`, {
    cause,
    ...(retryAfter === undefined ? {} : { retry_after_ms: retryAfter }),
  });
}

function classify(error: unknown, sdk: typeof Sdk): { kind: FailureClass; message: string } {
  if (error instanceof sdk.APIConnectionTimeoutError)
    return { kind: 'timeout', message: 'no answer in time' };
  // A network that fails is like a service that does not answer, and the breaker bounds the tries.
  if (error instanceof sdk.APIConnectionError)
    return { kind: 'timeout', message: `could not be reached: ${rootMessage(error)}` };
  if (error instanceof sdk.APIError) {
    const message = error.apiMessage ?? error.message;
    const said = error.status === undefined ? message : `${error.status} ${message}`;
    if (error.status === 401) return { kind: 'crash', message: `${said} (is ANTHROPIC_API_KEY right?)` };
    // An account without credit gets a plain 400; only its words tell it from a malformed request.
    if (message.toLowerCase().includes('credit balance')) return { kind: 'quota', message: said };
    const status: number = error.status ?? 0;
    const kind = byType[error.type ?? ''] ?? byStatus[status] ?? (status >= 500 ? 'timeout' : 'crash');
    return { kind, message: said };
  }
  // A socket cut in the middle of a stream arrives as fetch's own TypeError, or wrapped by the SDK.
  if (error instanceof TypeError || error instanceof sdk.AnthropicError)
    if (isNetwork(error)) return { kind: 'timeout', message: `the connection broke: ${rootMessage(error)}` };
  return { kind: 'crash', message: messageOf(error) };
}

/** Undici's errors for a body that ended early carry the code of the socket's error as their cause. */
function isNetwork(error: Error): boolean {
  const cause = error.cause;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string';
}

function rootMessage(error: Error): string {
  let root = error;
  for (let depth = 0; depth < 5 && root.cause instanceof Error; depth++) root = root.cause;
  return root.message;
}

/** The headers give seconds, or milliseconds in the API's own one. */
function retryAfterMs(headers: Headers | undefined): number | undefined {
  const milliseconds = headers?.get('retry-after-ms');
  const seconds = headers?.get('retry-after');
  const value =
    milliseconds != null ? Number(milliseconds) : seconds != null ? Number(seconds) * 1000 : undefined;
  return value !== undefined && Number.isFinite(value) && value >= 0 ? value : undefined;
}
