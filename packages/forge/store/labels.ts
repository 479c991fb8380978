// Labels of a repository and of an issue.
import type { Core } from '../core.ts';

export interface Label {
  id: number;
  repository_id: number;
  name: string;
  color: string;
  description: string | null;
  is_default: number;
}

/** What a label gets that was never given a colour. */
const plainColor = 'ededed';

export const findLabel = (core: Core, repositoryId: number, name: string): Label | undefined =>
  core.db.find<Label>('labels', { repository_id: repositoryId, name });

export const labelsOf = (core: Core, issueId: number): Label[] =>
  core.db.all<Label>(
    'SELECT l.* FROM labels l JOIN issue_labels i ON i.label_id = l.id WHERE i.issue_id = ? ORDER BY l.id',
    issueId,
  );

export function addLabel(
  core: Core,
  repositoryId: number,
  label: { name: string; color?: string | undefined; description?: string | null | undefined },
): Label {
  const id = core.db.insert('labels', {
    repository_id: repositoryId,
    name: label.name,
    color: label.color ?? plainColor,
    description: label.description ?? null,
  });
  return core.db.get<Label>('labels', id);
}

/** The label of that name, made when the repository has none. */
export const ensureLabel = (core: Core, repositoryId: number, name: string): Label =>
  findLabel(core, repositoryId, name) ?? addLabel(core, repositoryId, { name });

/** The labels of a repository whose name or description holds the text, by name or in the order they were made. */
export const labelsOfRepository = (
  core: Core,
  repositoryId: number,
  text: string,
  byName: boolean,
): Label[] =>
  core.db.all<Label>(
    `SELECT * FROM labels WHERE repository_id = ?1
     AND (instr(lower(name), lower(?2)) > 0 OR instr(lower(coalesce(description, '')), lower(?2)) > 0)
     ORDER BY ${byName ? 'name' : 'id'}`,
    repositoryId,
    text,
  );
