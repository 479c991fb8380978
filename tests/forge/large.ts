// A forge with much in it: 500 issues, 5,000 comments of which one issue has most, and a pull request of 3,000 lines.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pages } from '../../packages/forge/pages/pages.ts';
import { git } from '../../packages/forge/repositories/git.ts';
import { at, commit, installTestApp, openTestForge, type TestForge } from './fixture.ts';

export const key = 'the-key-of-these-pages';

/** Largest page (1,000 bytes). */
export const mostKilobytes = 300;

const issues = 500;
/** Comments on the first issue; the others have the rest of 5,000 among them. */
const onFirst = 3_000;
const onOthers = 2_000;
/** Lines that the pull request adds, in ten files. */
const diffLines = 3_000;
/** Files of another one. */
const changedFiles = 1_000;

/** Address of a kind of page. */
interface Place {
  name: string;
  path: string;
}

/** The forge, and every kind of its pages. The rows are written into its store: by calls it would take a minute. */
export async function openLargeForge(): Promise<{ opened: TestForge; places: readonly Place[] }> {
  const opened = await openTestForge({ pages: forge => pages(forge, { actor: 'olga', key }) });
  const { forge } = opened;
  const call = (method: string, path: string, body: object) =>
    forge.call('olga', method, `/repos/${at.owner}/${at.repo}${path}`, body);
  for (const [index, name] of ['bug', 'docs', 'echelon'].entries())
    await call('POST', '/labels', { name, color: `${index}${index}88ff` });
  installTestApp(forge, 'http://127.0.0.1:9/none');
  const { run, job } = fill(join(forge.folder, 'forge.sqlite'));
  const logs = join(forge.folder, 'actions', 'logs');
  mkdirSync(logs, { recursive: true });
  writeFileSync(join(logs, `${job}.log`), log);
  const { lines, files } = await pushLarge(opened);
  const { body } = await call('POST', '/pulls', { title: 'Much', head: 'much', base: 'main', body: text(1) });
  const { number } = body as { number: number };
  const line = { path: 'src/part-0.js', line: 3, body: 'Why **this**?' };
  await call('POST', `/pulls/${number}/reviews`, { event: 'COMMENT', body: 'Hm.', comments: [line] });
  const { body: other } = await call('POST', '/pulls', { title: 'Many', head: 'many', base: 'main' });
  const work = `/${at.owner}/${at.repo}`;
  const last = Math.ceil((issues + 1) / 100);
  return {
    opened,
    places: [
      { name: 'the repositories', path: '/' },
      { name: 'a repository', path: work },
      { name: 'the issues', path: `${work}/issues` },
      { name: 'the issues, their last page', path: `${work}/issues?state=all&page=${last}` },
      { name: 'the form of an issue', path: `${work}/issues/new` },
      { name: 'an issue', path: `${work}/issues/7` },
      { name: 'an issue with 3,000 comments', path: `${work}/issues/1` },
      { name: 'all of its comments', path: `${work}/issues/1?comments=all` },
      { name: 'the pull requests', path: `${work}/pulls` },
      { name: 'a pull request of 3,000 lines', path: `${work}/pull/${number}` },
      { name: 'a pull request of 1,000 files', path: `${work}/pull/${(other as { number: number }).number}` },
      { name: 'a file of it', path: `${work}/pull/${number}/file?path=src/part-9.js` },
      { name: 'a folder of 1,000 files', path: `${work}/tree/many/src` },
      { name: 'a file of 3,000 lines', path: `${work}/blob/whole/large.js` },
      { name: 'the commits of a branch', path: `${work}/commits/much` },
      { name: 'a commit of 3,000 lines', path: `${work}/commit/${lines}` },
      { name: 'a commit of 1,000 files', path: `${work}/commit/${files}` },
      { name: 'the runs', path: `${work}/actions` },
      { name: 'a run of 100 jobs', path: `${work}/actions/runs/${run}` },
      { name: 'a log of 20,000 lines', path: `${work}/actions/runs/${run}/job/${job}` },
      { name: 'the deliveries', path: '/deliveries' },
    ],
  };
}

/** A text as long as people's are, with all that costs something to show. */
const text = (n: number) => `Looked at part ${n} with @wanda, see #${(n % issues) + 1} and \`part-${n}.js\`.

- [x] it **works** with _empty_ lists
- [ ] it is documented, as https://example.com/part/${n} asks

| case | ms |
|---|---|
| one | ${n} |
| two | ${n * 2} |

\`\`\`js
// Part ${n}.
export const part${n} = (list) => list.filter(each => each.size > ${n}).map(({ name }) => name ?? '${n}');
\`\`\`

> As said before: the order matters, and what is equal stays in the order in which it came.
`;

const log = Array.from(
  { length: 20_000 },
  (_, n) =>
    `2026-01-01T00:00:00.0000000Z ${n % 100 === 0 ? '##[group]' : ''}ok ${n} - what is tested here holds, as it did before`,
).join('\n');

const named = (db: DatabaseSync, sql: string) => db.prepare(sql).all() as { id: number; name: string }[];

