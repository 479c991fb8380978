// The ids that code could have meant when it asked for one that does not exist.
import type { StoreName } from '../../sandbox/entries.ts';
import type { MissingRead } from '../../sandbox/stores.ts';
import type { Stores } from '../stores.ts';

/** Ids that are named at most: the newest ones. */
const MOST = 100;

/** Those of the stores that were asked in vain; of the vault where none was. */
export function validIds(stores: Stores, missing: readonly MissingRead[]): string[] {
  const asked = new Set<StoreName>(missing.length === 0 ? ['vault'] : missing.map(({ store }) => store));
  const ids = {
    vault: stores.vault.map(({ id }) => id),
    memory: stores.memory.map(({ identifier }) => identifier),
    tasks: stores.tasks.map(({ identifier }) => identifier),
    goals: stores.goals.map(({ identifier }) => identifier),
  };
  return [...asked].flatMap(store => ids[store]).slice(-MOST);
}
