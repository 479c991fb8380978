// Applies one operation to the stores: wholly, or not at all.
import type { EntryFields, Operation } from '../operation.ts';
import { type Dated, lastResultId, type Stores, UNDEFINED } from '../stores.ts';
import { type Applied, notFound, remove, write } from './change.ts';
import { goalKind, type Kind, memoryKind, taskKind, vaultKind, type VaultRule, vaultUnder } from './kinds.ts';
import { idFault, TEXT_BYTES } from '../../sandbox/entries.ts';

export type StoreOperation = Extract<Operation, { kind: 'vault' | 'memory' | 'task' | 'goal' }>;

/**
 * The stores after the operation, and what the model is told of it; the stores are the same object when it changes
 * nothing. `now` is in milliseconds since the epoch; `lastResult` is what a read of `last_execution_result` shows. With an error nothing has changed.
 */
export function apply(
  stores: Stores,
  operation: StoreOperation,
  now: number,
  {
    lastResult,
    rules = [],
  }: { lastResult?: string | undefined; rules?: readonly VaultRule[] | undefined } = {},
): Applied {
  if (operation.kind === 'vault') return applyToVault(stores, operation, now, lastResult, rules);
  const { kind, identifier } = operation;
  const fault = idFault(identifier);
  if (fault !== undefined) return { error: `the identifier of a ${kind} ${fault}` };
  const change = <Entry extends Dated>(of: Kind<Entry, EntryFields>): Applied =>
    operation.action === 'delete'
      ? remove(of, stores, identifier)
      : write(of, stores, identifier, operation.fields, now);
  if (kind === 'memory') return change(memoryKind);
  return kind === 'task' ? change(taskKind) : change(goalKind);
}

function applyToVault(
  stores: Stores,
  operation: Extract<StoreOperation, { kind: 'vault' }>,
  now: number,
  lastResult: string | undefined,
  rules: readonly VaultRule[],
): Applied {
  const fault = idFault(operation.id);
  if (fault !== undefined) return { error: `the id of a vault entry ${fault}` };
  if (operation.action === 'read') return read(stores, operation.id, operation.limit, lastResult);
  if (operation.id === lastResultId)
    return {
      error: `"${lastResultId}" is what the last execution returned: it is neither written nor deleted`,
    };
  if (operation.action === 'delete') return remove(vaultKind, stores, operation.id);
  const { kind: _kind, action: _action, id, ...fields } = operation;
  return write(vaultUnder(rules), stores, id, fields, now);
}

/**
 * Shows one vault entry: the answer is a line about it and its content, cut to `limit` characters (`full-length`: to as many as an
 * entry may have bytes). The id `last_execution_result` reads `lastResult`.
 */
function read(
  stores: Stores,
  id: string,
  limit: number | 'full-length',
  lastResult: string | undefined,
): Applied {
  const entry =
    id === lastResultId
      ? lastResult !== undefined && {
          type: lastResult === UNDEFINED ? 'text' : 'data',
          description: 'what the last execution returned',
          content: lastResult,
        }
      : stores.vault.find(each => each.id === id);
  if (!entry) {
    const none = id === lastResultId ? `${id}: no execution has returned anything yet` : undefined;
    return { error: none ?? notFound(vaultKind, stores, id, [lastResultId]), missing: id };
  }
  const { type, description, content } = entry;
  const shown = beginning(content, limit === 'full-length' ? TEXT_BYTES : Math.min(limit, TEXT_BYTES));
  const isCut = shown.length < content.length;
  const more = limit === 'full-length' || limit >= TEXT_BYTES ? '' : ', limit "full-length" shows all';
  const extent = isCut
    ? `the first ${shown.length} of ${content.length} characters${more}`
    : `${content.length} characters`;
  const about = description === '' ? '' : `: ${description}`;
  return { stores, answer: `vault entry "${id}" (${type}, ${extent})${about}\n${shown}` };
}

/** Ends before a pair of surrogates that would be cut in two. */
function beginning(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  const isHalf = length < text.length && last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isHalf ? length - 1 : length);
}
