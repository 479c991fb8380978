// Sorts what goes wrong in a call by a provider's SDK into the classes of failures, without the key in any word.
import { messageOf } from '@echelon/ground';
import { type FailureClass, ModelFailure } from './model.ts';

/** Members that the providers' SDKs share: the same generator makes them. */
interface SdkError extends Error {
  readonly status: number | undefined;
  readonly headers: Headers | undefined;
  readonly type: string | null | undefined;
  /** OpenAI's. */
  readonly code?: string | null | undefined;
  /** Anthropic's: its message without the whole body. */
  readonly apiMessage?: string | null;
}
type ErrorClass<T extends Error = Error> = abstract new (...args: never[]) => T;
interface SdkErrors {
  APIError: ErrorClass<SdkError>;
  APIConnectionError: ErrorClass;
  APIConnectionTimeoutError: ErrorClass;
}

export interface FailureSource {
  /** Provider, model and task for messages: `Anthropic (claude-opus-5-5, for 2ic)`. */
  called: string;
  /** A clause: the remedy for a refused key or identity. */
  remedy: string;
  /** Masked wherever it occurs. */
  secrets: readonly string[];
  sdk: SdkErrors;
}

interface Sorted {
  kind: FailureClass;
  message: string;
}

/**
 * The kinds and codes that the APIs name, in a response or in an event in the middle of a stream. Overload (529) and
 * server errors are `timeout`, not `rate_limit`: they say that the service is unwell for everybody, which is what the
 * circuit breaker is for; `rate_limit` says that this account is too fast, and never opens it.
 * https://platform.claude.com/docs/en/api/errors https://developers.openai.com/api/docs/guides/error-codes
 */
const byName: Readonly<Record<string, FailureClass>> = {
  rate_limit_error: 'rate_limit',
  overloaded_error: 'timeout',
  api_error: 'timeout',
  timeout_error: 'timeout',
  billing_error: 'quota',
  authentication_error: 'denied',
  permission_error: 'denied',
  not_found_error: 'denied',
  content_filter: 'denied',
  content_policy_violation: 'denied',
  invalid_prompt: 'denied',
  request_too_large: 'context',
  insufficient_quota: 'quota',
  billing_hard_limit_reached: 'quota',
  context_length_exceeded: 'context',
  exceed_context_size_error: 'context',
  rate_limit_exceeded: 'rate_limit',
  server_error: 'timeout',
};

/** By its status alone: what every provider means by it. A conflict (409) is one of two calls at once. */
const byStatus: Readonly<Record<number, FailureClass>> = {
  402: 'quota',
  403: 'denied',
  404: 'denied',
  408: 'timeout',
  409: 'timeout',
  413: 'context',
  429: 'rate_limit',
};

/** Messages of providers, vLLM, llama.cpp, Ollama and OpenRouter about a prompt that is too long, mostly without a code. */
const tooLong =
  /prompt is too long|input length and `max_tokens` exceed|maximum context length|context (?:length|window|size)[^.]*exceed|exceeds? (?:the )?(?:available )?context (?:size|window|length|limit)/i;

/** The failure for an error thrown by the SDK or while its stream was read. */
export function toFailure(error: unknown, { called, remedy, secrets, sdk }: FailureSource): ModelFailure {
  const known = secrets.map(each => each.trim()).filter(each => each !== '');
  const mask = (text: string) => known.reduce((rest, each) => rest.replaceAll(each, '***'), text);
  if (error instanceof ModelFailure)
    return new ModelFailure(error.class, `${called}: ${mask(error.message)}`, { cause: error.cause });
  const { kind, message } = classify(error, remedy, sdk);
  const retryAfter = error instanceof sdk.APIError ? retryAfterMs(error.headers) : undefined;
  // The original stays out of `cause`: a log may print its fields, and a server may have put the key into them.
  const cause = new Error(mask(message));
  if (error instanceof Error && error.stack !== undefined) cause.stack = mask(error.stack);
  return new ModelFailure(kind, `${called}: ${mask(message)}`, {
    cause,
    ...(retryAfter === undefined ? {} : { retry_after_ms: retryAfter }),
  });
}

function classify(error: unknown, remedy: string, sdk: SdkErrors): Sorted {
  if (error instanceof sdk.APIConnectionTimeoutError)
    return { kind: 'timeout', message: 'no answer in time' };
  // A network that fails is like a service that does not answer, and the breaker bounds the tries.
  if (error instanceof sdk.APIConnectionError)
    return { kind: 'timeout', message: `could not be reached: ${rootMessage(error)}` };
  if (error instanceof sdk.APIError) return sort(error, remedy);
  // Of an exchange for a token.
  if (error instanceof Error && 'statusCode' in error)
    return Number(error.statusCode) >= 500
      ? { kind: 'timeout', message: error.message }
      : { kind: 'denied', message: `${error.message}; ${remedy}` };
  // A socket cut in the middle of a stream arrives as an error whose cause has the socket's code; an event cut in its
  // middle as text that is no JSON.
  if (error instanceof SyntaxError) return { kind: 'timeout', message: `the stream broke: ${error.message}` };
  const cause = error instanceof Error ? error.cause : undefined;
  if (error instanceof Error && cause instanceof Error && 'code' in cause && typeof cause.code === 'string')
    return { kind: 'timeout', message: `the connection broke: ${rootMessage(error)}` };
  return { kind: 'crash', message: messageOf(error) };
}

/** Of an answer that is an error. */
function sort(error: SdkError, remedy: string): Sorted {
  const { code, type } = error;
  const words = error.apiMessage ?? error.message;
  const prefix = `${error.status} `;
  const message = error.status === undefined || words.startsWith(prefix) ? words : prefix + words;
  // In the middle of a stream there is no status; OpenRouter and llama.cpp give it as the code.
  const status = error.status ?? Number(code);
  if (status >= 300 && status < 400)
    return {
      kind: 'crash',
      message: `answers ${status}, a redirect, which is not followed: set its final address`,
    };
  if (status === 401) return { kind: 'denied', message: `${message}; ${remedy}` };
  if (tooLong.test(words)) return { kind: 'context', message };
  // An account without credit gets a plain 400; only its words tell it from a malformed request.
  if (words.toLowerCase().includes('credit balance')) return { kind: 'quota', message };
  const named = byName[code ?? ''] ?? byName[type ?? ''];
  return { kind: named ?? byStatus[status] ?? (status >= 500 ? 'timeout' : 'crash'), message };
}

function rootMessage(error: Error): string {
  let root = error;
  for (let depth = 0; depth < 5 && root.cause instanceof Error; depth++) root = root.cause;
  return root.message;
}

/** Milliseconds in a header of their own; else seconds, or a date, which is held against the server's own clock. */
function retryAfterMs(headers: Headers | undefined): number | undefined {
  const milliseconds = headers?.get('retry-after-ms');
  const after = headers?.get('retry-after');
  const until = Date.parse(after ?? '') - Date.parse(headers?.get('date') ?? '');
  const seconds = Number(after ?? Number.NaN) * 1000;
  const value = milliseconds != null ? Number(milliseconds) : Number.isNaN(seconds) ? until : seconds;
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}
