// What the engineer's program is told of its issue and of the repository's customs.
import { quoteForModel, quoted, quotedLine } from '../../engine/language/quote.ts';
import type { Checkout } from '../../workspace/checkout.ts';
import { editTools } from '../../engine/runtime/tools/checkout-tools.ts';
import type { JobSpec } from './job-spec.ts';

/** What became of the tree that an attempt goes on from; `fresh`: there is none, or it had no changes. */
export type Taken = 'fresh' | 'taken' | 'lost';

const told: Readonly<Record<Taken, string>> = {
  fresh: '',
  taken: 'Its changes are in your checkout. Read them first, keep what is right, and go on from there.',
  lost: 'Its changes could not be taken up: they fit no more, or are too large. Your checkout has none of them; begin anew.',
};

/** Values for the program's parameters. Text by people is cleaned of what they cannot see. */
export async function issueInputs(
  { issue, previous, base_tests }: JobSpec,
  checkout: Checkout,
  taken: Taken,
): Promise<Record<string, string>> {
  const read = async (path: string) => {
    const tool = editTools(checkout).find(({ name }) => name === 'read_file')!;
    // A file that is not there, or that leads out of the checkout, is none.
    return await tool.run({ path }, new AbortController().signal).catch(() => '');
  };
  return {
    issue_number: String(issue.number),
    issue_title: quotedLine(quoteForModel(issue.title).text),
    issue_body: quoted(quoteForModel(issue.body).text),
    conventions: quoted((await read('AGENTS.md')) || (await read('CONTRIBUTING.md'))),
    lessons: quoted(await read('LESSONS.md')),
    previous_attempt: [quoted(quoteForModel(previous ?? '').text), told[taken]]
      .filter(text => text !== '')
      .join('\n\n'),
    base_tests: base_tests ?? '',
  };
}
