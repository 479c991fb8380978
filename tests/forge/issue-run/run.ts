// A run as whoever serves a forge hands it to the pages, of any size.
import type {
  Bar,
  IssueJob,
  IssueRun,
  IssueRuns,
  Lane,
  Try,
} from '../../../packages/forge/pages/issue-run/issue-run.ts';

const began = Date.parse('2026-03-01T12:00:00Z');
const MINUTE = 60_000;

/** `issues` lanes with `attempts` each, all with two rounds and a wait before; `words`: what stands in every text. */
export function runOf(issues: number, attempts: number, words = 'words'): IssueRun {
  const lanes = Array.from({ length: issues }, (_, index) => laneOf(index + 2, attempts, words));
  const until = began + (issues + attempts * 10) * MINUTE;
  return {
    ...{
      title: words,
      state: 'running',
      tone: 'works',
      headline: words,
      asks: 7,
      note: words,
      goesOn: true,
      until,
    },
    figures: [['Issues', words]],
    graph: `graph LR\n${lanes.map(({ issue }) => `  i${issue} --> i${(issue ?? 0) + 1}`).join('\n')}`,
    lanes,
    events: [{ at: began, subject: words, text: words, tone: 'waits' }],
    ...{ eventsBefore: 3, onActions: false },
  };
}

function laneOf(issue: number, attempts: number, words: string): Lane {
  const bars: Bar[] = [];
  const tries: Try[] = [];
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const from = began + (issue + attempt * 10) * MINUTE;
    const at = (minutes: number) => from + minutes * MINUTE;
    bars.push(
      { doing: 'waits', from: at(-3), to: from, says: `waits for #${issue - 1}: ${words}` },
      { doing: 'works', from, to: at(6), says: `attempt ${attempt}` },
      { doing: 'tests', from: at(1), to: at(2), says: 'tests of round 1: red, exited 1' },
      { doing: 'judges', from: at(2), to: at(3), says: 'round 1: not accepted' },
      { doing: 'tests', from: at(4), to: at(5), says: 'tests of round 2: green' },
      { doing: 'judges', from: at(5), to: at(6), says: 'round 2: accepted' },
      { doing: 'delivers', from: at(6), to: at(7), says: 'delivering' },
    );
    tries.push({
      ...{
        what: `attempt ${attempt}`,
        from,
        to: at(6),
        waited: 3 * MINUTE,
        waitedFor: `waits for #${issue - 1}`,
      },
      rounds: ['1: tests red, not accepted', '2: tests green, accepted'],
      ...{ came: words, cost_usd: 0.25, job: 'a1b2c3d4e5f60718293a' },
    });
  }
  return {
    ...{ name: `#${issue}`, title: words, issue, state: 'being worked on', tone: 'works', reason: words },
    ...{ bars, tries },
  };
}

export const jobOf = (words = 'words'): IssueJob => ({
  name: `#2, ${words}`,
  goesOn: true,
  said: [
    { by: 'director 1', about: '0.5 s, $0.01', kind: 'words', text: `**Done.** ${words}` },
    { by: 'script 1, exited 1', about: '', kind: 'output', text: `\u001b[31mnot ok\u001b[0m ${words}` },
  ],
  log: `##[group]Setup ${words}\n\u001b[1;32mfetched\u001b[0m plain\n##[endgroup]\n##[error]${words}\n`,
  patch: words,
});

/** The one run of olga/work, on its issue 1; its board is a comment that begins with `### `. */
export const issueRunsOf = (run: IssueRun, job: IssueJob): IssueRuns => ({
  isShownIn: comment => comment.startsWith('### '),
  run: async (repository, issue) => (repository === 'olga/work' && issue === 1 ? run : undefined),
  job: async (repository, issue, id) =>
    repository === 'olga/work' && issue === 1 && id === 'a1b2c3d4e5f60718293a' ? job : undefined,
});
