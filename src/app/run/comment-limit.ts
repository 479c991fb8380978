// Bounds a run's comments, so that no loop in it can fill an issue.
import { isDeepStrictEqual } from 'node:util';
import type { Entry } from '@echelon/ground/journal';
import type { Repository } from '../github/repository.ts';

/** The run has said all that it may. */
export class SaidEnough extends Error {
  override readonly name = 'SaidEnough';
  constructor() {
    super('the run has written all the comments that it may');
  }
}

/** Journal value of a comment past the bound, so that a replay, and a look, throws at the same step. */
const REFUSED = { said_enough: true };

/** The result that stands for SaidEnough; any other error is thrown on. */
export function saidEnough(error: unknown): typeof REFUSED {
  if (error instanceof SaidEnough) return REFUSED;
  throw error;
}

export const refusedToSay = (result: unknown): boolean => isDeepStrictEqual(result, REFUSED);

/**
 * The same connection, for a run with this journal that may make so many comments, of its own accord and in answer to
 * commands: past the bound `comment` throws SaidEnough. Its board and its end are none of them.
 */
export function bounded(github: Repository, entries: () => readonly Entry[], most: number): Repository {
  const comment: Repository['comment'] = async (issue, body) => {
    if (entries().filter(isComment).length >= most) throw new SaidEnough();
    return await github.comment(issue, body);
  };
  // Not a copy: a repository's name may change while this process lives.
  return Object.create(github, { comment: { value: comment } });
}

const isComment = (entry: Entry): boolean =>
  entry.t === 'step' &&
  typeof entry.result === 'object' &&
  entry.result !== null &&
  'comment' in entry.result;
