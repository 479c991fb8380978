// Issues that are there before a run: the open sub-issues of the directive, or those of its task list, are its plan.
import { digest } from '@echelon/ground';
import { quoteForModel } from '../../engine/texts.ts';
import { neutral, oneLine } from '../comments/neutral.ts';
import { hasLabel, type IssueNow } from '../github/issues.ts';
import { refusedBy } from '../github/octokit.ts';
import { markOf } from '../github/once.ts';
import type { Repository } from '../github/repository.ts';
import type { Listed } from './context.ts';
import { fits } from './fit-to-record.ts';
import { type Action, dependencyProblem, type Existing, type IssuePlan, issueSchema } from './issue-plan.ts';
import { issuesIn } from './places.ts';

type Reader = Pick<Repository, 'related' | 'issue'>;
type Named = Pick<IssueNow, 'number' | 'repository'>;

const gone = refusedBy(404, 410);

/** The plan that an issue has already; undefined: none. A string, a clause, says why it cannot be worked. */
export async function existingPlan(
  github: Reader & Pick<Repository, 'owner' | 'name'>,
  directive: { number: number; body: string },
  { most, label }: { most: number; label: string },
): Promise<Existing[] | string | undefined> {
  const here = `${github.owner}/${github.name}`;
  const elsewhere = (issues: readonly Named[]) => {
    const away = issues.find(({ repository }) => repository.toLowerCase() !== here.toLowerCase());
    return away && `${away.repository}#${away.number} is an issue of another repository`;
  };
  const tooMany = (count: number) =>
    count > most
      ? `${count} open issues are its plan, and a run may work ${most} (\`limits.issues\`)`
      : undefined;
  const found = await github.related(directive.number, 'sub_issues');
  if (found.length === 0) {
    const tasks = tasksIn(directive.body, here);
    const numbers = new Set(tasks.map(({ number }) => number));
    const why = elsewhere(tasks) ?? tooMany(numbers.size);
    if (why !== undefined) return why;
    for (const number of numbers) {
      const issue = await github.issue(number).catch(gone);
      if ('refused' in issue || issue.isPull || number === directive.number)
        return `its task list names #${number}, which is no other issue`;
      found.push(issue);
    }
  }
  // Those that a run has made are its own: they may be delivered already.
  const open = found.filter(({ state, body }) => state === 'open' && markOf(body) === undefined);
  if (open.length === 0) return undefined;
  const own = open.find(({ labels }) => hasLabel(labels, label));
  const why =
    elsewhere(open) ?? tooMany(open.length) ?? (own && `#${own.number} carries the label ${label} itself`);
  if (why !== undefined) return why;
  const plan: Existing[] = [];
  for (const { number } of open) {
    const blockers = await github.related(number, 'dependencies/blocked_by');
    const waits = blockers.filter(({ state }) => state === 'open');
    const away = elsewhere(waits);
    if (away !== undefined) return `${away}, and blocks #${number}`;
    plan.push({ number, after: waits.map(each => each.number) });
  }
  return dependencyProblem(planned(plan), place => `#${plan[place - 1]?.number}`) ?? plan;
}

