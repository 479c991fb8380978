// Sorts what goes wrong in a call by a provider's SDK into the classes of failures, without the key in any word.
import { messageOf } from '../../lib/message.ts';
import { type FailureClass, ModelFailure } from './model.ts';

/** What the providers' SDKs have in common: they are made by the same generator. */
interface SdkError extends Error {
  readonly status: number | undefined;
  readonly headers: Headers | undefined;
}
type ErrorClass<T extends Error = Error> = abstract new (...args: never[]) => T;
interface SdkErrors<E extends SdkError> {
  APIError: ErrorClass<E>;
  APIConnectionError: ErrorClass;
  APIConnectionTimeoutError: ErrorClass;
}

export interface Sorted {
  kind: FailureClass;
  message: string;
}

export interface FailureSource<E extends SdkError> {
  /** How the provider is called in messages. */
  name: string;
  /** Masked wherever it occurs. */
  apiKey: string;
  sdk: SdkErrors<E>;
  /** Of an answer that is an error. */
  sort(error: E): Sorted;
}

/** The failure for an error thrown by the SDK or while its stream was read. */
export function toFailure<E extends SdkError>(error: unknown, source: FailureSource<E>): ModelFailure {
  const { name, sdk } = source;
  const apiKey = source.apiKey.trim();
  const mask = (text: string) => (apiKey === '' ? text : text.replaceAll(apiKey, '***'));
  if (error instanceof ModelFailure)
    return new ModelFailure(error.class, mask(error.message), { cause: error.cause });
  const { kind, message } = classify(error, source);
  const retryAfter = error instanceof sdk.APIError ? retryAfterMs(error.headers) : undefined;
  // The original stays out of `cause`: a log may print its fields, and a server may have put the key into them.
  const cause = new Error(mask(message));
  if (error instanceof Error && error.stack !== undefined) cause.stack = mask(error.stack);
  return new ModelFailure(kind, `${name}: ${mask(message)}`, {
    cause,
    ...(retryAfter === undefined ? {} : { retry_after_ms: retryAfter }),
  });
}

function classify<E extends SdkError>(error: unknown, { sdk, sort }: FailureSource<E>): Sorted {
  if (error instanceof sdk.APIConnectionTimeoutError)
    return { kind: 'timeout', message: 'no answer in time' };
  // A network that fails is like a service that does not answer, and the breaker bounds the tries.
  if (error instanceof sdk.APIConnectionError)
    return { kind: 'timeout', message: `could not be reached: ${rootMessage(error)}` };
  if (error instanceof sdk.APIError && isRedirect(error.status))
    return {
      kind: 'crash',
      message: `answers ${error.status}, a redirect, which is not followed: set its final address`,
    };
  if (error instanceof sdk.APIError) return sort(error);
  // A socket cut in the middle of a stream arrives as fetch's own TypeError, or wrapped by the SDK.
  if (error instanceof Error && isNetwork(error))
    return { kind: 'timeout', message: `the connection broke: ${rootMessage(error)}` };
  return { kind: 'crash', message: messageOf(error) };
}

const isRedirect = (status = 0) => status >= 300 && status < 400;

/** By its status alone: what every provider means by it. */
export function byStatus(status: number | undefined): FailureClass {
  if (status === 429) return 'rate_limit';
  if (status === 402 || status === 403) return 'quota';
  return status === 408 || (status ?? 0) >= 500 ? 'timeout' : 'crash';
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

/** The headers give seconds, or milliseconds in a header of their own. */
function retryAfterMs(headers: Headers | undefined): number | undefined {
  const milliseconds = headers?.get('retry-after-ms');
  const seconds = headers?.get('retry-after');
  const value =
    milliseconds != null ? Number(milliseconds) : seconds != null ? Number(seconds) * 1000 : undefined;
  return value !== undefined && Number.isFinite(value) && value >= 0 ? value : undefined;
}
