// The most that a run of a program can come to, with the models and the settings that the run has.
import { findRow, type ModelRows } from '../models/table.ts';
import type { ModelsBehind } from '../models/taking-turns.ts';
import { type Known, type WorstCase, worstCase } from '../tasks/worst-case/worst-case.ts';
import { type EvaluationParts, evaluationOf, lazySandbox } from './evaluation.ts';

export interface RunParts
  extends Pick<EvaluationParts, 'library' | 'models' | 'settings' | 'reasoning' | 'turns' | 'signal'> {
  modelRows: ModelRows;
  behind: ModelsBehind;
  /** Whether sessions get files of the folder. */
  remembers: boolean;
}

/** As `worstCase`; nothing runs, and no model is asked. */
export function worstCaseOf(known: Known, { behind, remembers, ...parts }: RunParts): WorstCase {
  const { library, modelRows } = parts;
  const model = { provider: 'none', call: () => Promise.reject(new Error('nothing runs')) };
  const options = evaluationOf({ ...parts, model, sandbox: lazySandbox() });
  return worstCase(known, {
    library,
    options,
    remembers,
    priceOf: name => findRow(name, modelRows)?.price,
    behind,
  });
}
