// Every call the product makes to one repository on GitHub, each a function that says what it answers.
import { type Clock, messageOf, type SharedWait } from '@echelon/ground';
import { type Attachments, attachments } from './attachments.ts';
import { answered, type Client, caller, refusedBy } from './octokit.ts';
import { type Checks, checksOf } from './checks.ts';
import { checkStates, type CheckStates } from './check-state.ts';
import { type Comments, commentsOf } from './comments.ts';
import { type GitData, gitDataOf } from './git-data.ts';
import { type IssueHistory, historyOf } from './history.ts';
import { type Issues, issuesOf } from './issues.ts';
import { type Opener, type Pulls, pullsOf } from './pulls.ts';
import { firstPages, PAGE } from './pages.ts';
import { checkSame, type Comment, readThread, revisionsOf, type Thread } from './thread.ts';
import { type Reviews, reviewsOf } from './reviews.ts';

/** Pages of collaborators that are read; of a repository with more of them nobody is known. */
const WRITER_PAGES = 10;

/** The greatest first. */
const permissions = ['admin', 'maintain', 'write', 'triage', 'read', 'none'] as const;
export type Permission = (typeof permissions)[number];

/** True if a permission is at least the needed one. */
export const suffices = (permission: Permission, needed: Permission): boolean =>
  permissions.indexOf(permission) <= permissions.indexOf(needed);

export interface Repository
  extends Attachments,
    Checks,
    CheckStates,
    Comments,
    GitData,
    IssueHistory,
    Issues,
    Pulls,
    Reviews {
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
  /** Live permission; a login that does not exist has `none`. */
  permission(login: string): Promise<Permission>;
  /** Logins, in small letters, of everybody with write access, one call a hundred collaborators; undefined: not known. */
  writers(): Promise<ReadonlySet<string> | undefined>;
  /** Throws when the repository of that name is not the one with this id. */
  defaultBranch(): Promise<string>;
  /** Creates a branch; one at the same commit is success. `refused`: why it cannot be. */
  createBranch(
    branch: string,
    commit: string,
  ): Promise<{ branch: 'created' | 'exists' } | { refused: string }>;
}

interface RepositoryOptions {
  owner: string;
  name: string;
  readonly id: number;
  bot: string;
  clock: Clock;
  /** Shared by all that the client's installation reaches. */
  wait: SharedWait;
  /** Set if another identity opens pull requests, or their checks wait. */
  opener?: Opener | undefined;
  /** Test results are shown as commit statuses: the token is no App's own. */
  statusOnly?: boolean | undefined;
}

/** Binds a client to one repository, whose name is read from `place` at each call. Throws RateLimited at a limit, Octokit's RequestError for other refusals. */
export function connectRepository(client: Client, place: RepositoryOptions): Repository {
  const { id, bot, clock } = place;
  const calls = caller(clock, place.wait);
  const { read, write, sent } = calls;
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
    ...attachments(client, calls, here),
    ...historyOf(client, read, here),
    ...commentsOf(client, calls, here),
    ...issuesOf(client, calls, here, bot),
    ...checksOf(client, calls, here, { bot, statusOnly: place.statusOnly ?? false }),
    ...checkStates(client, calls, here),
    ...pullsOf(client, calls, here, place.opener),
    ...gitDataOf(client, calls, here, place.opener),
    ...reviewsOf(client, calls, here),

    async permission(login) {
      const route = 'GET /repos/{owner}/{repo}/collaborators/{username}/permission';
      const found = await read(() => request(route, { ...here(), username: login })).catch(refusedBy(404));
      if ('refused' in found) return 'none';
      const { permission, role_name: role = permission } = found.data;
      // A custom role's name says nothing; GitHub maps it onto `permission`.
      return isPermission(role) ? role : isPermission(permission) ? permission : 'none';
    },
    async writers() {
      const route = 'GET /repos/{owner}/{repo}/collaborators';
      const found = await firstPages(WRITER_PAGES, async page => {
        const { data } = await read(() => request(route, { ...here(), per_page: PAGE, page }));
        return data;
      }).catch(refusedBy(403, 404));
      if ('refused' in found || found.more) return undefined;
      const logins = found.items.flatMap(({ login, permissions }) => (permissions?.push ? login : []));
      return new Set(logins.map(login => login.toLowerCase()));
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

const isPermission = (text: string): text is Permission => (permissions as readonly string[]).includes(text);
