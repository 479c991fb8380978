// The form of a repository's workflow whose jobs may show the models' providers whose they are (`echelon init --identity`).
// GitHub starts no workflow that calls one which asks for more than it grants: those of the release that ask for
// `id-token: write` are files of their own.
import { isMap, isScalar, parseDocument, type Scalar } from 'yaml';

const ours = /\/\.github\/workflows\/(?:run|jobs|check)(-identity)?\.yml@/;

/** True if the workflow calls the release's workflows for workload identity. */
export const isByIdentity = (text: string): boolean => /\/(?:run|jobs)-identity\.yml@/.test(text);

/**
 * The text with each call of Echelon's workflows in that form, and nothing else changed. Undefined where a job's permissions
 * are not written so that a line can be added.
 */
export function byIdentity(text: string): string | undefined {
  const { contents } = parseDocument(text);
  const jobs = isMap(contents) ? contents.get('jobs') : undefined;
  const added: { at: number; what: string }[] = [];
  for (const { value: job } of isMap(jobs) ? jobs.items : []) {
    const uses = isMap(job) ? job.get('uses', true) : undefined;
    const call = isScalar(uses) ? ours.exec(String(uses.value)) : null;
    if (!isMap(job) || !call) continue;
    const from = (uses as Scalar).range?.[0] ?? 0;
    if (call[1] === undefined) added.push({ at: text.indexOf('.yml@', from), what: '-identity' });
    const permissions = job.get('permissions', true);
    if (isScalar(permissions) && String(permissions.value) === 'write-all') continue;
    if (isMap(permissions) && String(permissions.get('id-token')) === 'write') continue;
    const first =
      isMap(permissions) && !permissions.flow && !permissions.has('id-token') && permissions.items[0]?.key;
    if (!isScalar(first) || !first.range) return undefined;
    const at = first.range[0];
    const indent = text.slice(text.lastIndexOf('\n', at) + 1, at);
    const end = text.includes('\r\n') ? '\r\n' : '\n';
    added.push({ at, what: `id-token: write # shows the models' providers whose job it is${end}${indent}` });
  }
  return added
    .sort((a, b) => b.at - a.at)
    .reduce((rest, { at, what }) => rest.slice(0, at) + what + rest.slice(at), text);
}
