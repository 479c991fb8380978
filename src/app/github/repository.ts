// Every call the product makes to one repository on GitHub, each a function that says what it answers.
import type { Clock } from '../../lib/clock.ts';
import type { SharedWait } from '../../lib/shared-wait.ts';
import { answered, type Client, caller } from './octokit.ts';
import { type Comments, commentsOf } from './comments.ts';
import { type IssueHistory, historyOf } from './history.ts';
import { everyPage, firstPages, PAGE } from './pages.ts';
import { checkSame, type Comment, readThread, revisionsOf, type Thread } from './thread.ts';
import { messageOf } from '../../lib/message.ts';

export type Permission = 'admin' | 'maintain' | 'write' | 'triage' | 'read' | 'none';

export interface Repository extends Comments, IssueHistory {
  /** As they are now: a repository may be renamed while this process lives. */
  readonly owner: string;
  readonly name: string;
  /** GitHub's database id. */
  readonly id: number;
  /** Login of the identity this connection writes as: `slug[bot]`. */
  readonly bot: string;
  readonly sent: { read: number; write: number };

  /** The issue and all its comments, with who edited them last. One call a hundred comments. */
  thread(issue: number): Promise<Thread>;
  /** Earlier texts of a comment, newest first, with who wrote each. */
  revisions(comment: Pick<Comment, 'node'>): Promise<{ body: string; editor: string | null }[]>;
  comment(issue: number, body: string): Promise<number>;
  editComment(id: number, body: string): Promise<void>;
  /** Setting the same reaction twice leaves one. */
  react(comment: number, content: 'eyes' | 'rocket' | 'confused'): Promise<void>;
  /** Live permission; a login that does not exist has `none`. */
  permission(login: string): Promise<Permission>;
  /** `refused`: GitHub will not have it, not even without assignees, and why. */
  createIssue(issue: {
    title: string;
    body: string;
    labels: string[];
    assignees: string[];
  }): Promise<{ number: number; id: number } | { refused: string }>;
  /** Makes `child` (a database id) a sub-issue; being one already is success. */
  addSubIssue(parent: number, child: number): Promise<void>;
  /** Issues by the bot itself since a time (milliseconds), newest first. */
  ownIssues(since: number): Promise<{ number: number; id: number; body: string }[]>;
  /** An issue or a pull request. `author` is `ghost` where the account is gone. */
  issue(
    number: number,
  ): Promise<{ state: string; title: string; labels: string[]; author: string; body: string }>;
  /**
   * Open issues with a label, the oldest first, with the time of their last change as GitHub writes it; a form may put
   * labels on, so anybody can make this long. `more`: the newest are left out.
   */
  labelled(label: string): Promise<{ issues: { number: number; updatedAt: string }[]; more: boolean }>;
  pullFor(branch: string): Promise<{ number: number; state: string; draft: boolean } | undefined>;
  createPull(pull: {
    title: string;
    body: string;
    head: string;
    base: string;
    draft: boolean;
    /** `refused`: GitHub will not open it, and why. */
  }): Promise<{ number: number } | { refused: string }>;
  /** Throws when the repository of that name is not the one with this id. */
  defaultBranch(): Promise<string>;
  /** Creates a branch; one at the same commit is success. `refused`: why it cannot be. */
  createBranch(
    branch: string,
    commit: string,
  ): Promise<{ branch: 'created' | 'exists' } | { refused: string }>;
}

/** Pages of labelled issues that are read each minute. */
const MAX_LABELLED_PAGES = 10;

interface RepositoryOptions {
  owner: string;
  name: string;
  readonly id: number;
  bot: string;
  clock: Clock;
  /** Shared by all that the client's installation reaches. */
  wait: SharedWait;
}

