// A commit's data beside its tree: as fields, and in git's form.
import type { GitOptions } from './git.ts';

export interface CommitFields {
  message: string;
  /** ISO 8601. The same fields give the same commit id, so nothing here may come from a clock. */
  date: string;
  author?: { name: string; email: string };
}

/** The address in square brackets cannot belong to a person. */
export const botAuthor = { name: 'echelon[bot]', email: 'echelon[bot]@users.noreply.github.com' };

/** For `git commit-tree -F -`. Throws where the date is none. */
export function commitInput(fields: CommitFields): Pick<GitOptions, 'input' | 'env'> {
  const { message, date, author = botAuthor } = fields;
  const seconds = Math.floor(Date.parse(date) / 1000);
  if (!Number.isFinite(seconds)) throw new Error(`not an ISO 8601 date: ${date}`);
  const env = Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap(who => [
      [`GIT_${who}_NAME`, who === 'AUTHOR' ? author.name : botAuthor.name],
      [`GIT_${who}_EMAIL`, who === 'AUTHOR' ? author.email : botAuthor.email],
      [`GIT_${who}_DATE`, `${seconds} +0000`],
    ]),
  );
  return { input: message.replaceAll('\0', ''), env };
}
