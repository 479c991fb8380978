// `layers: auto`: a draft that is the only one is listed as it stands, and the layers below its writer are not asked.
import type { Action } from './actions.ts';
import type { CascadeContext, Queued } from './context.ts';
import type { IssuePlan } from './issue-plan.ts';

/** The actions that list a layer's only draft; none where there are more, or all layers are to be asked. */
export function listing(
  { layers }: Pick<CascadeContext, 'layers'>,
  drafted: readonly IssuePlan[] = [],
): Action[] {
  if (layers !== 'auto' || drafted.length !== 1) return [];
  return [{ action: 'create_issues', issues: [...drafted] }, { action: 'schedule' }];
}

/** True if issues were requested. */
export const isListed = (asked: readonly Queued[]): boolean =>
  asked.some(({ action }) => action.action === 'create_issues');
