// The operations as tools that a model calls natively: their names, and the field that a tag's body comes in.
import type { TagName } from '../tags/table.ts';

export interface CallForm {
  tag: TagName;
  /** In place of the body; for an entry that takes its content as an attribute too it is that attribute. */
  body: string;
}

export const callForms: ReadonlyMap<string, CallForm> = new Map([
  ['js', { tag: 'js_execute', body: 'code' }],
  ['datavault', { tag: 'datavault', body: 'content' }],
  ['memory', { tag: 'memory', body: 'content' }],
  ['task', { tag: 'task', body: 'content' }],
  ['goal', { tag: 'goal', body: 'content' }],
  ['ask', { tag: 'ask', body: 'question' }],
  ['final_output', { tag: 'final_output', body: 'text' }],
]);
