// Earlier outputs as the text that a task sees of them: what a sequence accumulates, and a round for its evaluator.
import type { ContextManagement } from '../language/ast.ts';
import type { TaskResult } from '../language/result.ts';
import type { Steps } from './history.ts';
import { joined } from './memory/relevant.ts';

/** The text `before`, then the result of each of `steps`, under its name. */
export function withSteps(
  before: string | undefined,
  steps: Steps,
  format: ContextManagement['format'] = 'full_output',
): string {
  const own = steps.map(({ step, result }) => `## ${step}\n${outputOf(result, format)}`);
  return joined(before ?? '', ...own);
}

/** Characters of the output of a step without notes that stand for them. */
const SHORTENED = 2_000;

/**
 * The whole output, typed outputs included; or the notes alone, which is also what is left of an old step. Where notes
 * should be seen and there are none, the beginning of the output stands for them, and says so.
 */
function outputOf(
  { content, outputs, notes, reply }: TaskResult,
  format: ContextManagement['format'],
): string {
  // No session declares them: those of a map, whose content has each result whole.
  const isSaid = Object.keys(outputs).length === 0 || (!reply && 'results' in outputs);
  const named = isSaid ? '' : `Outputs: ${JSON.stringify(outputs)}`;
  const output = [content, named].filter(part => part !== '').join('\n');
  const warnings = notes.warnings.length > 0 ? { warnings: notes.warnings } : {};
  if (format === 'full_output' && output !== '') return output;
  const own = { ...notes.model, ...warnings };
  if (notes.model || output === '') return JSON.stringify(own);
  const short = output.slice(0, SHORTENED).toWellFormed();
  const what = short === output ? 'its result' : `the beginning of its result of ${output.length} characters`;
  return `${short}\n[It wrote no notes: this is ${what}.]`;
}
