// `<limits>`: what a task, and all that runs in it, may use.
import type { Limits } from '../ast.ts';
import { elementOf, optional, type Reader } from '../element-schema.ts';
import { numberElement } from '../scalars.ts';

const settings = elementOf({
  turns: optional(numberElement(1, 1000)),
  context_tokens: optional(numberElement(1, 10_000_000)),
  output_tokens: optional(numberElement(1, 1_000_000)),
  time_s: optional(numberElement(1, 86_400)),
  budget: optional(numberElement(0, 1_000_000, false)),
});

export const limits: Reader<Limits> = {
  read: (element, reading) => {
    const found = settings.read(element, reading);
    return {
      turns: found.turns,
      contextTokens: found.context_tokens,
      outputTokens: found.output_tokens,
      timeMs: found.time_s === undefined ? undefined : found.time_s * 1000,
      budgetUsd: found.budget,
    };
  },
};