function fill(file: string): { run: number; job: number } {
  const db = new DatabaseSync(file);
  const [repository = { id: 0 }] = named(db, `SELECT id, name FROM repositories WHERE name = '${at.repo}'`);
  const people = named(
    db,
    `SELECT id, login AS name FROM users WHERE login IN ('olga', 'wanda', 'tom', 'sam')`,
  );
  const labels = named(db, 'SELECT id, name FROM labels');
  const issue = db.prepare(
    `INSERT INTO issues (repository_id, number, title, body, state, author_id, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const labelled = db.prepare('INSERT INTO issue_labels (issue_id, label_id) VALUES (?, ?)');
  const comment = db.prepare(
    'INSERT INTO comments (issue_id, author_id, body, created_at, updated_at) VALUES (?, ?, ?, ?, ?)',
  );
  const when = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString().replace('.000', '');
  const who = (n: number) => people[n % people.length]?.id ?? 0;
  db.exec('BEGIN');
  const ids = Array.from({ length: issues }, (_, at) => {
    const n = at + 1;
    const title = `Part ${n} of what is to be done, said in a title as long as titles are`;
    const { lastInsertRowid: id } = issue.run(
      repository.id,
      n,
      title,
      text(n),
      'open',
      who(n),
      when(n),
      when(n),
    );
    for (const label of labels.slice(0, n % 4)) labelled.run(id, label.id);
    return id;
  });
  for (let n = 0; n < onFirst + onOthers; n++) {
    const id = n < onFirst ? ids[0] : ids[1 + (n % (issues - 1))];
    comment.run(id ?? 0, who(n), text(n), when(1000 + n), when(1000 + n));
  }
  const delivery = db.prepare(
    `INSERT INTO deliveries (app_id, guid, event, action, payload, state, queued_at, status_code)
     VALUES (?, ?, 'issue_comment', 'created', ?, 'done', ?, 202)`,
  );
  const payload = JSON.stringify({ comment: { body: text(1).repeat(5) } });
  const [app] = named(db, 'SELECT id, slug AS name FROM apps');
  for (let n = 0; n < onFirst + onOthers; n++) delivery.run(app?.id ?? 0, `guid-${n}`, payload, when(n));
  const run = workflowRun(db, repository.id, who(0), when(0));
  db.prepare('UPDATE repositories SET last_number = ? WHERE id = ?').run(issues, repository.id);
  db.exec('COMMIT');
  db.close();
  return run;
}

/** A run of many jobs, of which the first one has written much. */
function workflowRun(db: DatabaseSync, repository: number, actor: number, when: string) {
  const insert = (table: string, row: Record<string, string | number>) =>
    Number(
      db
        .prepare(
          `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${Object.keys(row)
            .map(() => '?')
            .join(', ')})`,
        )
        .run(...Object.values(row)).lastInsertRowid,
    );
  const [main] = named(db, `SELECT 0 AS id, sha AS name FROM refs WHERE name = 'refs/heads/main'`);
  const made = { created_at: when, updated_at: when };
  const workflow = { path: '.github/workflows/ci.yml', name: 'ci', state: 'active', ...made };
  const workflow_id = insert('workflows', { repository_id: repository, ...workflow });
  const ended = { status: 'completed', conclusion: 'success' };
  const run = insert('workflow_runs', {
    ...{ repository_id: repository, workflow_id, run_number: 1, event: 'push', head_sha: main?.name ?? '' },
    ...{ inputs: '{}', actor_id: actor, ...ended, ...made },
  });
  const jobs = Array.from({ length: 100 }, (_, n) =>
    insert('jobs', {
      ...{ run_id: run, name: `test (${n})`, labels: '[]', steps: '[]', key: `test-${n}`, ...ended },
      ...{ created_at: when, started_at: when, completed_at: when },
    }),
  );
  return { run, job: jobs[0] ?? 0 };
}

/** Branches: `whole` adds 3,000 lines in one file, `much` in ten; `many` a line in each of 1,000. The last two commits. */
async function pushLarge(opened: TestForge): Promise<{ lines: string; files: string }> {
  const folder = await opened.clone('olga', 'large');
  const line = (part: number, n: number) =>
    `export const value_${part}_${n} = compute('${n}', { part: ${part}, of: [${n}, ${n + 1}] }); // ${n}\n`;
  const lines = (part: number) => Array.from({ length: diffLines / 10 }, (_, n) => line(part, n)).join('');
  const files = (count: number, text: (part: number) => string) =>
    Object.fromEntries(Array.from({ length: count }, (_, part) => [`src/part-${part}.js`, text(part)]));
  const push = async (branch: string, changed: Record<string, string>) => {
    await git(folder, ['checkout', '--quiet', '-b', branch, 'origin/main']);
    const sha = await commit(folder, changed, `Add ${branch}`);
    await git(folder, ['push', '--quiet', 'origin', branch]);
    return sha;
  };
  await push('whole', { 'large.js': Array.from({ length: diffLines }, (_, n) => line(0, n)).join('') });
  return {
    lines: await push('much', files(10, lines)),
    files: await push(
      'many',
      files(changedFiles, part => line(part, 0)),
    ),
  };
}
