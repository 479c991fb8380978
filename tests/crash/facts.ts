// State of the forge at the end of a story, as a list of facts without times, ids and the record.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { z } from 'zod';
import type { Forge } from '../../packages/forge/forge.ts';

export const place = { owner: 'you', name: 'shelf' };
export const person = 'you';
const repository = `/repos/${place.owner}/${place.name}`;

const Issue = z.object({
  number: z.int(),
  title: z.string(),
  state: z.string(),
  body: z.string().nullable(),
  labels: z.array(z.object({ name: z.string() })),
  user: z.object({ login: z.string() }),
  pull_request: z.unknown().optional(),
});
const Comment = z.object({
  body: z.string(),
  user: z.object({ login: z.string() }),
  reactions: z.object({ rocket: z.int(), confused: z.int() }),
});
const Runs = z.object({ check_runs: z.array(z.object({ name: z.string(), conclusion: z.string() })) });
const Status = z.object({ context: z.string(), state: z.string() });
export const Pull = Issue.extend({
  draft: z.boolean(),
  head: z.object({ ref: z.string(), sha: z.string() }),
  base: z.object({ ref: z.string() }),
  merged_at: z.string().nullable(),
});
export const ReviewComment = z.object({ body: z.string(), user: z.object({ login: z.string() }) });

export async function list<T extends z.ZodType>(
  forge: Forge,
  path: string,
  schema: T,
): Promise<z.infer<T>[]> {
  const { body } = await forge.call(person, 'GET', `${path}${path.includes('?') ? '&' : '?'}per_page=100`);
  return z.array(schema).max(99).parse(body);
}

/** Issues without pull requests, oldest first. */
export const issuesOf = async (forge: Forge) =>
  (await list(forge, `${repository}/issues?state=all`, Issue))
    .filter(issue => !issue.pull_request)
    .sort((a, b) => a.number - b.number);

export const commentsOn = (forge: Forge, issue: number) =>
  list(forge, `${repository}/issues/${issue}/comments`, Comment);

/** Everything the repository holds, one string each, sorted. Equal lists mean equal repositories. */
export async function factsOf(forge: Forge): Promise<string[]> {
  const issues = await issuesOf(forge);
  const pulls = await list(forge, `${repository}/pulls?state=all`, Pull);
  const names = new Map<number, string>();
  for (const { number, title } of issues) names.set(number, title);
  for (const { number, head } of pulls) names.set(number, `pull request of ${head.ref}`);
  const plain = (text: string | null) => withoutTimes(text ?? '', number => names.get(number));
  const labels = (of: { labels: { name: string }[] }) => of.labels.map(({ name }) => name).join(', ');

  const facts: string[] = [];
  for (const issue of issues) {
    facts.push(
      `issue "${issue.title}" by ${issue.user.login}, ${issue.state}, labels ${labels(issue)}:\n${plain(issue.body)}`,
    );
    for (const child of await list(forge, `${repository}/issues/${issue.number}/sub_issues`, Issue))
      facts.push(`sub-issue of "${issue.title}": "${child.title}"`);
  }
  for (const pull of pulls)
    facts.push(
      `pull request "${pull.title}" by ${pull.user.login}, ${pull.merged_at ? 'merged' : pull.state}${pull.draft ? ', draft' : ''}, labels ${labels(pull)}, from ${pull.head.ref} to ${pull.base.ref}:\n${plain(pull.body)}`,
    );
  for (const { head } of pulls) {
    const commit = `${repository}/commits/${head.sha}`;
    const { body } = await forge.call(person, 'GET', `${commit}/check-runs?filter=all`);
    for (const { name, conclusion } of Runs.parse(body).check_runs)
      facts.push(`check of ${head.ref}: ${name}, ${conclusion}`);
    for (const { context, state } of await list(forge, `${commit}/statuses`, Status))
      facts.push(`status of ${head.ref}: ${context}, ${state}`);
  }
  for (const { number } of [...issues, ...pulls])
    for (const { user, body, reactions } of await commentsOn(forge, number))
      facts.push(
        `comment on "${names.get(number)}" by ${user.login}, ${reactions.rocket} rocket, ${reactions.confused} confused:\n${plain(body)}`,
      );
  for (const { number } of pulls)
    for (const { user, body } of await list(forge, `${repository}/pulls/${number}/comments`, ReviewComment))
      facts.push(`line of "${names.get(number)}", by ${user.login}:\n${plain(body)}`);
  for (const { name, tree, commits } of branchesOf(forge))
    facts.push(`branch ${name} with tree ${tree}, ${commits} commits`);
  return facts.sort();
}

