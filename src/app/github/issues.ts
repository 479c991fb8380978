// Issues by REST: created, linked, looked up, found by a label or by who made them.
import { answered, type Caller, type Client, refusedBy, type Here } from './octokit.ts';
import { everyPage, firstPages, PAGE } from './pages.ts';

export type Issues = ReturnType<typeof issuesOf>;

/** An issue or a pull request as it is now. */
export interface IssueNow {
  number: number;
  /** Database id. */
  id: number;
  state: string;
  title: string;
  labels: string[];
  /** Logins of people: no bots. */
  assignees: string[];
  /** `ghost` where the account is gone. */
  author: string;
  body: string;
  isPull: boolean;
  /** `owner/name`. */
  repository: string;
  /** The issue in the same repository of which it is a sub-issue; null: of none. */
  parent: number | null;
  /** Time (milliseconds since the epoch) and author of its closing; undefined while it is open. */
  closed?: { at: number; by: string };
}

const ask = (request: Client['request'], at: { owner: string; repo: string; issue_number: number }) =>
  request('GET /repos/{owner}/{repo}/issues/{issue_number}', at);

function issueNow(data: Awaited<ReturnType<typeof ask>>['data']): IssueNow {
  const { number, id, state, title, body, user, closed_at: at, closed_by: by } = data;
  const [here, above] = [data.repository_url, data.parent_issue_url ?? ''];
  return {
    ...{ number, id: Number(id), state, title, body: body ?? '', author: user?.login ?? 'ghost' },
    labels: data.labels.map(label => (typeof label === 'string' ? label : (label.name ?? ''))),
    assignees: (data.assignees ?? []).filter(({ type }) => type === 'User').map(({ login }) => login),
    isPull: data.pull_request !== undefined,
    repository: here.split('/').slice(-2).join('/'),
    parent: above.startsWith(`${here}/issues/`) ? Number(above.split('/').at(-1)) : null,
    ...(at && { closed: { at: Date.parse(at), by: by?.login ?? 'ghost' } }),
  };
}

/** GitHub's clock may be behind ours by so much. */
const CLOCKS_MS = 60_000;
const refusal = refusedBy(403, 404, 410, 422);

/** Pages of labelled issues that are read each minute. */
const MAX_LABELLED_PAGES = 10;

const relations = {
  sub_issues: 'GET /repos/{owner}/{repo}/issues/{issue_number}/sub_issues',
  'dependencies/blocked_by': 'GET /repos/{owner}/{repo}/issues/{issue_number}/dependencies/blocked_by',
} as const;

