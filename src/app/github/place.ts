// A repository's name and id.

/** A name is given up and taken by others; what belongs to a repository goes by its id. */
export function checkSame(place: { owner: string; repo: string }, id: number, found: number): void {
  if (found === id) return;
  throw new Error(
    `${place.owner}/${place.repo} is another repository now (id ${found}) than the one that was asked for (id ${id})`,
  );
}
