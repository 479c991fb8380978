// Shows an evaluator once what it could not see; if it still cannot see that, the change is not accepted.
import { type Checkout, pathFault } from '@echelon/ground/workspace';
import type { Evaluation } from '../../../engine/texts.ts';
import { fencedOff, quotedLine, quoteForModel, wholeDiff, withoutBlobs } from '../../../engine/texts.ts';
import { fileText } from '../../../engine/parts.ts';
import { headOf } from '../../../engine/files.ts';

/** Characters of what it asks for, and files of it that it is shown. */
const MAX_ASKED = 300;
const MAX_SHOWN = 5;

/** A path or a question, by the output `missing`; undefined: it saw what it had to. */
export function missingIn({ outputs }: Evaluation): string | undefined {
  const asked = outputs?.['missing'];
  if (typeof asked !== 'string' || /^(?:none|nothing|null|n\/a)?\.?$/i.test(asked.trim())) return undefined;
  return quotedLine(quoteForModel(asked).text.slice(0, MAX_ASKED));
}

interface Change {
  checkout: Checkout;
  base: string;
  tree: string | undefined;
  /** Tokens that may be shown. */
  tokens: number;
}

/**
 * The diff again, with what was asked for behind it: of each file that is named its own diff where only its name stood
 * there, else its text; the list of changed files where it names none that there is. `left`: criteria that were not judged.
 */
export async function diffWith(
  missing: string | undefined,
  { checkout, base, tree, tokens }: Change,
  left: readonly number[],
): Promise<string> {
  const diff = await checkout.diff(base, tree);
  const whole = wholeDiff(diff, tokens);
  const shown = [fencedOff(whole)];
  if (left.length > 0)
    shown.push(
      `# Your last verdict leaves out criteria: ${left.join(', ')}. Judge again, with every number.`,
    );
  if (missing === undefined) return shown.join('\n\n');
  const open = async (path: string) => {
    const own = withoutBlobs(await checkout.diff(base, tree, path));
    if (own !== '' && !whole.includes(own)) return own;
    // A folder, a file that is not text, or none at all: there is nothing more to show of it.
    return await fileText(checkout.tree, path).catch(() => own);
  };
  const found: { path: string; text: string }[] = [];
  for (const path of pathsIn(missing)) {
    const text = found.length < MAX_SHOWN ? await open(path) : '';
    if (text !== '') found.push({ path, text });
  }
  const note = '\n[the rest is left out; open it with your tools]';
  const each = Math.floor(tokens / Math.max(1, found.length));
  shown.push(`# What you could not see before (data): ${missing}`);
  for (const { path, text } of found) shown.push(`## ${path}\n${fencedOff(headOf(text, each, note))}`);
  if (found.length === 0)
    shown.push(
      'There is no file of that name, and nobody to ask. Judge by what there is:',
      wholeDiff(diff, 0),
    );
  return shown.join('\n\n');
}

/** Words that can be paths, as a person writes them in a sentence. */
function pathsIn(text: string): string[] {
  const words = text.split(/[\s,;:'"`()]+/).map(word => word.replace(/^\.\/|[.?!/]+$/g, ''));
  return [...new Set(words)].filter(word => word !== '' && !pathFault(word)).slice(0, 40);
}

/** The verdict of one that was shown what it asked for. */
export function unlessMissing(verdict: Evaluation): Evaluation {
  const missing = missingIn(verdict);
  if (missing === undefined) return verdict;
  const feedback = `Not accepted: the evaluator could not see ${missing}. ${verdict.feedback ?? ''}`.trim();
  return { ...verdict, success: false, feedback };
}
