// Inputs of a built-in action, as GitHub's own reads them; one that it would not know is refused.
import { StepFailed, type StepRun } from '../step.ts';

/** The inputs with their defaults. Fails the step for a name that is not among them. */
export function inputsOf<T extends Record<string, string>>(step: StepRun, defaults: T): T {
  const unknown = Object.keys(step.inputs).find(name => !(name in defaults));
  if (unknown !== undefined)
    throw new StepFailed(
      `The input "${unknown}" is not supported here; there are: ${Object.keys(defaults).join(', ')}.`,
    );
  return { ...defaults, ...step.inputs };
}

/** As a boolean of YAML 1.2. Fails the step for anything else. */
export function flag(name: string, text: string): boolean {
  if (/^(true|True|TRUE)$/.test(text)) return true;
  if (/^(false|False|FALSE)$/.test(text)) return false;
  throw new StepFailed(`The input "${name}" is true or false, not "${text}".`);
}
