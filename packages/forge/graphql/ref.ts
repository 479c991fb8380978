// A branch or tag of the GraphQL schema.
import { type Core, nodeId } from '../core.ts';
import type { Ref, Repository } from '../store/repositories.ts';
import type { Asked } from './asked.ts';
import { commitObject } from './commit.ts';

export function refObject(core: Core, repository: Repository, ref: Ref) {
  const [, prefix = 'refs/', name = ref.name] = /^(refs\/[^/]+\/)(.+)$/.exec(ref.name) ?? [];
  function target(_: unknown, asked: Asked) {
    asked.mayRead(repository, ['contents:read']);
    return commitObject(core, repository, ref.sha);
  }
  return { id: nodeId('REF', repository.id, ref.name), name, prefix, target, branchProtectionRule: null };
}
