// Bounds what one evaluation may cost, whatever the expression and the values bound to its names are.
import type { Json } from '../../../lib/json.ts';
import { ExpressionError } from './error.ts';

/** Longest text that a function may build, in UTF-16 units: 1 MB. */
export const longestText = 1024 * 1024;
/** Characters and elements that one evaluation may go over, so that a thousand cheap calls are not a dear one. */
const most = 16 * 1024 * 1024;

/** Counts the characters and elements that an evaluation goes over. `at` is where the expression asks for it. */
export class Effort {
  #spent = 0;

  /** Throws ExpressionError when it is too much. */
  spend(units: number, at: number): void {
    this.#spent += units;
    if (this.#spent > most)
      throw new ExpressionError('the expression goes over more text and elements than one test may', at);
  }
}

/** What it costs to compare a value. */
export const costOf = (value: Json): number => (typeof value === 'string' ? value.length + 1 : 1);

/** A text in the making, refused when it gets longer than `longestText`. */
export class BoundedText {
  readonly #parts: string[] = [];
  #length = 0;
  readonly #maker: string;
  readonly #effort: Effort;
  readonly #at: number;

  /** `maker` is the function that the error names. */
  constructor(maker: string, effort: Effort, at: number) {
    this.#maker = maker;
    this.#effort = effort;
    this.#at = at;
  }

  add(part: string): void {
    this.#length += part.length;
    if (this.#length > longestText)
      throw new ExpressionError(
        `${this.#maker}: the text gets longer than ${longestText} characters`,
        this.#at,
      );
    this.#effort.spend(part.length + 1, this.#at);
    this.#parts.push(part);
  }

  whole(): string {
    return this.#parts.join('');
  }
}
