// Names of the branches of a run.

/** Longest slug, in characters. */
const longest = 40;

/**
 * A title as part of a branch name: lower-case ASCII letters, digits and single dashes, at most 40 characters,
 * cut between words where that keeps half of it. A title without any such letter gives `issue`.
 */
function slug(title: string): string {
  // A title may be as long as GitHub lets it; what is far behind the cut need not be normalised.
  const words = title
    .slice(0, 1_000)
    .toWellFormed()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  let cut = words.slice(0, longest);
  if (words.length > longest && words[longest] !== '-') {
    const space = cut.lastIndexOf('-');
    if (space >= longest / 2) cut = cut.slice(0, space);
  }
  cut = cut.replace(/-$/, '');
  // `<n>-base` is the name of the merge branch below.
  if (cut === 'base') return 'base-issue';
  return cut || 'issue';
}

/** `echelon/<run>/<n>-<slug>`: the branch on which an issue is worked. */
export function branchName(run: string, number: number, title: string): string {
  return `${prefix(run, number)}-${slug(title)}`;
}

/** `echelon/<run>/<n>-base`: the merge of what an issue's branch stands on, when that is more than one branch. */
export function baseBranchName(run: string, number: number): string {
  return `${prefix(run, number)}-base`;
}

/** `echelon/<run>/<n>-<slug>-unfinished-<attempt>`: the last change of an issue that failed with that attempt. */
export function unfinishedBranchName(run: string, number: number, title: string, attempt: number): string {
  return `${branchName(run, number, title)}-unfinished-${attempt}`;
}

/** True if that issue is worked on the branch, in any run. */
export const isBranchOf = (number: number, branch: string): boolean =>
  new RegExp(`^echelon/[A-Za-z0-9][\\w-]{0,99}/${number}-[a-z0-9-]+$`).test(branch);

function prefix(run: string, number: number): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(run))
    throw new Error(`"${run}" cannot be part of a branch name`);
  if (!Number.isSafeInteger(number) || number < 1) throw new Error(`${number} is not the number of an issue`);
  return `echelon/${run}/${number}`;
}
