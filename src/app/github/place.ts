// What a repository and a record's branch are known by.

/** A name is given up and taken by others; what belongs to a repository goes by its id. */
export function checkSame(place: { owner: string; repo: string }, id: number, found: number): void {
  if (found === id) return;
  throw new Error(
    `${place.owner}/${place.repo} is another repository now (id ${found}) than the one that was asked for (id ${id})`,
  );
}

/** Branches of records begin so: by it alone all of them are found. */
export const recordPrefix = 'echelon/record/';

/** The branch, below `refs/heads/`, that holds the record of an issue's run where it is kept on one. */
export const recordBranch = (issue: number): string => `${recordPrefix}${issue}`;
