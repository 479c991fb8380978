// A draft pull request that keeps the last change of an issue that failed: it says that nothing of it is done.
import { attemptEnd } from './attempt-end.ts';
import { failureText, figuresOf, type IssueFailed } from './issue-end.ts';
import { code, paragraphs } from './neutral.ts';
import { criteriaList, type PullText, pullTitle, tryIt } from './pull.ts';

export const unfinishedTitle = (title: string) => `Unfinished: ${pullTitle(title)}`;

export interface Unfinished extends Omit<IssueFailed, 'kept' | 'finished'> {
  branch: string;
  criteria: PullText['criteria'];
  isolation: string;
  scripted: boolean;
}

/** Nothing in it closes the issue. */
export function unfinishedBody(end: Unfinished): string {
  return paragraphs([
    `Unfinished work on #${end.issue}: ${attemptEnd(end.kind)}. This draft keeps the last change; it is not done, and not to be merged as it is.`,
    criteriaList(end.criteria),
    ...failureText(end),
    `${figuresOf(end)}. Type ${code(`/retry #${end.issue}`)} to have it tried again: what succeeds takes this pull request over, as long as nobody else pushed to its branch. Or go on from the branch yourself.`,
    tryIt(end),
    `<sub>${[
      `part of #${end.directive}`,
      `isolation ${code(end.isolation)}`,
      end.scripted ? 'played by the scripted model' : '',
    ]
      .filter(Boolean)
      .join(' · ')}</sub>`,
  ]);
}

/** First line of the commit that puts finished work in the place of unfinished. */
export const takesOver = (title: string) => pullTitle(`${title}: in the place of what was unfinished`);

/** On a pull request whose text a person has written in, so that it stays theirs. `text`: what it would be. */
export const finishedComment = (text: string) =>
  `This is finished now, and the title says so. The text above was edited by a person and stays as it is; ours would be:\n\n${text}`;
