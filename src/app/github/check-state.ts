// The checks of a head as one state: check runs and commit statuses, the newest of each name, read in one query. And how
// everything that belongs to runs stands, in one.
import { z } from 'zod';
import { withoutColours } from '@echelon/ground';
import { checkName } from './checks.ts';
import { answered, besideErrors, type Caller, type Client, graphqlKinds, type Here } from './octokit.ts';
import { connection, everyNode, TooLong } from './pages.ts';

/** A check that failed, or that waits for a person. */
export interface RedCheck {
  name: string;
  /** Page of its log, on GitHub Actions `.../actions/runs/<run>/job/<job>`; null: it names none. */
  url: string | null;
  /** A rule of the base branch wants it green. */
  required: boolean;
  /** As GitHub words it: `failure`, `timed_out`, `cancelled`, `action_required`, `error`, ... */
  outcome: string;
}

/** `none`: the head has no checks but the product's own, or none yet. `unreadable`: the reason, as a clause. */
export type CheckState =
  | { state: 'green' }
  /** `since`: time of the head's commit (milliseconds since the epoch). */
  | { state: 'none'; since: number }
  | { state: 'pending'; names: string[] }
  /** Required ones first. */
  | { state: 'red'; failed: RedCheck[] }
  | { state: 'unreadable'; why: string };

export type CheckStates = ReturnType<typeof checkStates>;

/** A check run, which has a conclusion when it has ended, or a status. */
const context = z.object({
  name: z.string(),
  conclusion: z.string().nullish(),
  state: z.string().optional(),
  url: z.string().nullable(),
  required: z.boolean(),
});
const answer = z.object({
  repository: z.object({
    object: z
      .object({
        committedDate: z.string(),
        statusCheckRollup: z.object({ contexts: connection(context) }).nullable(),
      })
      .nullable(),
  }),
});

const query = `query ($owner: String!, $repo: String!, $number: Int!, $head: GitObjectID!, $after: String) {
  repository(owner: $owner, name: $repo) { object(oid: $head) { ... on Commit { committedDate statusCheckRollup {
    contexts(first: 100, after: $after) {
      pageInfo { hasNextPage endCursor }
      nodes {
        ... on CheckRun { name conclusion url: detailsUrl required: isRequired(pullRequestNumber: $number) }
        ... on StatusContext { name: context state url: targetUrl required: isRequired(pullRequestNumber: $number) }
      }
    }
  } } } }
}`;

const part = z.looseObject({ updatedAt: z.string(), mergeable: z.string().optional() });
const parts = z.object({ repository: z.record(z.string(), part.nullable()) });

/** Issues and pull requests of one query. */
const ASKED = 100;

const partFields = `fragment part on IssueOrPullRequest {
  ... on Issue { updatedAt } ... on PullRequest { updatedAt headRefOid mergeable statusCheckRollup { state } }
}`;

const green: ReadonlySet<string> = new Set(['SUCCESS', 'NEUTRAL', 'SKIPPED']);
const waiting: ReadonlySet<string> = new Set(['PENDING', 'EXPECTED']);

const jobPage = /\/actions\/runs\/\d+\/job\/(\d+)$/;
/** Characters that are kept of a log while it is read, and told of it; and the longest wait. */
const KEPT = 1 << 18;
const TOLD = 4000;
const PATIENCE_MS = 30_000;

