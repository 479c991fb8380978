// A commit's tree, whole or its top.
import { notFound } from '../errors.ts';
import { git, resolveCommit } from '../git.ts';
import { repositoryUrl } from '../render/repository.ts';
import { ok, type RepositoryCall, type Route, read } from '../route.ts';

/** GitHub takes the name of a branch or tag here too. */
async function showTree({ core, repository, folder, params, query }: RepositoryCall) {
  const commit = await resolveCommit(folder, params['tree_sha'] ?? '');
  if (commit === undefined) throw notFound();
  const sha = await git(folder, ['rev-parse', `${commit}^{tree}`]);
  // Any value of it means yes, even 0 (docs, Get a tree).
  const whole = query.has('recursive') ? ['-r', '-t'] : [];
  const listed = await git(folder, ['ls-tree', '-z', '--full-tree', ...whole, commit]);
  const url = `${repositoryUrl(core, repository)}/git`;
  const tree = listed
    .split('\0')
    .filter(Boolean)
    .map(line => {
      const [, mode = '', type = '', oid = '', path = ''] =
        /^(\d+) (\w+) ([\da-f]+)\t(.*)$/s.exec(line) ?? [];
      return { path, mode, type, sha: oid, url: `${url}/${type}s/${oid}` };
    });
  return ok({ sha, url: `${url}/trees/${sha}`, tree, truncated: false });
}

export const treeRoutes: Route[] = [read('/git/trees/{tree_sha}', ['contents:read'], showTree)];
