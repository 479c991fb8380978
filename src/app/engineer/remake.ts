// A merge that no branch has yet, made again: the same fields make the same commit anywhere.
import type { Mirror } from '../../workspace/mirror.ts';
import type { Merge } from './job-spec.ts';

export const remake = (mirror: Mirror, { commits, marked, ...fields }: Merge) =>
  marked ? mirror.mergeMarked(commits, fields) : mirror.merge(commits, fields);
