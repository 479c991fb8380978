// Has the product ask each of its roles something, for one small story, and keeps what it asked.
import { expect } from 'vitest';
import type { Around, JobSpec } from '../../src/app/engineer/jobs/job-spec.ts';
import { createLibrary } from '../../src/engine/language/library.ts';
import { TaskError } from '../../src/engine/language/result.ts';
import type { ModelRequest } from '../../src/engine/models/model.ts';
import { scriptedRows } from '../../src/engine/models/names.ts';
import { parseScript } from '../../src/engine/models/script.ts';
import { scriptedModel } from '../../src/engine/models/scripted.ts';
import { evaluationOf, lazySandbox } from '../../src/engine/runtime/evaluation.ts';
import { openMemory } from '../../src/engine/runtime/open-memory.ts';
import { productTemplates } from '../../src/engine/runtime/commit-templates.ts';
import { askApart } from '../../src/engine/tasks/ask-apart.ts';
import { compile } from '../../src/engine/tasks/compile.ts';
import { evaluate } from '../../src/engine/tasks/evaluate.ts';
import { findMatchingTasks } from '../../src/engine/tasks/match.ts';
import { Config } from '../../src/app/config/config.ts';
import { playJob } from '../app/engineer/play-job.ts';
import { type Dialogue, openDialogue } from '../dialogue/fixture.ts';
import { director, drafting, evaluator, plan, type Reply, strategist, teamLead } from '../dialogue/script.ts';
import { stillClock } from '../ground/lib/clocks.ts';
import { parsed } from '../engine/tasks/surroundings.ts';
import { repository } from '../ground/workspace/fixture.ts';
import { keepingFirst } from './rendered.ts';

export type Requests = Map<string, ModelRequest>;

const files = {
  'AGENTS.md': 'Plain functions, no classes. A change comes with its test.\n',
  '.github/echelon/lessons/days.md': 'Titles may be empty: sort them last.\n',
  'package.json': '{"name": "shelf", "type": "module", "scripts": {"test": "node --test"}}\n',
  'src/shelf.js':
    '// The shelf: its books, in the order in which they were added.\nexport const add = (shelf, book) => [...shelf, book];\n',
  'tests/shelf.test.js': "import { add } from '../src/shelf.js';\n",
};

const directive = {
  title: 'Count the books that are read',
  body: 'Readers ask how far along they are. Say how many books of the shelf are read.',
};
const issue = {
  title: 'Count the books that are read',
  body: 'Readers want to know how far along they are.\n\n- [ ] `countRead(shelf)` in `src/shelf.js` answers how many books have `read: true`; 0 for an empty shelf.',
};

/** The layers of a run, and the reviewer that the last of them asks for. */
export async function layersRequests(): Promise<Requests> {
  const kept: Requests = new Map();
  const review = { action: 'request_review', pr_number: 2, focus: 'Does it count a book twice?' };
  await using d = await openDialogue({
    ...{ files, issue: directive, config: 'layers: all\n' },
    replies: [
      strategist('One workstream: counting.', plan('Count the books that are read, and show the number.')),
      drafting('`countRead(shelf)` in `src/shelf.js`, with a test.', { ...issue, paths: ['src/**'] }),
      teamLead('One issue.', review, { action: 'create_issues', issues: [{ draft: 1 }] }),
      { for: 'reviewer', text: JSON.stringify({ content: 'It does what it says.', comments: [] }) },
    ],
  });
  await openPull(d);
  await d.settled();
  for (const context of d.local.installations.repositories()) {
    const { openModel } = context;
    context.openModel = async (...given) => {
      const opened = await openModel(...given);
      return { ...opened, model: keepingFirst(opened.model, kept) };
    };
  }
  await d.label();
  expect(await d.status()).toBe('waiting: approval');
  return kept;
}

async function openPull(d: Dialogue): Promise<void> {
  const main = await d.call<{ object: { sha: string } }>('wanda', 'GET', '/git/ref/heads/main');
  await d.call('wanda', 'POST', '/git/refs', { ref: 'refs/heads/size', sha: main.object.sha });
  const content = Buffer.from('export const size = shelf => shelf.length;\n').toString('base64');
  await d.call('wanda', 'PUT', '/contents/src/size.js', { message: 'Size', content, branch: 'size' });
  const pull = { title: 'Say how many books there are', body: 'For #1.', head: 'size', base: 'main' };
  await d.call('wanda', 'POST', '/pulls', pull);
}

/** The issue stands on another one, and a third is worked beside it. */
async function aroundIn({ base, commit, mirror }: Awaited<ReturnType<typeof repository>>): Promise<Around> {
  const read = 'export const read = book => ({ ...book, read: true });\n';
  const made = await commit({ ...files, 'src/read.js': read }, 'echelon/1a2b3c4d/3-mark-a-book-as-read');
  await mirror.fetch();
  return {
    directive,
    plan: 'Count the books that are read, and show the number.',
    ground: base,
    paths: ['src/count.js', 'src/shelf.js', 'tests/**'],
    opened: ['src/shelf.js'],
    needs: [{ number: 3, title: 'Mark a book as read', from: base, commit: made }],
    beside: [{ number: 4, title: 'Show the number', waits: true }],
  };
}

