// Result of a demo: the object that --json prints, and the table for people.
import { dollars, type RunView } from '../../app/views.ts';
import type { Stage } from './demo-stage.ts';
import { callerOn } from './own-repository.ts';

export type DemoOutcome = Awaited<ReturnType<typeof outcomeOf>>;

/** Reads the end from the forge, as anyone could, and what only the run knows from its view. */
export async function outcomeOf(
  stage: Pick<Stage, 'forge' | 'sent' | 'jobs'>,
  repository: { owner: string; name: string },
  { view, issue }: { view: RunView | undefined; issue: number },
  seconds: number,
) {
  const call = callerOn(stage.forge, repository.owner, repository);
  const get = (path: string) => call('GET', path);
  const pulls = (await get('/pulls?state=all&per_page=100&sort=created&direction=asc')) as ForgePull[];
  let comments = 0;
  for (const number of [issue, ...(view?.issues.map(each => each.number) ?? [])]) {
    const { comments: count } = (await get(`/issues/${number}`)) as { comments: number };
    comments += count;
  }
  const sent = stage.sent();
  const calls = (list: readonly { turns?: number; model_calls?: number }[] = []) =>
    list.reduce((sum, each) => sum + (each.turns ?? 0) + (each.model_calls ?? 0), 0);
  return {
    run: {
      issue,
      status: view?.status ?? 'none',
      phase: view?.phase ?? null,
      cost_usd: Math.round((view?.cost_usd ?? 0) * 1e6) / 1e6,
    },
    issues: (view?.issues ?? []).map(issueRow),
    pulls: pulls.map(pull => pullRow(pull, view)),
    /** On the directive and its issues, people's included. */
    comments,
    calls: {
      github_read: sent.read,
      github_write: sent.write,
      model: calls(view?.layers) + calls(view?.issues),
    },
    /** Of workflows; none where the App does the work. */
    jobs: await stage.jobs(),
    isolation: view?.isolation ?? null,
    seconds: Math.round(seconds * 10) / 10,
  };
}

interface ForgePull {
  number: number;
  draft: boolean;
  title: string;
  head: { ref: string };
  base: { ref: string };
}

const issueRow = (issue: RunView['issues'][number]) => {
  const { number, title, domain, state, attempt: attempts, branch, pull, merged } = issue;
  return { number, title, domain, state, attempts, branch, pull, merged: merged ?? false };
};

function pullRow({ number, draft, head, base, title }: ForgePull, view: RunView | undefined) {
  const { tests = null, rounds = 0 } = view?.issues.find(({ pull }) => pull === number) ?? {};
  return { number, draft, head: head.ref, base: base.ref, title, tests, rounds };
}

/** The issues and their pull requests as a table. */
export function outcomeTable(outcome: DemoOutcome, { colour }: { colour: boolean }): string {
  const head = ['issue', 'domain', 'state', 'attempts', 'rounds', 'pull request', 'tests'];
  const rows = outcome.issues.map(issue => {
    const pull = outcome.pulls.find(each => each.number === issue.pull);
    const code = pull?.tests?.exit_code;
    return [
      `#${issue.number} ${issue.title}`,
      issue.domain,
      issue.state,
      String(issue.attempts),
      pull ? String(pull.rounds) : '-',
      pull ? `#${pull.number}${issue.merged ? ' (merged)' : pull.draft ? ' (draft)' : ''}` : '-',
      pull?.tests ? `${pull.tests.command}: ${code === 0 ? 'passed' : `exited ${code}`}` : '-',
    ];
  });
  const width = head.map((title, column) => Math.max(title.length, ...rows.map(row => row[column]!.length)));
  const line = (cells: string[]) =>
    cells
      .map((cell, column) => cell.padEnd(width[column]!))
      .join('  ')
      .trimEnd();
  const title = colour ? `\u001b[1m${line(head)}\u001b[0m` : line(head);
  const { run, calls } = outcome;
  return [
    title,
    ...rows.map(line),
    '',
    `run ${run.status} in ${outcome.seconds} s, ${dollars(run.cost_usd)}; ${calls.github_read} reads and ${calls.github_write} writes to GitHub, ${calls.model} model calls, ${outcome.comments} comments; isolation: ${outcome.isolation ?? '-'}`,
  ].join('\n');
}
