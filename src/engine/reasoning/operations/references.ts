// Puts vault entries in the place of the references in code and contents.
import { lastResultId, type Stores } from '../stores.ts';
import { Prose } from '../tags/prose.ts';
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
 * Text to resolve references in: code of an execution, content of the vault entry with this id (of any other: without
 * one), or a final output, whose quotes may name missing entries.
 */
export type Filled = { isCode: true } | { isCode: false; id?: string; isFinal?: boolean };

/**
 * `text` with each `{{<vaultref id="..." />}}` replaced by the entry's content: text and code as they are, data as
 * its JSON, in code so written that it is that value. What is put in is not searched again. `last_execution_result` stands for `lastResult`. Ids without an
 * entry, malformed references and too long a result are errors, and so is a reference to the entry that is filled:
 * written twice it would not be the same.
 */
export function resolveReferences(
  text: string,
  stores: Stores,
  lastResult: string | undefined,
  filled: Filled = { isCode: false },
): { text: string } | { error: string; missing: string[] } {
  const entries = new Map(stores.vault.map(entry => [entry.id, entry]));
  let refersToItself = false;
  const contentOf = (id: string) => {
    refersToItself ||= !filled.isCode && filled.id === id;
    const { type, content } = entries.get(id) ?? { type: 'data', content: undefined };
    const stored = id === lastResultId ? lastResult : content;
    return stored !== undefined && filled.isCode && type === 'data' ? asCode(stored) : stored;
  };
  const prose = !filled.isCode && filled.isFinal ? new Prose(text) : undefined;
  const isQuoted = prose && ((offset: number) => !prose.has(offset));
  const { text: resolved, missing, problems } = substituteVaultRefs(text, contentOf, isQuoted);

  const [problem] = problems;
  const faults = problem ? [`${problem.line}:${problem.column}: ${problem.message}`] : [];
  if (refersToItself && !filled.isCode)
    faults.push(
      `the content of "${filled.id}" refers to itself: write out what it shall hold, or use another id`,
    );
  if (missing.length > 0 && !refersToItself) {
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

/**
 * JSON as an expression of the same value: without line ends in front, which would end a `return`, and with a member
 * `__proto__` where a plain name would set the prototype. In JSON a quote that follows `{` or `,` begins a string, for
 * within one it stands behind a backslash. A text that is no JSON (`undefined`) stays as it is.
 */
function asCode(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json)).replace(/([{,])"__proto__":/g, '$1["__proto__"]:');
  } catch {
    // `undefined` and the like: code already.
    return json;
  }
}
