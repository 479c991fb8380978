// Puts vault entries in the place of the references in code and contents.
import { lastResultId, type Stores } from '../stores.ts';
import { substituteVaultRefs } from '../tags/vaultref.ts';
import { notFound } from './change.ts';
import { vaultKind } from './kinds.ts';

/** Characters that a text may have with its entries put in. */
export const RESOLVED_CHARS = 1024 * 1024;
/** Missing ids that an error names, and that are reported at most; the rest only counts. */
const NAMED = 5;
const REPORTED = 100;
const ID_CHARS = 200;

/**
 * `text` with each `{{<vaultref id="..." />}}` replaced by the entry's content: text and code as they are, data as
 * its JSON. What is put in is not searched again. `last_execution_result` stands for `lastResult`. Ids without an
 * entry, malformed references and too long a result are errors.
 */
export function resolveReferences(
  text: string,
  stores: Stores,
  lastResult: string | undefined,
): { text: string } | { error: string; missing: string[] } {
  const contents = new Map(stores.vault.map(({ id, content }) => [id, content]));
  if (lastResult !== undefined) contents.set(lastResultId, lastResult);
  const { text: resolved, missing, problems } = substituteVaultRefs(text, id => contents.get(id));

  const [problem] = problems;
  const faults = problem ? [`${problem.line}:${problem.column}: ${problem.message}`] : [];
  if (missing.length > 0) {
    const named = missing.slice(0, NAMED).map(id => notFound(vaultKind, stores, id, [lastResultId]));
    faults.push(
      ...named,
      ...(missing.length > NAMED ? [`and ${missing.length - NAMED} more are missing`] : []),
    );
  }
  if (faults.length === 0 && resolved.length > RESOLVED_CHARS)
    faults.push(
      `with its vault entries the text has ${resolved.length} characters; ${RESOLVED_CHARS} at most`,
    );
  if (faults.length === 0) return { text: resolved };
  return {
    error: `vault references: ${faults.join('; ')}`,
    missing: missing.slice(0, REPORTED).map(id => id.slice(0, ID_CHARS)),
  };
}