const item = /^\s*(?:[-*+]|\d{1,9}[.)])\s+\[([ xX])\]\s+(.*)$/;
const reference =
  /^(?:https?:\/\/[^\s/]+\/([\w.-]+\/[\w.-]+)\/issues\/|([\w.-]+\/[\w.-]+)?#)([1-9]\d{0,8})(?!\w)/;

/** The open items of a text's task list; none where one of them is no issue: then there is something to plan. */
function tasksIn(body: string, here: string): Named[] {
  const tasks: Named[] = [];
  let isCode = false;
  for (const line of quoteForModel(body).text.split(/\r\n?|\n/)) {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    const [, mark, text = ''] = isCode ? [] : (item.exec(line) ?? []);
    if (mark !== ' ') continue;
    const [, byUrl, byName, number] = reference.exec(text) ?? [];
    if (number === undefined) return [];
    tasks.push({ number: Number(number), repository: byUrl ?? byName ?? here });
  }
  return tasks;
}

/** The actions that take up and work what exists; its texts come when it is listed. */
export const takenUp = (existing: readonly Existing[]): Action[] =>
  existing.length === 0
    ? []
    : [{ action: 'create_issues', issues: planned(existing) }, { action: 'schedule' }];

function planned(existing: readonly Existing[]): IssuePlan[] {
  const places = new Map(existing.map(({ number }, at) => [number, at + 1]));
  return existing.map(({ number, after }) => ({
    ...{ existing: number, title: `#${number}`, body: `#${number}` },
    depends_on: after.map(each => places.get(each) ?? `#${each}`),
  }));
}

/** The text of an existing issue at one moment; `why`: it is not worked, a clause; `isOver`: it is closed or gone. */
export type TextNow = { number: number; sum: string } & (
  | Pick<IssuePlan, 'title' | 'body' | 'labels' | 'assignee'>
  | { why: string; isOver?: boolean }
);

/** Existing issues of listed actions that wait for a decision, by their numbers. */
export const existingIn = (actions: readonly Listed[]): number[] =>
  actions.flatMap(each =>
    issuesIn(each).flatMap(({ existing }, at) => (each.done.has(at + 1) ? [] : (existing ?? []))),
  );

/** Reads issues in one call where they are sub-issues of the directive, else in one call each. */
export async function textsNow(
  github: Reader,
  directive: number,
  numbers: readonly number[],
): Promise<TextNow[]> {
  if (numbers.length === 0) return [];
  const below = await github.related(directive, 'sub_issues');
  const texts: TextNow[] = [];
  for (const number of numbers) {
    const issue = below.find(each => each.number === number) ?? (await github.issue(number).catch(gone));
    const text = textNow(number, issue);
    texts.push(fits([...texts, text]) ? text : { ...text, why: 'its text is too long for the record' });
  }
  return texts;
}

/** As a layer's plan is: neutral; and without what a reader of the issue does not see. */
function textNow(number: number, issue: IssueNow | { refused: string }): TextNow {
  const why = 'refused' in issue ? 'it is not there any more' : 'it is closed';
  if ('refused' in issue || issue.state !== 'open') return { number, sum: '', why, isOver: true };
  const title = oneLine(issue.title).slice(0, 200);
  const body = quoteForModel(issue.body).text;
  const [assignee] = issue.assignees;
  const { data, error } = issueSchema.safeParse({
    title,
    body: neutral(body).trim() === '' ? title : body,
    labels: issue.labels.slice(0, 20),
    ...(assignee !== undefined && { assignee }),
  });
  const [first] = error?.issues ?? [];
  const known = { number, sum: digest([issue.title, issue.body]) };
  return data
    ? { ...known, ...data }
    : { ...known, why: `its ${first?.path[0]?.toString()} ${first?.message}` };
}

/** The actions with their issues' texts of now, and a sentence about each that is left out; nothing waits for one that is over. */
export function broughtUpToDate(
  actions: readonly Listed[],
  texts: readonly TextNow[],
): { actions: readonly Listed[]; said: string[] } {
  const said: string[] = [];
  const now = actions.map(each => {
    const issues = issuesIn(each);
    const done = new Map(each.done);
    for (const { number, sum: _, ...text } of texts) {
      const at = issues.findIndex(({ existing }) => existing === number);
      if (at < 0) continue;
      if ('why' in text) {
        done.set(at + 1, null);
        said.push(`#${number} is left out: ${text.why}.`);
        for (const other of text.isOver ? issues : [])
          other.depends_on = other.depends_on?.filter(on => on !== at + 1);
      } else Object.assign(issues[at]!, text);
    }
    return { ...each, done };
  });
  return { actions: now, said };
}

/** Reason, a clause, that issues are not what a listing showed; undefined: they are. */
export async function changedSince(
  github: Reader,
  directive: number,
  shown: readonly TextNow[],
): Promise<string | undefined> {
  const listed = shown.filter(text => !('why' in text));
  const now = await textsNow(
    github,
    directive,
    listed.map(({ number }) => number),
  );
  for (const [at, text] of now.entries()) {
    if ('why' in text) return `#${text.number} cannot be worked as it was listed: ${text.why}`;
    if (text.sum !== listed[at]?.sum) return `the text of #${text.number} was changed since`;
  }
  return undefined;
}
