// The foot of a listing: what to type, and what may be clicked in its place, read back from it.
import { dollars } from './figures.ts';

/** Characters of a digest that name a listing. */
const NAMED = 12;
/** Longer than any foot with its hidden mark (characters). */
const LONGEST = 2000;

const type = '**Type `/approve`**';
const forAll = ' for all of it,';

/** Values for a listing's foot. */
export interface FootFacts {
  digest: string;
  /** Number of issues that would be created. */
  issues: number;
  /** Left of the run's limit (USD). */
  left_usd: number;
  /** See RunView. */
  flatPlan?: true | undefined;
}

/** The last paragraphs of a listing. `first`: the id of its first action. */
export function foot(
  first: string,
  actions: number,
  { digest, issues, left_usd, flatPlan }: FootFacts,
): string {
  const sum = digest.slice(0, NAMED);
  const parts = actions > 1 ? `${forAll} \`/approve ${first}\` for one part` : '';
  return [
    [
      `${type}${parts}, or \`/reject ${first} reason\`, which tells the layer why. Nothing is done before someone with write access approves.`,
      issues > 0 ? atMost(left_usd, flatPlan) : '',
    ],
    [
      `<sub>What is approved is exactly this text, \`${sum}\`; \`/approve ${sum}\` approves it and no other.`,
      issues > 0
        ? 'Each issue ends with one line more, which names this one and those it waits for, and a mark that nobody sees.'
        : '',
    ],
  ]
    .map(lines => lines.filter(Boolean).join(' '))
    .join('\n\n')
    .concat('</sub>');
}

const atMost = (left_usd: number, flatPlan: true | undefined) =>
  flatPlan
    ? 'Dollars are by the price table: a flat plan pays (`billing: max`), and no limit is enforced.'
    : `No more than ${dollars(left_usd)} is spent on it, which is what is left of the limit.`;

/** The lines that decide on a listing. */
export interface Decisions {
  /** Names the listing, so that no other one is approved. */
  approve: string;
  /** A reason follows. */
  reject: string;
  /** The listing has several actions: ids at the beginning of the reason say which of them. */
  several: boolean;
}

/** The end of a comment: a foot, and the mark of who made it. Whatever a model wrote stands before it. */
const footAtEnd = new RegExp(
  `\\n\\n\\*\\*Type \`/approve\`\\*\\*(${forAll})?[^\\n]*\\n\\n<sub>What is approved is exactly this text, \`([0-9a-f]{${NAMED}})\`;[^\\n]*</sub>\\s*<!-- echelon:op=[0-9a-f]{20} -->\\s*$`,
);

/** The request in a comment of the bot's own, or nothing if it is no listing (or not its last part). */
export function decisionsIn(body: string): Decisions | undefined {
  if (!body.startsWith('### Approve? ')) return undefined;
  const [, all, sum] = footAtEnd.exec(body.slice(-LONGEST)) ?? [];
  if (sum === undefined) return undefined;
  const several = all !== undefined;
  const reject = several ? '/reject' : /`(\/reject a\d+) reason`/.exec(body.slice(-LONGEST))?.[1];
  if (reject === undefined) return undefined;
  return { approve: `/approve ${sum}`, reject, several };
}
