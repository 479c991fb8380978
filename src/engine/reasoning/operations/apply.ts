// Applies one operation to the stores: wholly, or not at all.
import type { Operation } from '../operation.ts';
import { lastResultId, type Stores } from '../stores.ts';
import { type Applied, remove, write } from './change.ts';
import { goalKind, memoryKind, taskKind, vaultKind } from './kinds.ts';
import { idFault } from '../../sandbox/entries.ts';
import { read } from './read.ts';

export type StoreOperation = Extract<Operation, { kind: 'vault' | 'memory' | 'task' | 'goal' }>;

/**
 * The stores after the operation, and what the model is told of it; the stores are the same object when it changes
 * nothing. `now` is in milliseconds since the epoch; `lastResult` is what a read of `last_execution_result` shows. With an error nothing has changed.
 */
export function apply(stores: Stores, operation: StoreOperation, now: number, lastResult?: string): Applied {
  if (operation.kind === 'vault') return applyToVault(stores, operation, now, lastResult);
  const { kind, identifier } = operation;
  const fault = idFault(identifier);
  if (fault !== undefined) return { error: `the identifier of a ${kind} ${fault}` };
  const isDelete = operation.action === 'delete';
  switch (kind) {
    case 'memory':
      if (isDelete) return remove(memoryKind, stores, identifier);
      return write(memoryKind, stores, identifier, operation.fields, now);
    case 'task':
      if (isDelete) return remove(taskKind, stores, identifier);
      return write(taskKind, stores, identifier, operation.fields, now);
    case 'goal':
      if (isDelete) return remove(goalKind, stores, identifier);
      return write(goalKind, stores, identifier, operation.fields, now);
  }
}

function applyToVault(
  stores: Stores,
  operation: Extract<StoreOperation, { kind: 'vault' }>,
  now: number,
  lastResult: string | undefined,
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
  return write(vaultKind, stores, id, fields, now);
}