/** Requests of a job up to its result. */
async function jobRequests(replies: readonly Reply[], changes: Partial<JobSpec>): Promise<Requests> {
  const kept: Requests = new Map();
  await using repo = await repository(files);
  const spec: Partial<JobSpec> = {
    library: [productTemplates()],
    issue: { number: 2, ...issue },
    settings: { test_command: 'true', rounds: '3' },
    base_tests: 'They were green: they exited 0.',
    around: await aroundIn(repo),
    ...changes,
  };
  const { report } = await playJob(repo, 'job', replies, spec, {
    ...{ calls: [], spent: [] },
    before: async request => void (kept.has(request.task) || kept.set(request.task, request)),
  });
  expect(report).toMatchObject({ kind: 'bundle' });
  return kept;
}

const counts = 'export const countRead = shelf => shelf.filter(book => book.read).length;\n';

/** An engineer and its evaluator, at an issue or, where something is `wanted`, at its pull request. */
export const engineerRequests = (changes: Partial<JobSpec>, said: string): Promise<Requests> =>
  jobRequests(
    [...director(issue.title, { 'src/count.js': counts }, said), evaluator(issue.title, true)],
    changes,
  );

/** Requests for choosing between two candidates, which know by their folders who they are. */
export async function candidatesRequests(): Promise<Requests> {
  const command = `case "$PWD" in
  *-1/tree) echo 'export const countRead = () => 0;' > src/count.js ;;
  *) echo '${counts.trim()}' > src/count.js ;;
esac`;
  const requests = await jobRequests(
    [
      { for: 'engineer.director', tool_calls: [{ name: 'shell', input: { command } }] },
      { for: 'engineer.director', text: 'It counts.' },
      evaluator(issue.title, true),
      { for: 'pick-candidate', text: '{"best": 2, "why": "The first counts nothing."}' },
    ],
    { candidates: 2 },
  );
  return new Map([...requests].filter(([task]) => task === 'pick-candidate'));
}

/** Changes that people want on the pull request. */
export const wanted: NonNullable<JobSpec['wanted']> = {
  asked: [{ by: 'mia', text: 'Please count only books, not magazines.', may: true }],
  threads: [
    {
      ...{ id: 'PRRT_1', first: 11, path: 'src/shelf.js', line: 2 },
      hunk: '@@ -1,2 +1,2 @@\n+export const countRead = shelf => shelf.length;',
      said: [{ by: 'rita', text: 'Is this not all of them?', may: false }],
    },
  ],
};

const program = `<task name="count">
  <inputs><input name="shelf"/></inputs>
  <description>How many of these books are read? {{shelf}}</description>
  <output name="read" type="number"/>
  <context_management><inherit_context>none</inherit_context></context_management>
  <limits><context_tokens>400</context_tokens><turns>4</turns></limits>
</task>`;

/** Candidates for matching. */
const { library: registered } = createLibrary([
  { file: 'count.xml', text: program },
  {
    file: 'sort.xml',
    text: '<task name="sort"><description>Sorts the books by title.</description></task>',
  },
  {
    file: 'matching.xml',
    text: '<task name="matching" subtype="matching"><description>Asked for.</description></task>',
  },
]);

/** The evaluator's own tasks: for a program whose files are too many and whose answer fits nothing, and a request in words. */
export async function ownRequests(): Promise<Requests> {
  const kept: Requests = new Map();
  await using repo = await repository(files);
  const { library } = createLibrary(productTemplates());
  const signal = new AbortController().signal;
  const clock = stillClock();
  const replies: Reply[] = [
    { for: 'count', text: 'Some of them.', times: 4 },
    { for: 'reparse', text: '<result status="FAILED"><content>There is no other way.</content></result>' },
    { for: 'matching', text: '{"matches": []}' },
    { for: 'compile', text: '<task><description>Count to three.</description></task>' },
  ];
  const script = parseScript(JSON.stringify({ version: 1, replies }), 'the script');
  const options = evaluationOf({
    model: keepingFirst(scriptedModel(script, { clock }), kept),
    ...{ library, clock, signal, sandbox: lazySandbox(), reasoning: Config.parse({}).reasoning },
    memory: openMemory({ mirror: repo.mirror, commit: repo.base }, { cache: null, signal }),
    models: () => 'scripted',
    modelRows: scriptedRows,
    settings: {},
  });
  const shelf = 'Momo (read), Emma';
  await expect(evaluate(parsed(program), { shelf }, options)).rejects.toThrow(TaskError);
  await compile('count to three', options);
  await findMatchingTasks('count the books', { library: registered, ask: askApart(options) });
  return kept;
}

export const reviewAnswers = JSON.stringify({
  content: 'It counts.',
  answers: [{ thread: 'T1', done: true, answer: 'Only those that are read.' }],
});