/** Binds a client to one repository, whose name is read from `place` at each call. Throws RateLimited at a limit, Octokit's RequestError for other refusals. */
export function connectRepository(client: Client, place: RepositoryOptions): Repository {
  const { id, bot, clock } = place;
  const { read, write, sent } = caller(clock, place.wait);
  const { request } = client;
  const here = () => ({ owner: place.owner, repo: place.name });

  return {
    get owner() {
      return place.owner;
    },
    get name() {
      return place.name;
    },
    id,
    bot,
    sent,
    thread: number => readThread(client, read, { ...here(), id, number }),
    revisions: comment => revisionsOf(client, read, comment),
    ...historyOf(client, read, here),
    ...commentsOf(client, read, here),

    async comment(issue, body) {
      const route = 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments';
      const { data } = await write(() => request(route, { ...here(), issue_number: issue, body }));
      return Number(data.id);
    },
    async editComment(comment, body) {
      const route = 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}';
      await write(() => request(route, { ...here(), comment_id: comment, body }));
    },
    async react(comment, content) {
      const route = 'POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions';
      await write(() => request(route, { ...here(), comment_id: comment, content }));
    },
    async permission(login) {
      const route = 'GET /repos/{owner}/{repo}/collaborators/{username}/permission';
      try {
        const { data } = await read(() => request(route, { ...here(), username: login }));
        const role = data.role_name ?? data.permission;
        // A custom role's name says nothing; GitHub maps it onto `permission`.
        return isPermission(role) ? role : isPermission(data.permission) ? data.permission : 'none';
      } catch (error) {
        if (answered(error, 404)) return 'none';
        throw error;
      }
    },
    async createIssue(issue) {
      let refused = '';
      // Someone who cannot be assigned is the usual reason; the issue is worth more than its assignee.
      for (const assignees of issue.assignees.length > 0 ? [issue.assignees, []] : [[]])
        try {
          const body = { ...here(), ...issue, assignees };
          const { data } = await write(() => request('POST /repos/{owner}/{repo}/issues', body));
          return { number: data.number, id: Number(data.id) };
        } catch (error) {
          if (!answered(error, 403, 404, 410, 422)) throw error;
          refused = messageOf(error).slice(0, 300);
        }
      return { refused };
    },
    async addSubIssue(parent, child) {
      const route = 'POST /repos/{owner}/{repo}/issues/{issue_number}/sub_issues';
      try {
        await write(() => request(route, { ...here(), issue_number: parent, sub_issue_id: child }));
      } catch (error) {
        if (!answered(error, 422)) throw error;
        const list = 'GET /repos/{owner}/{repo}/issues/{issue_number}/sub_issues';
        const those = await everyPage(`the sub-issues of #${parent}`, async page => {
          const query = { ...here(), issue_number: parent, per_page: PAGE, page };
          return (await read(() => request(list, query))).data;
        });
        if (!those.some(issue => Number(issue.id) === child)) throw error;
      }
    },
    async ownIssues(since) {
      const query = {
        creator: bot,
        state: 'all' as const,
        since: new Date(since).toISOString(),
        per_page: PAGE,
      };
      const own = await everyPage(`the issues by ${bot}`, async page => {
        const route = 'GET /repos/{owner}/{repo}/issues';
        return (await read(() => request(route, { ...here(), ...query, page }))).data;
      });
      return own
        .filter(issue => !issue.pull_request && issue.user?.login === bot)
        .map(issue => ({ number: issue.number, id: Number(issue.id), body: issue.body ?? '' }));
    },
    async issue(number) {
      const route = 'GET /repos/{owner}/{repo}/issues/{issue_number}';
      const { data } = await read(() => request(route, { ...here(), issue_number: number }));
      const labels = data.labels.map(label => (typeof label === 'string' ? label : (label.name ?? '')));
      const { state, title, body, user } = data;
      return { state, title, labels, author: user?.login ?? 'ghost', body: body ?? '' };
    },
    async labelled(label) {
      const query = {
        labels: label,
        state: 'open',
        sort: 'created',
        direction: 'asc',
        per_page: PAGE,
      } as const;
      const { items, more } = await firstPages(MAX_LABELLED_PAGES, async page => {
        const route = 'GET /repos/{owner}/{repo}/issues';
        return (await read(() => request(route, { ...here(), ...query, page }))).data;
      });
      const issues = items
        .filter(issue => !issue.pull_request)
        .map(({ number, updated_at: updatedAt }) => ({ number, updatedAt }));
      return { issues, more };
    },
    async pullFor(branch) {
      const query = { head: `${place.owner}:${branch}`, state: 'all' as const, per_page: 10 };
      const { data } = await read(() => request('GET /repos/{owner}/{repo}/pulls', { ...here(), ...query }));
      const pull = data.find(each => each.head.ref === branch);
      return pull && { number: pull.number, state: pull.state, draft: pull.draft ?? false };
    },
    async createPull(pull) {
      const open = async (draft: boolean) => {
        const { data } = await write(() =>
          request('POST /repos/{owner}/{repo}/pulls', { ...here(), ...pull, draft }),
        );
        return { number: data.number };
      };
      try {
        try {
          return await open(pull.draft);
        } catch (error) {
          // Private repositories on some plans have no drafts; the title then says that it is not finished.
          if (!pull.draft || !answered(error, 422) || !/draft pull requests/i.test(String(error)))
            throw error;
          pull = { ...pull, title: `[WIP] ${pull.title}` };
          return await open(false);
        }
      } catch (error) {
        if (answered(error, 403, 404, 422)) return { refused: messageOf(error).slice(0, 500) };
        throw error;
      }
    },
    async defaultBranch() {
      const { data } = await read(() => request('GET /repos/{owner}/{repo}', here()));
      checkSame(here(), id, Number(data.id));
      return data.default_branch;
    },
    async createBranch(branch, commit) {
      try {
        const ref = { ref: `refs/heads/${branch}`, sha: commit };
        await write(() => request('POST /repos/{owner}/{repo}/git/refs', { ...here(), ...ref }));
        return { branch: 'created' };
      } catch (error) {
        if (!answered(error, 403, 404, 409, 422)) throw error;
        const route = 'GET /repos/{owner}/{repo}/git/ref/{ref}';
        try {
          const { data } = await read(() => request(route, { ...here(), ref: `heads/${branch}` }));
          if (data.object.sha === commit) return { branch: 'exists' };
          return { refused: `the branch ${branch} exists and stands at ${data.object.sha.slice(0, 12)}` };
        } catch (missing) {
          if (!answered(missing, 404)) throw missing;
          return { refused: messageOf(error).slice(0, 300) };
        }
      }
    },
  };
}

const permissions = ['admin', 'maintain', 'write', 'triage', 'read', 'none'] as const;
const isPermission = (text: string): text is Permission => (permissions as readonly string[]).includes(text);
