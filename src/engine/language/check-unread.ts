// Finds outputs that a step declares, and is paid for, and that nothing reads.
import type { Task } from './ast.ts';
import type { Report } from './problem.ts';
import type { Name } from './scope.ts';

/** Warns of the outputs that a step declares and that nothing reads. */
export function warnOfUnread(step: Task, { shape, read }: Name, report: Report): void {
  const declared = declaredOutputs(step);
  if (!shape.members || declared.length === 0) return;
  if (read === 'all') return;
  const missed = declared.filter(name => !read?.has(name));
  if (missed.length === declared.length)
    report(step.at, 'the outputs of this step are never read', 'warning');
  else for (const name of missed) report(step.at, `output "${name}" of this step is never read`, 'warning');
}

/** The outputs that a program asks of a model for the result of `task`, where it is certain whose they are. */
function declaredOutputs(task: Task): string[] {
  switch (task.type) {
    case 'atomic':
      return task.outputs.map(({ name }) => name);
    case 'let':
      return declaredOutputs(task.body);
    case 'sequential': {
      const last = task.steps.findLast(step => step.type !== 'function');
      return last && !task.context.accumulate ? declaredOutputs(last) : [];
    }
    default:
      return [];
  }
}
