// Shows test results on a commit: as a check run by an App, as a commit status by the token of a workflow's job.
import { type Caller, type Client, refusedBy, type Here } from './octokit.ts';

/** The same on every commit: GitHub lists it beside the checks of others, and shows the newest of a name. */
export const checkName = 'echelon/tests';

/** A place in a file of the commit, with what is to be said there; both texts are plain. */
export interface Annotation {
  path: string;
  line: number;
  title: string;
  message: string;
}

export interface Check {
  commit: string;
  passed: boolean;
  /** One line of plain text, 140 characters at most: all that a status shows. */
  title: string;
  /** Markdown. */
  summary: string;
  /** GitHub takes 50 in a call. */
  annotations: readonly Annotation[];
}

/** `refused`: the token lacks the right, and why. */
export type CheckShown = { check: number } | { refused: string };

export interface Checks {
  /** Makes one; `op` is kept with it, where there is room. */
  showCheck(check: Check, op: string): Promise<CheckShown>;
  /** The one that an earlier attempt made. */
  checkShown(commit: string, op: string): Promise<CheckShown | undefined>;
}

const refusal = refusedBy(403, 404);

/** GitHub's limit of a status. */
const MAX_DESCRIPTION = 140;

/** `statusOnly`: the token is a job's, not an App's own; see docs/decisions/0038-checks-of-delivered-branches.md. */
export function checksOf(
  { request }: Client,
  { read, write }: Caller,
  here: Here,
  { bot, statusOnly }: { bot: string; statusOnly: boolean },
): Checks {
  const asRun: Checks = {
    async showCheck({ commit, passed, title, summary, annotations }, op) {
      const made = await write(() =>
        request('POST /repos/{owner}/{repo}/check-runs', {
          ...{ ...here(), name: checkName, head_sha: commit, external_id: op, status: 'completed' as const },
          conclusion: passed ? ('success' as const) : ('failure' as const),
          output: {
            ...{ title, summary },
            annotations: annotations.map(({ path, line, title, message }) => ({
              ...{ path, title, message, start_line: line, end_line: line },
              annotation_level: 'failure' as const,
            })),
          },
        }),
      ).catch(refusal);
      return 'refused' in made ? made : { check: Number(made.data.id) };
    },
    async checkShown(commit, op) {
      const route = 'GET /repos/{owner}/{repo}/commits/{ref}/check-runs';
      const query = { ref: commit, check_name: checkName, filter: 'all' as const, per_page: 100 };
      const found = await read(() => request(route, { ...here(), ...query })).catch(refusal);
      if ('refused' in found) return found;
      const own = found.data.check_runs.find(({ external_id }) => external_id === op);
      return own && { check: Number(own.id) };
    },
  };
  const asStatus: Checks = {
    async showCheck({ commit, passed, title }) {
      const route = 'POST /repos/{owner}/{repo}/statuses/{sha}';
      const state = passed ? ('success' as const) : ('failure' as const);
      const status = { sha: commit, context: checkName, state, description: title.slice(0, MAX_DESCRIPTION) };
      const made = await write(() => request(route, { ...here(), ...status })).catch(refusal);
      return 'refused' in made ? made : { check: Number(made.data.id) };
    },
    async checkShown(commit) {
      const route = 'GET /repos/{owner}/{repo}/commits/{ref}/statuses';
      const query = { ...here(), ref: commit, per_page: 100 };
      const found = await read(() => request(route, query)).catch(refusal);
      if ('refused' in found) return found;
      const own = found.data.find(({ context, creator }) => context === checkName && creator?.login === bot);
      return own && { check: Number(own.id) };
    },
  };
  return statusOnly ? asStatus : asRun;
}
