// A file of a commit, as `git ls-tree -l -z` lists it.

export interface ListedFile {
  path: string;
  oid: string;
  /** Bytes; 0 for a submodule. */
  size: number;
  /** `100644`, `100755`, `120000` (symbolic link) or `160000` (submodule). */
  mode: string;
}

/** Parses git's listing. Throws if it is malformed. */
export const parseListing = (listing: string): ListedFile[] =>
  listing.split('\0').filter(Boolean).map(parsed);

function parsed(line: string): ListedFile {
  const [, mode, oid, size, path] = /^(\d+) \w+ (\w+) +(-|\d+)\t(.*)$/s.exec(line) ?? [];
  if (!mode || !oid || !size || !path) throw new Error(`git listed no file: ${line}`);
  return { mode, oid, size: size === '-' ? 0 : Number(size), path };
}
