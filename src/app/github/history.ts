// History of an issue: the person who added a label, and later changes of its text.
import { z } from 'zod';
import { sameLabel } from './issues.ts';
import type { Caller, Client, Here } from './octokit.ts';
import { connection, everyNode, lastPage, PAGE, TooLong } from './pages.ts';
import { actor, loginOf } from './thread.ts';

/** Of an issue's event what is asked here; GitHub's description is a union of thirty kinds. */
interface IssueEvent {
  id: number;
  created_at: string;
  event?: string;
  label?: { name?: string };
  actor?: { login: string; type: string } | null;
  /** Of `assigned`: to whom, and who did it. */
  assignee?: { login: string } | null;
  assigner?: { login: string; type: string } | null;
}

/** A change of the text. `by` is `ghost` where the account is gone; `at`: milliseconds since the epoch, whole seconds. */
export interface TextEdit {
  what: 'title' | 'description';
  by: string;
  at: number;
}

export type IssueHistory = ReturnType<typeof historyOf>;

/** Pages of an issue's history that are read from its end. */
const MAX_HISTORY_PAGES = 50;

const page = z.object({
  repository: z.object({
    issue: z
      .object({
        userContentEdits: connection(z.object({ editedAt: z.string(), editor: actor })).nullable(),
      })
      .nullable(),
  }),
});

const query = `query ($owner: String!, $repo: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $repo) { issue(number: $number) {
    userContentEdits(first: 100, after: $after) {
      pageInfo { hasNextPage endCursor }
      nodes { editedAt editor { __typename login } }
    }
  } }
}`;

export function historyOf(client: Client, read: Caller['read'], here: Here) {
  /** The newest first: anybody can add to it, and what is looked for is mostly near its end. */
  async function* events(issue: number): AsyncGenerator<IssueEvent> {
    const route = 'GET /repos/{owner}/{repo}/issues/{issue_number}/events';
    const one = (number: number) =>
      read(() => client.request(route, { ...here(), issue_number: issue, per_page: PAGE, page: number }));
    const first = await one(1);
    const last = lastPage(first.headers.link);
    for (let number = last; number >= 1; number--) {
      if (last - number === MAX_HISTORY_PAGES)
        throw new TooLong(`the history of #${issue}`, MAX_HISTORY_PAGES * PAGE);
      const { data } = number === 1 ? first : await one(number);
      yield* (data as IssueEvent[]).toReversed();
    }
  }

  /** GitHub dates the description's edits, and keeps a new title as an event of its own. */
  async function renames(issue: number, since: number): Promise<TextEdit[]> {
    const found: TextEdit[] = [];
    for await (const event of events(issue)) {
      const at = Date.parse(event.created_at);
      if (at < since) break;
      if (event.event === 'renamed') found.push({ what: 'title', by: event.actor?.login ?? 'ghost', at });
    }
    return found;
  }

  return {
    /** The newest time a person put the label on: id of that event, who, and when (milliseconds since the epoch). */
    async labelling(
      issue: number,
      label: string,
    ): Promise<{ id: number; by: string; at: number } | undefined> {
      for await (const { event, label: put, actor: by, id, created_at } of events(issue)) {
        if (event !== 'labeled' || !sameLabel(put?.name ?? '', label)) continue;
        if (by?.type !== 'User') return undefined;
        return { id: Number(id), by: by.login, at: Date.parse(created_at) };
      }
      return undefined;
    },
    /** Login of the person who assigned the issue to somebody last; undefined where no person did. Throws TooLong. */
    async assigner(issue: number, to: string): Promise<string | undefined> {
      for await (const { event, assignee, assigner } of events(issue))
        if (event === 'assigned' && assignee?.login === to)
          return assigner?.type === 'User' ? assigner.login : undefined;
      return undefined;
    },
    /** Changes of an issue's title and description at or after a time (milliseconds), the oldest first. Throws TooLong. */
    async editsSince(issue: number, since: number): Promise<TextEdit[]> {
      const edits = await everyNode(`the edits of #${issue}`, async after => {
        const variables = { ...here(), number: issue, after };
        const { repository } = page.parse(await read(() => client.graphql(query, variables)));
        return repository.issue?.userContentEdits;
      });
      const described = edits
        .map(({ editedAt, editor }) => ({
          what: 'description' as const,
          by: loginOf(editor),
          at: Date.parse(editedAt),
        }))
        .filter(({ at }) => at >= since);
      return [...described, ...(await renames(issue, since))].toSorted((a, b) => a.at - b.at);
    },
  };
}
