// Workflow files as commits have them, and the workflows that the default branch has.
import { present } from '@echelon/ground';
import { type Core, now } from '../core.ts';
import { git, readObject, repositoryFolder } from '../repositories/git.ts';
import type { Repository } from '../repositories/repository-rows.ts';
import type { Workflow } from './workflow-rows.ts';
import { branchHead } from '../pulls/pull-changes.ts';

const folder = '.github/workflows';

/** Text of a file at a commit; undefined where there is none. */
export async function fileAt(
  repositoryPath: string,
  commit: string,
  path: string,
): Promise<string | undefined> {
  const found = await readObject(repositoryPath, 'contents', `${commit}:${path}`);
  return found?.bytes.toString().replace(/\n$/, '');
}

/** The workflow files at a commit, each with its text. */
export async function workflowsAt(
  core: Core,
  repository: Repository,
  commit: string | undefined,
): Promise<{ workflow: Workflow; text: string }[]> {
  const path = repositoryFolder(core, repository);
  const listed = commit ? await git(path, ['ls-tree', '--name-only', '-z', commit, `${folder}/`]) : '';
  const found: { workflow: Workflow; text: string }[] = [];
  for (const file of listed.split('\0').filter(each => /\.ya?ml$/.test(each))) {
    const text = (await fileAt(path, commit ?? '', file)) ?? '';
    found.push({ workflow: remember(core, repository, file, text), text });
  }
  return found;
}

/** The row of a workflow file, brought up to date. */
function remember(core: Core, repository: Repository, path: string, text: string): Workflow {
  const time = now(core);
  const name = /^name:\s*(?:(["'])(.*)\1|([^#\n]+?))\s*(?:#.*)?$/m.exec(text);
  core.db.run(
    `INSERT INTO workflows (repository_id, path, name, state, created_at, updated_at) VALUES (?, ?, ?, 'active', ?, ?)
     ON CONFLICT (repository_id, path) DO UPDATE SET name = excluded.name,
       state = CASE state WHEN 'disabled_manually' THEN state ELSE 'active' END`,
    repository.id,
    path,
    name?.[2] ?? name?.[3] ?? path,
    time,
    time,
  );
  return present(core.db.find<Workflow>('workflows', { repository_id: repository.id, path }), 'the workflow');
}

/** Takes stock of the workflow files on the default branch; one that is gone there is `deleted`. */
export async function takeStock(core: Core, repository: Repository): Promise<Workflow[]> {
  const found = await workflowsAt(core, repository, branchHead(core, repository, repository.default_branch));
  const here = new Set(found.map(({ workflow }) => workflow.id));
  const all = core.db.rows<Workflow>('workflows', { repository_id: repository.id });
  for (const { id } of all) if (!here.has(id)) core.db.update('workflows', id, { state: 'deleted' });
  return all.filter(({ id }) => here.has(id));
}
