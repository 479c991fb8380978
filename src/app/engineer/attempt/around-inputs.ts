// Inputs of the engineer's program about the run around its issue, within budgets; all of it is text by others.
import type { Checkout } from '@echelon/ground/workspace';
import { fencedOff, quoteForModel, quoted, quotedLine } from '../../../engine/language/quote.ts';
import { estimateTokens, smallDiffs } from '../../../engine/language/trim.ts';
import { fileText } from '../../../engine/runtime/tools/checkout-tools.ts';
import { headOf, layOutFiles } from '../../../engine/tasks/memory/share.ts';
import type { Around, JobSpec } from '../jobs/job-spec.ts';
import { isToldApart } from './project-inputs.ts';

/** Tokens of each part, at most. */
const DIRECTIVE = 4_000;
const PLAN = 800;
const PATHS = 200;
const DELIVERED = 2_000;
const BESIDE = 500;
const OPENED = 6_000;

/** Values for the program's parameters, empty where there is nothing to tell. */
export async function aroundInputs(
  { around, directive }: Pick<JobSpec, 'around' | 'directive'>,
  checkout: Pick<Checkout, 'diff' | 'tree'>,
): Promise<Record<'directive' | 'plan' | 'paths' | 'delivered' | 'beside' | 'opened', string>> {
  if (!around) return { directive: '', plan: '', paths: '', delivered: '', beside: '', opened: '' };
  const { title, body } = around.directive;
  const paths = around.paths.map(path => quoteForModel(path).text.replace(/\s+/g, ' '));
  const others = around.beside.map(
    ({ number, title, waits }) => `#${number} ${titled(title)}${waits ? ' (waits for yours)' : ''}`,
  );
  return {
    directive: joined(`#${directive} ${titled(title)}`, quoted(within(quoteForModel(body).text, DIRECTIVE))),
    plan: quoted(within(quoteForModel(around.plan).text.trim(), PLAN)),
    paths: quoted(within(paths.join(', '), PATHS)),
    delivered: await deliveredText(around.needs, checkout),
    opened: await openedText(around.opened, checkout),
    beside: quoted(within(others.join('\n'), BESIDE)),
  };
}

/** The files as they are in the checkout; one that is told apart, or cannot be read, is left out. */
async function openedText(paths: readonly string[], { tree }: Pick<Checkout, 'tree'>): Promise<string> {
  const files: { path: string; metadata: string; text: string }[] = [];
  for (const path of paths.filter(each => !isToldApart(each))) {
    const text = await fileText(tree, path).catch(() => '');
    if (text !== '') files.push({ path: quoteForModel(path).text.replace(/\s+/g, ' '), metadata: '', text });
  }
  return layOutFiles(files, OPENED).text;
}

const joined = (...parts: string[]) => parts.filter(part => part !== '').join('\n\n');

const titled = (title: string) => quotedLine(quoteForModel(title).text);

const within = (text: string, tokens: number) => headOf(text, tokens, '\n[cut off]');

/** Each change by file, within an equal part of what is left of the budget. */
async function deliveredText(needs: Around['needs'], checkout: Pick<Checkout, 'diff'>): Promise<string> {
  const parts: string[] = [];
  let left = DELIVERED;
  for (const [at, { number, title, from, commit }] of needs.entries()) {
    const share = Math.floor(left / (needs.length - at));
    // Its commits may be gone: a branch can be deleted, or pushed anew. Its files are in the checkout all the same.
    const diff = await checkout.diff(from, commit).catch(() => '');
    const shown = within(quoteForModel(smallDiffs(diff, share)).text, share);
    left -= estimateTokens(shown);
    parts.push(joined(`## #${number} ${titled(title)}`, fencedOff(shown)));
  }
  return parts.join('\n\n');
}