export function issuesOf({ request }: Client, { read, write }: Caller, here: Here, bot: string) {
  const page = (query: Readonly<Record<string, string>>) => async (number: number) => {
    const route = 'GET /repos/{owner}/{repo}/issues';
    return (await read(() => request(route, { ...here(), ...query, per_page: PAGE, page: number }))).data;
  };
  /** The newest hundred that have changed since (milliseconds since the epoch), newest first. */
  const changedSince = (since: number, which: Readonly<Record<string, string>>) =>
    page({ ...which, sort: 'updated', direction: 'desc', since: new Date(since).toISOString() })(1);
  const issue = async (number: number) =>
    issueNow((await read(() => ask(request, { ...here(), issue_number: number }))).data);
  const related = async (of: number, how: keyof typeof relations): Promise<IssueNow[]> => {
    const found = everyPage(`${how} of #${of}`, async page => {
      const query = { ...here(), issue_number: of, per_page: PAGE, page };
      return (await read(() => request(relations[how], query))).data.map(issueNow);
    });
    const known = await found.catch(refusedBy(403, 404, 410));
    return 'refused' in known ? [] : known;
  };
  return {
    /** `refused`: GitHub will not have it, not even without assignees, and why. */
    async createIssue(issue: {
      title: string;
      body: string;
      labels: string[];
      assignees: string[];
    }): Promise<{ number: number; id: number } | { refused: string }> {
      const create = (assignees: string[]) =>
        write(() => request('POST /repos/{owner}/{repo}/issues', { ...here(), ...issue, assignees })).catch(
          refusal,
        );
      let made = await create(issue.assignees);
      // Someone who cannot be assigned is the usual reason; the issue is worth more than its assignee.
      if ('refused' in made && issue.assignees.length > 0) made = await create([]);
      return 'refused' in made ? made : { number: made.data.number, id: Number(made.data.id) };
    },
    /** Makes `child` (a database id) a sub-issue; being one already is success. */
    async addSubIssue(parent: number, child: number): Promise<void> {
      const route = 'POST /repos/{owner}/{repo}/issues/{issue_number}/sub_issues';
      try {
        await write(() => request(route, { ...here(), issue_number: parent, sub_issue_id: child }));
      } catch (error) {
        if (!answered(error, 422)) throw error;
        const those = await related(parent, 'sub_issues');
        if (!those.some(({ id }) => id === child)) throw error;
      }
    },
    /** Issues by the bot itself since a time (milliseconds), newest first. */
    async ownIssues(since: number): Promise<{ number: number; id: number; body: string; state: string }[]> {
      const query = { creator: bot, state: 'all', since: new Date(since - CLOCKS_MS).toISOString() };
      const own = await everyPage(`the issues by ${bot}`, page(query));
      return own
        .filter(issue => !issue.pull_request && issue.user?.login === bot)
        .map(({ number, id, body, state }) => ({ number, id: Number(id), body: body ?? '', state }));
    },
    /** An issue or a pull request. */
    issue,
    /** The sub-issues of an issue, or the issues that one waits for; none where the server has no such thing. */
    related,
    /**
     * Says by GitHub's own means that an issue waits for another, whose database id is read where it is not given; answers
     * that. Twice is once. Undefined: the server has no such thing, or does not let us.
     */
    async addBlocker(
      waiting: number,
      { number, id }: { number: number; id: number | undefined },
    ): Promise<number | undefined> {
      const route = 'POST /repos/{owner}/{repo}/issues/{issue_number}/dependencies/blocked_by';
      try {
        id ??= (await issue(number)).id;
        const blocker = { issue_number: waiting, issue_id: id };
        await write(() => request(route, { ...here(), ...blocker }));
      } catch (error) {
        if (answered(error, 403, 404, 410)) return undefined;
        // It waits for that already, or GitHub has a rule against it; its text says it all the same.
        if (!answered(error, 422)) throw error;
      }
      return id;
    },
    /** `blocker`: a database id. One that is not there is success. */
    async removeBlocker(issue: number, blocker: number): Promise<void> {
      const route = 'DELETE /repos/{owner}/{repo}/issues/{issue_number}/dependencies/blocked_by/{issue_id}';
      const of = { ...here(), issue_number: issue, issue_id: blocker };
      await write(() => request(route, of)).catch(refusedBy(403, 404, 410));
    },
    /** Closes it as completed. Twice is once; one that is gone, or may not be closed, stays as it is: false. */
    async closeIssue(number: number): Promise<boolean> {
      const route = 'PATCH /repos/{owner}/{repo}/issues/{issue_number}';
      const change = { state: 'closed', state_reason: 'completed' } as const;
      const of = { ...here(), issue_number: number };
      return !('refused' in (await write(() => request(route, { ...of, ...change })).catch(refusal)));
    },
    /**
     * Open issues with a label, the oldest first, with the time of their last change as GitHub writes it; a form may put
     * labels on, so anybody can make this long. `more`: the newest are left out.
     */
    async labelled(
      label: string,
    ): Promise<{ issues: { number: number; updatedAt: string }[]; more: boolean }> {
      const query = { labels: label, state: 'open', sort: 'created', direction: 'asc' };
      const { items, more } = await firstPages(MAX_LABELLED_PAGES, page(query));
      const issues = items
        .filter(issue => !issue.pull_request)
        .map(({ number, updated_at: updatedAt }) => ({ number, updatedAt }));
      return { issues, more };
    },
    /** Numbers of closed issues with a label that have changed since a time (milliseconds), the newest hundred. */
    async closedSince(labels: string, since: number): Promise<number[]> {
      const changed = await changedSince(since, { labels, state: 'closed' });
      return changed.filter(issue => !issue.pull_request).map(({ number }) => number);
    },
  };
}

export const sameLabel = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

export const hasLabel = (labels: readonly string[], name: string): boolean =>
  labels.some(each => sameLabel(each, name));
