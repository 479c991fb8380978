// Puts bound texts in the place of placeholders.
import { placeOf } from './problem.ts';
import { type Bound, type Environment, UnboundName } from './environment.ts';
import { invalidInput, TaskError } from './result.ts';
import type { Placeholder, TemplateText } from './text.ts';

/** Characters of a text with its placeholders replaced: texts that repeat one another double at every step. */
const MOST_CHARACTERS = 32_000_000;

/**
 * The text of `template` with every placeholder replaced. What is put in is neither parsed nor substituted again.
 * Throws TaskError TASK_FAILURE `missing_input` with the placeholder's place, and INVALID_INPUT for a text that is too long.
 */
export function substitute(template: TemplateText, environment: Environment): string {
  let text = '';
  for (const part of template.parts) {
    text += typeof part === 'string' ? part : lookUp(part, environment).text;
    if (text.length <= MOST_CHARACTERS) continue;
    throw invalidInput(
      `the text at ${placeOf(template.at)} has more than ${MOST_CHARACTERS} characters with its placeholders replaced`,
    );
  }
  return text;
}

/** The value of one placeholder, or of an input's `from`. Throws as `substitute`; the message names what is near. */
export function lookUp({ name, at }: Placeholder, environment: Environment): Bound {
  try {
    return environment.resolve(name);
  } catch (cause) {
    if (!(cause instanceof UnboundName)) throw cause;
    throw missingInput(name, at, cause);
  }
}

/** That nothing binds `name`, with the place `at` which reads it, and with the name that `cause` found to be near. */
export function missingInput(name: string, at: Placeholder['at'], cause?: UnboundName): TaskError {
  return new TaskError(
    { code: 'TASK_FAILURE', reason: 'missing_input', at },
    `Missing required input: ${name} (${placeOf(at)})${cause?.near ?? ''}`,
    { cause },
  );
}
