// Labels of a repository, and of its issues and pull requests.
import { z } from 'zod';
import { setLabels } from './issue-changes.ts';
import { labelsNamed, pushers, triagers } from '../permitted.ts';
import { ApiError, found, invalidField } from '../errors.ts';
import { pageOfRows } from '../page.ts';
import { labelJson } from './issue-json.ts';
import { created, noContent, ok, parse, read, type RepositoryCall, write, type WriteCall } from '../route.ts';
import { addLabel, findLabel, type Issue, type Label, labelsOf } from './issue-rows.ts';
import { issueOf, labelList, readScopes } from './issue-input.ts';

const color = z.string().regex(/^[\da-f]{6}$/i);
const newLabel = z.object({
  name: z.string().min(1).max(50),
  color: color.optional(),
  description: z.string().max(100).nullish(),
});
const labelChange = z.object({
  new_name: z.string().min(1).max(50).optional(),
  color: color.optional(),
  description: z.string().max(100).nullish(),
});
/** GitHub takes {labels: [...]} as well as the bare list. */
const listed = z.union([z.object({ labels: labelList }).transform(({ labels }) => labels), labelList]);

function labelOf(call: RepositoryCall): Label {
  return found(findLabel(call.core, call.repository.id, call.params['name'] ?? ''));
}

const show = (call: RepositoryCall, label: Label) => labelJson(call.core, call.repository, label);

function answer(call: RepositoryCall, issue: Issue) {
  return ok(labelsOf(call.core, issue.id).map(label => show(call, label)));
}

function replace(call: WriteCall, next: (before: Label[]) => Label[]) {
  const issue = issueOf(call);
  setLabels(call, issue, next(labelsOf(call.core, issue.id)));
  return answer(call, issue);
}

export const labelRoutes = [
  write('POST', '/issues/{issue_number}/labels', triagers, call =>
    replace(call, before => [...before, ...labelsNamed(call, parse(call, 'Label', listed))]),
  ),
  write('DELETE', '/issues/{issue_number}/labels/{name}', triagers, call =>
    replace(call, before => {
      const name = call.params['name']?.toLowerCase();
      const rest = before.filter(label => label.name.toLowerCase() !== name);
      if (rest.length === before.length) throw new ApiError(404, 'Label does not exist');
      return rest;
    }),
  ),
  read('/labels', readScopes, call => {
    const rows = { from: 'labels WHERE repository_id = ?', values: [call.repository.id], order: 'name' };
    return pageOfRows<Label>(call, rows, label => show(call, label));
  }),
  write('POST', '/labels', pushers, call => {
    const input = parse(call, 'Label', newLabel);
    if (findLabel(call.core, call.repository.id, input.name))
      throw invalidField('Label', 'name', 'already_exists');
    return created(show(call, addLabel(call.core, call.repository.id, input)));
  }),
  read('/labels/{name}', readScopes, call => ok(show(call, labelOf(call)))),
  write('PATCH', '/labels/{name}', pushers, call => {
    const label = labelOf(call);
    const { new_name: name, ...rest } = parse(call, 'Label', labelChange);
    const taken = name !== undefined && findLabel(call.core, call.repository.id, name);
    if (taken && taken.id !== label.id) throw invalidField('Label', 'name', 'already_exists');
    call.core.db.update('labels', label.id, { name, ...rest });
    return ok(show(call, call.core.db.get<Label>('labels', label.id)));
  }),
  write('DELETE', '/labels/{name}', pushers, call => {
    call.core.db.run('DELETE FROM labels WHERE id = ?', labelOf(call).id);
    return noContent();
  }),
];
