// Comments on a pull request about a review that a layer requested: the request, the review, or the reason for having none.
import { dollars } from './figures.ts';
import { code, clip, neutral, neutralLine, quote } from './neutral.ts';

/** Characters of a comment on a line, and of the review itself. */
const MAX_COMMENT = 4000;
const MAX_REVIEW = 20_000;

/** `focus`: what is to be looked at; undefined: all of it. */
export const reviewAsked = (asker: string, directive: number, focus: string | undefined): string =>
  [
    `The ${asker} of #${directive} asks for a review of this pull request: a model reads its diff and posts it here. Nothing waits for it.`,
    ...(focus === undefined ? [] : [quote(neutral(focus))]),
  ].join('\n\n');

export const lineComment = (comment: string): string => clip(neutral(comment), MAX_COMMENT);

/** The review's own text. `elsewhere`: comments on lines that the diff has not. */
export function reviewBody(review: {
  said: string;
  elsewhere: readonly { path: string; line: number; comment: string }[];
  directive: number;
  model: string;
  cost_usd: number;
  /** A pull request of this run, on which `/fix` is followed. */
  isOwn: boolean;
}): string {
  const { said, elsewhere, directive, model, cost_usd, isOwn } = review;
  const rows = elsewhere.map(
    ({ path, line, comment }) => `- ${code(`${path}:${line}`)}: ${neutralLine(comment, MAX_COMMENT)}`,
  );
  return [
    clip(neutral(said), MAX_REVIEW),
    ...(rows.length > 0
      ? [clip(`On lines that the diff does not have:\n${rows.join('\n')}`, MAX_REVIEW)]
      : []),
    `<sub>${neutralLine(model)}, ${dollars(cost_usd)}, asked for by #${directive}. It neither approves nor blocks.${isOwn ? ` Type ${code('/fix ...')} with what of it is to be done.` : ''}</sub>`,
  ].join('\n\n');
}

/** `why`: a clause. */
export const reviewFailed = (why: string): string =>
  `No review came of it: ${neutralLine(why)}. Nothing waits for it.`;

export const noSuchPull = (number: number) => `#${number} is no open pull request of this repository`;
