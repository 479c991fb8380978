// What the errors of Anthropic's API mean.
import type Sdk from '@anthropic-ai/sdk';
import type { FailureClass, ModelFailure } from './model.ts';
import { byStatus, toFailure } from './sdk-failure.ts';

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

/** How the API words that a prompt is larger than the model's window: an invalid request among others. */
const tooLong =
  /prompt is too long|exceeds? (?:the )?context (?:window|limit)|input length and `max_tokens` exceed/i;

export const anthropicFailure = (error: unknown, sdk: typeof Sdk, apiKey: string): ModelFailure =>
  toFailure(error, {
    name: 'Anthropic',
    apiKey,
    sdk,
    sort({ status, type, apiMessage, message }: InstanceType<typeof Sdk.APIError>) {
      const words = apiMessage ?? message;
      const said = status === undefined ? words : `${status} ${words}`;
      if (status === 401) return { kind: 'crash', message: `${said} (is ANTHROPIC_API_KEY right?)` };
      if (tooLong.test(words)) return { kind: 'context', message: said };
      // An account without credit gets a plain 400; only its words tell it from a malformed request.
      if (words.toLowerCase().includes('credit balance')) return { kind: 'quota', message: said };
      return { kind: byType[type ?? ''] ?? byStatus(status), message: said };
    },
  });