/** Of the repository of this forge. */
export const folderOf = ({ folder }: Pick<Forge, 'folder'>): string =>
  join(folder, 'git', place.owner, `${place.name}.git`);

interface Branch {
  name: string;
  commit: string;
  tree: string;
  commits: number;
}

export function branchesOf(forge: Pick<Forge, 'folder'>): Branch[] {
  const format = '--format=%(refname:short) %(objectname) %(tree)';
  const text = execFileSync('git', ['-C', folderOf(forge), 'for-each-ref', format, 'refs/heads'], {
    encoding: 'utf8',
  });
  return text
    .trim()
    .split('\n')
    .map(line => line.split(' '))
    .map(([name = '', commit = '', tree = '']) => ({
      name,
      commit,
      tree,
      commits: commitsOf(forge, commit),
    }));
}

const commitsOf = (forge: Pick<Forge, 'folder'>, commit: string) =>
  Number(execFileSync('git', ['-C', folderOf(forge), 'rev-list', '--count', commit], { encoding: 'utf8' }));

/** A body without the record and marks, durations, calls counted, the forge's port, and numbers that depend on who was first. */
export const withoutTimes = (text: string, nameOf: (number: number) => string | undefined): string =>
  text
    .replace(/<!-- echelon:[^>]*-->/g, '')
    .replace(/\b(\d+ min )?\d+(\.\d+)? s\b/g, 'N s')
    // Estimates go by how long the tests took at the base, and the listing's digest covers them.
    .replace(/\b\d+ min(?:utes?)?(?: \(\d+ to \d+\))?/g, 'N min')
    .replace(/`(\/approve )?[0-9a-f]{12}`/g, '`$1digest`')
    .replace(/(?<=Calls to GitHub this hour: )\d+/, 'N')
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, 'http://forge')
    // A commit has the time of its making.
    .replace(/\b[0-9a-f]{40}\b/g, 'COMMIT')
    .replace(/#(\d+)\b/g, (whole, number: string) => `#<${nameOf(Number(number)) ?? whole}>`)
    .trim();

/** Items that only one list has. Two facts with the same first line are one whose text has changed. */
export function differences(expected: readonly string[], found: readonly string[]): string[] {
  const missing = without(expected, found);
  const added = without(found, expected);
  const changed = missing.flatMap(before => {
    const place = added.findIndex(after => headOf(after) === headOf(before));
    const [after] = place < 0 ? [] : added.splice(place, 1);
    return after === undefined ? [] : [{ before, after }];
  });
  return [
    ...changed.map(({ before, after }) => `changed: ${headOf(before)}\n${firstChange(before, after)}`),
    ...without(
      missing,
      changed.map(({ before }) => before),
    ).map(fact => `missing: ${clip(fact)}`),
    ...added.map(fact => `too many: ${clip(fact)}`),
  ];
}

const headOf = (fact: string) => fact.split('\n')[0] ?? '';
const clip = (text: string) => text.slice(0, 300);

/** The list less one of each of `others`. */
function without(list: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return list.filter(fact => {
    const place = left.indexOf(fact);
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
}

function firstChange(before: string, after: string): string {
  const [old, young] = [before.split('\n'), after.split('\n')];
  const line = old.findIndex((text, index) => text !== young[index]);
  return `  line ${line < 0 ? old.length : line}: ${clip(old[line] ?? '(end)')}\n  became: ${clip(young[line < 0 ? old.length : line] ?? '(end)')}`;
}
