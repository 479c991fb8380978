// The results of tasks in a row: kept by the evaluator, capped, and no part of any model's window; and as the text that a
// task sees of them.
import type { Notes, TaskError, TaskResult } from '../language/result.ts';
import type { ContextManagement } from '../language/ast.ts';
import { joined } from './memory/relevant.ts';

export type Steps = NonNullable<Notes['steps']>;

/** Bytes of UTF-8 that a history keeps, whole results and notes together. */
const HISTORY_LIMIT = 1_048_576;
/** Bytes that an entry counts for besides what is measured: its name, status and numbers. */
const ENTRY_SIZE = 500;

export type History = ReturnType<typeof createHistory>;

/**
 * Keeps within the limit as results come: the oldest lose their content, outputs and logs first and then go
 * altogether. The last stays; it loses its content only where it passes the limit by itself, and what else the model
 * wrote where its notes do, too. What the parts of a part ended with is not kept.
 */
export function createHistory() {
  const steps: Steps = [];
  const sizes: Size[] = [];
  let size = 0;
  let whole = 0; // entries before it have lost their content
  let last: Steps[number] | undefined; // as it was, where it was too large
  return {
    steps,
    /** The same with the last one whole, whatever its size: what the next step may see. */
    get seen() {
      return last ? [...steps.slice(0, -1), last] : steps;
    },
    add(step: string, result: TaskResult): void {
      let own = withoutSteps(result);
      let added = sizeOf(own);
      last = undefined;
      if (added.content + added.notes > HISTORY_LIMIT) {
        last = { step, result: own };
        own = withoutContent(own, added.content);
        if (added.notes > HISTORY_LIMIT) own = withoutWords(own, added.notes);
        added = { content: 0, notes: sizeOf(own).notes };
      }
      steps.push({ step, result: own });
      sizes.push(added);
      size += added.content + added.notes;
      for (; size > HISTORY_LIMIT && whole < steps.length - 1; whole++) {
        const entry = steps[whole]!;
        const { content, notes } = sizes[whole]!;
        if (content === 0) continue;
        size -= content;
        sizes[whole] = { content: 0, notes };
        steps[whole] = { step: entry.step, result: withoutContent(entry.result, content) };
      }
      while (size > HISTORY_LIMIT && steps.length > 1) {
        // In one go, so that a long sequence does not move the rest at every step.
        const gone = Math.min(steps.length - 1, Math.ceil(steps.length / 4));
        steps.splice(0, gone);
        for (const each of sizes.splice(0, gone)) size -= each.content + each.notes;
        whole = Math.max(0, whole - gone);
      }
    },
  };
}

/** In bytes: what can be left out of an entry, and what stays. */
type Size = ReturnType<typeof sizeOf>;

function sizeOf({ content, criteria, outputs, notes }: TaskResult) {
  const { model, script, evaluation, attempts, substeps, warnings } = notes;
  let left = Buffer.byteLength(content);
  let stays = ENTRY_SIZE;
  for (const _ in outputs) {
    left += jsonBytes(outputs);
    break;
  }
  if (criteria !== undefined) left += Buffer.byteLength(criteria);
  if (script) left += Buffer.byteLength(script.stdout) + Buffer.byteLength(script.stderr);
  if (warnings.length > 0) stays += jsonBytes(warnings);
  for (const each of [model, evaluation, attempts, substeps]) if (each) stays += jsonBytes(each);
  return { content: left, notes: stays };
}

const jsonBytes = (value: object): number => Buffer.byteLength(JSON.stringify(value));

/** Without the parts of a part, and without its value: that is what its content says. */
function withoutSteps(result: TaskResult): TaskResult {
  if (!result.notes.steps && result.value === undefined) return result;
  const { value: _, ...own } = result;
  const { steps, ...notes } = own.notes;
  return steps ? { ...own, notes: { ...notes, substeps: steps.map(({ step }) => step) } } : own;
}

function withoutContent({ status, notes }: TaskResult, bytes: number): TaskResult {
  const { script } = notes;
  const warnings = [...notes.warnings, `${bytes} bytes of content were left out`];
  const logs = script && { script: { ...script, stdout: '', stderr: '' } };
  return { status, content: '', outputs: {}, notes: { ...notes, ...logs, warnings } };
}

/** Without what in the notes may be of any length. */
function withoutWords(result: TaskResult, bytes: number): TaskResult {
  const { model: _, evaluation: _judged, attempts: _tried, substeps: _parts, ...notes } = result.notes;
  return { ...result, notes: { ...notes, warnings: [`${bytes} bytes of notes were left out`] } };
}

/** The steps that had finished when `error` came, with those of a failed part, named after it; capped, too. */
export function finishedBefore(error: TaskError, steps: Steps, failed: string): Steps {
  const history = createHistory();
  for (const { step, result } of steps) history.add(step, result);
  for (const { step, result } of error.notes.steps ?? []) history.add(`${failed}/${step}`, result);
  return history.steps;
}

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