export const checkStates = (client: Client, { read }: Caller, here: Here) => ({
  /** Combined state of a pull request's checks at `head`. A red check counts while others still run. */
  async checkState(number: number, head: string): Promise<CheckState> {
    let since = 0;
    try {
      const checks = await everyNode(`the checks of #${number}`, async after => {
        const variables = { ...here(), number, head, after };
        const { repository } = answer.parse(await read(() => client.graphql(query, variables)));
        since = Date.parse(repository.object?.committedDate ?? '');
        return repository.object?.statusCheckRollup?.contexts;
      });
      return combined(checks, since);
    } catch (error) {
      if (error instanceof TooLong) return { state: 'unreadable', why: error.message };
      // An installation that has not accepted a new permission yet.
      if (!graphqlKinds(error).includes('FORBIDDEN')) throw error;
      const why = 'its checks cannot be read: the permissions Checks and Commit statuses are missing';
      return { state: 'unreadable', why };
    }
  },
  /**
   * Output of a job of GitHub Actions before its failing step ended: plain text, 4,000 characters at most. Empty where the
   * check has no log, or none that may be read.
   */
  async checkLog({ url }: Pick<RedCheck, 'url'>): Promise<string> {
    const job_id = Number(jobPage.exec(url ?? '')?.[1]);
    if (Number.isNaN(job_id)) return '';
    const route = 'GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs';
    // Octokit would read a log of any length as one string.
    const how = { parseSuccessResponseBody: false, signal: AbortSignal.timeout(PATIENCE_MS) };
    let end = '';
    try {
      const { data } = await read(() => client.request(route, { ...here(), job_id, request: how }));
      // Octokit's types know no answer that is not read.
      const pieces = data as unknown as ReadableStream<Uint8Array<ArrayBuffer>>;
      for await (const piece of pieces.pipeThrough(new TextDecoderStream())) end = (end + piece).slice(-KEPT);
    } catch (error) {
      // Of a log that takes too long, or breaks off, the beginning is told.
      if (end === '' && !how.signal.aborted && !answered(error, 403, 404, 410)) throw error;
    }
    return failing(end);
  },
  /**
   * Of each of these issues and pull requests a text that is another one when anything has happened to it, its checks too;
   * and the time of its last change (milliseconds since the epoch; 0: it is gone).
   */
  async marks(numbers: readonly number[]): Promise<{ number: number; mark: string; at: number }[]> {
    if (numbers.length === 0) return [];
    const [now, later] = [numbers.slice(0, ASKED), numbers.slice(ASKED)];
    // Of one that is gone there is null, beside an error.
    const fields = now
      .map(number => `_${number}: issueOrPullRequest(number: ${number}) { ...part }`)
      .join(' ');
    const all = `query ($owner: String!, $repo: String!) { repository(owner: $owner, name: $repo) { ${fields} } }`;
    const found = await read(() => client.graphql(`${all} ${partFields}`, here())).catch(besideErrors);
    const { repository } = parts.parse(found);
    const marks = now.map(number => {
      const { updatedAt = '', mergeable, ...state } = repository[`_${number}`] ?? {};
      // GitHub forgets it with each commit on the base, and finds out anew.
      const mark = JSON.stringify({ ...state, updatedAt, conflicts: mergeable === 'CONFLICTING' });
      return { number, mark, at: Date.parse(updatedAt) || 0 };
    });
    return [...marks, ...(await this.marks(later))];
  },
});

function combined(checks: readonly z.infer<typeof context>[], since: number): CheckState {
  const running: string[] = [];
  const failed: RedCheck[] = [];
  for (const { name, url, required, conclusion, state } of checks) {
    const outcome = conclusion ?? state ?? 'PENDING';
    const red = { name, url, required, outcome: outcome.toLowerCase() };
    if (waiting.has(outcome)) running.push(name);
    else if (!green.has(outcome)) failed[required ? 'unshift' : 'push'](red);
  }
  if (failed.length > 0) return { state: 'red', failed };
  if (running.length > 0) return { state: 'pending', names: running };
  return checks.some(({ name }) => name !== checkName) ? { state: 'green' } : { state: 'none', since };
}

/** The lines to the last error, without their times. */
function failing(log: string): string {
  const text = withoutColours(log).replace(/^\d{4}-\d\d-\d\dT\S+Z /gm, '');
  const error = text.lastIndexOf('\n##[error]');
  const end = error < 0 ? -1 : text.indexOf('\n', error + 1);
  return text.slice(0, end < 0 ? undefined : end).slice(-TOLD);
}
