// Why work ends that the failure of other work beside it has made useless.
import { nothingSpent, type Spent } from './result.ts';

/**
 * The reason of the signal that ends it. Never a TaskError: whoever mends or tells the failures of its own tasks
 * would take it for one of those. A session that ends by it throws one that has what it had spent.
 */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
  readonly spent: Spent;
  constructor(spent: Spent = nothingSpent) {
    super('something beside this failed');
    this.spent = spent;
  }

  /** The same reason, as one session leaves with it. */
  with(spent: Spent): Cancelled {
    return new Cancelled(spent);
  }
}
