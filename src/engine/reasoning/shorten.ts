// Makes the parts of a conversation shorter, step by step, until it fits. No model is asked for it.
import type { ModelMessage, ModelPart } from '../models/model.ts';

/** Characters that long parts are cut to, one size after the other. */
export const CUTS: readonly number[] = [6000, 1500, 300];

/** A part that is cut to `most` characters; `index`: of its message. */
export type Cut = (part: ModelPart, most: number, index: number) => ModelPart;

/** Without opaque parts: they do not outlive a change of the conversation before them, and would take its room. */
export const withoutOpaque = (messages: readonly ModelMessage[]): ModelMessage[] =>
  messages.map(({ role, content }) => ({ role, content: content.filter(({ type }) => type !== 'opaque') }));

/**
 * `messages` without opaque parts, with every other part cut to the largest of `sizes` with which they fit, to the smallest where they fit with
 * none. Roles, calls and the order stay.
 */
export function shortened(
  messages: readonly ModelMessage[],
  fits: (shorter: ModelMessage[]) => boolean,
  cut: Cut = cutAnswer,
  sizes = CUTS,
): ModelMessage[] {
  const whole = withoutOpaque(messages);
  let shorter = whole;
  for (const most of sizes) {
    shorter = whole.map(({ role, content }, index) => ({
      role,
      content: content.map(part => cut(part, most, index)),
    }));
    if (fits(shorter)) break;
  }
  return shorter;
}

/** Only what a tool answered becomes shorter. */
export const cutAnswer: Cut = (part, most) =>
  part.type === 'tool_result' ? { ...part, content: cutText(part.content, most) } : part;

/** The beginning of the text, and how much of it is missing; never longer than the text. */
export function cutText(text: string, most: number): string {
  const cut = `${text.slice(0, most).toWellFormed()}\n(${text.length - most} characters were left out)`;
  return cut.length < text.length ? cut : text;
}
