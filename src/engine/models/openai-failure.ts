// What the errors of the chat completions API mean, of OpenAI's own server and of those that speak like it.
import type Sdk from 'openai';
import type { FailureClass, ModelFailure } from './model.ts';
import { byStatus, toFailure } from './sdk-failure.ts';

/** https://platform.openai.com/docs/guides/error-codes */
const byCode: Readonly<Record<string, FailureClass>> = {
  insufficient_quota: 'quota',
  billing_hard_limit_reached: 'quota',
  context_length_exceeded: 'context',
  rate_limit_exceeded: 'rate_limit',
  server_error: 'timeout',
  exceed_context_size_error: 'context',
};

/** How vLLM, llama.cpp, Ollama and OpenRouter word it, which have no code for it. */
const tooLong =
  /maximum context length|context (?:length|window|size)[^.]*exceed|exceeds? the (?:available )?context (?:size|window|length)|prompt is too long/i;

export const openAiFailure = (error: unknown, sdk: typeof Sdk, apiKey: string): ModelFailure =>
  toFailure(error, {
    name: 'OpenAI',
    apiKey,
    sdk,
    sort({ status, code, type, message }: InstanceType<typeof Sdk.APIError>) {
      if (status === 401) return { kind: 'crash', message: `${message} (is OPENAI_API_KEY right?)` };
      if (tooLong.test(message)) return { kind: 'context', message };
      // In the middle of a stream there is no status; OpenRouter and llama.cpp give it as the code.
      return { kind: byCode[code ?? ''] ?? byCode[type ?? ''] ?? byStatus(status ?? Number(code)), message };
    },
  });
