// Inputs of a built-in action, as GitHub's own reads them; one that it would not know is refused.
import { StepFailed, type StepRun } from '../step.ts';
import { realpath } from 'node:fs/promises';
import { dirname, sep } from 'node:path';
import { codeOf } from '@echelon/ground';

/** Both without links and relative parts. */
export const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === sep ? sep : `${folder}${sep}`);

/** The real path of a folder, or of the nearest above it that there is: where one that is made would come to lie. */
export async function placeOf(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    return placeOf(dirname(folder));
  }
}

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
