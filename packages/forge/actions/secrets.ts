// The values of a job that nobody may read in its log: those it was given, and those its steps name with add-mask.
import { masker } from '@echelon/ground';

export class Secrets {
  readonly #values: string[];
  #mask: (text: string) => string;

  constructor(values: readonly string[]) {
    this.#values = [...values];
    this.#mask = masker(this.#values);
  }

  /** From now on; what was written before stays. Lines of a longer value count for themselves, as on GitHub. */
  add(value: string): void {
    const lines = value.split(/[\r\n]+/).map(line => line.trim());
    this.#values.push(value, ...lines.filter(line => line !== value));
    this.#mask = masker(this.#values);
  }

  /** With `***` in the place of each secret and of its encodings (see `lib/mask.ts` for which). */
  mask(text: string): string {
    return this.#mask(text);
  }

  /** Whether one of them, or the shape of a token, is in it. */
  foundIn(text: string): boolean {
    return this.#mask(text) !== text;
  }
}
