// Earlier outputs as the text that a task sees of them: what a sequence accumulates, and a round for its evaluator.
import type { ContextManagement } from '../language/ast.ts';
import type { TaskResult } from '../language/result.ts';
import type { Steps } from './history.ts';
import { joined } from './memory/relevant.ts';

/** What was seen `before`, then what each of `steps` ended with, under its name. */
export function withSteps(
  before: string | undefined,
  steps: Steps,
  format: ContextManagement['format'] = 'full_output',
): string {
  const own = steps.map(({ step, result }) => `## ${step}\n${outputOf(result, format)}`);
  return joined(before ?? '', ...own);
}

/** The whole output, typed outputs included; or the notes alone, which is also what is left of an old step. */
function outputOf({ content, outputs, notes }: TaskResult, format: ContextManagement['format']): string {
  const named = Object.keys(outputs).length === 0 ? '' : `Outputs: ${JSON.stringify(outputs)}`;
  const output = [content, named].filter(part => part !== '').join('\n');
  const warnings = notes.warnings.length > 0 ? { warnings: notes.warnings } : {};
  if (format === 'full_output' && output !== '') return output;
  return JSON.stringify({ ...notes.model, ...warnings });
}
