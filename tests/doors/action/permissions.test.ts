// The table of docs/actions.md, of what each job may do, held against the workflow files.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from '../cli/run-cli.ts';

interface Job {
  permissions?: Record<string, string>;
  uses?: string;
  'cache-mode'?: string;
  concurrency?: { group: string; queue: string };
  steps?: { uses?: string; with?: Record<string, string>; env?: Record<string, string> }[];
  secrets?: Record<string, string>;
}
interface Workflow {
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
}

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const workflow = (file: string): Workflow => parse(read(`.github/workflows/${file}`)) as Workflow;
const files = ['run.yml', 'engineer.yml', 'jobs.yml', 'deliver.yml'];
/** Every job that has steps of its own, with the file that it stands in. */
const jobs = files.flatMap(file =>
  Object.values(workflow(file).jobs).flatMap(job => (job.steps ? [{ file, job, steps: job.steps }] : [])),
);

/** `contents: read; issues: write` */
const listed = (permissions: Record<string, string>) =>
  Object.entries(permissions)
    .map(([scope, level]) => `${scope}: ${level}`)
    .sort();

/** The rows of the table: cells by the column's head. */
const rows = (() => {
  const page = read('docs/actions.md');
  const lines = page
    .slice(page.indexOf('| job | file |'))
    .split('\n')
    .filter(line => line.startsWith('|'));
  const cells = (line = '') =>
    line
      .split('|')
      .slice(1, -1)
      .map(cell => cell.trim().replaceAll('`', ''));
  const head = cells(lines[0]);
  const end = lines.findIndex(line => cells(line).length !== head.length);
  return lines
    .slice(2, end)
    .map(line => Object.fromEntries(cells(line).map((cell, n) => [head[n] ?? '', cell])));
})();

/** Permissions in a cell such as `actions, issues: write; contents: read, not handed on`. */
function allowed(cell: string): string[] {
  return cell.split(';').flatMap(part => {
    const [scopes = '', level = ''] = part.split(':');
    const [, word = ''] = /^ (read|write)/.exec(level) ?? [];
    return scopes.split(',').map(scope => `${scope.trim().replace(/ /g, '-')}: ${word}`);
  });
}

const keys: Record<string, string> = {
  model: 'ANTHROPIC_API_KEY',
  record: 'ECHELON_STATE_KEY',
  app: 'ECHELON_APP_PRIVATE_KEY',
};

test('the table has a row for each job with steps, and no other', () => {
  expect(rows.map(row => row['file']).sort()).toEqual(jobs.map(({ file }) => file).sort());
});

test.each(rows.map(row => [row['job'] ?? '', row] as const))('%s may do what its row says', (_name, row) => {
  const found = jobs.find(({ file }) => file === row['file']);
  const step = found?.steps.findLast(({ uses }) => uses === '$/action');
  expect(step?.with?.['mode']).toBe(row['mode']);
  expect(listed(found?.job.permissions ?? {})).toEqual(allowed(row['token'] ?? '').sort());
  // A comparison tells a job that there is a secret, and not which.
  const text = JSON.stringify(found?.job).replaceAll(/secrets\.\w+ != ''/g, '');
  for (const [word, name] of Object.entries(keys))
    expect([name, text.includes(`secrets.${name}`)]).toEqual([
      name,
      (row['keys'] ?? '').split(', ').includes(word),
    ]);
});

test('a job with the model’s key and model-written code has a token in the step that fetches, before any code runs', () => {
  const engineer = jobs.find(({ file }) => file === 'engineer.yml');
  const token = /github\.token|GITHUB_TOKEN|secrets\.ECHELON/;
  const named = engineer?.steps.filter(step => token.test(JSON.stringify(step)));
  expect(named).toEqual([
    expect.objectContaining({ uses: '$/action', with: expect.objectContaining({ mode: 'fetch' }) }),
  ]);
  const before = engineer?.steps.slice(0, engineer.steps.indexOf(named?.[0] ?? {}));
  expect(before?.map(({ uses }) => uses)).toEqual([expect.stringMatching(/^actions\/download-artifact@/)]);
  expect(JSON.stringify(engineer)).not.toMatch(/actions\/checkout@/);
});

test('a job with the write token and the record’s key checks nothing out and runs no script', () => {
  for (const { job, steps } of jobs)
    if (job.permissions?.['contents'] === 'write')
      expect(steps.map(({ uses }) => uses)).toEqual([
        expect.stringMatching(/^actions\/create-github-app-token@[\da-f]{40}$/),
        '$/action',
      ]);
});

test('the App’s token can push branches and open pull requests, and goes to nothing else', () => {
  const [made, worked, ...more] = jobs.find(({ file }) => file === 'deliver.yml')?.steps ?? [];
  const { 'client-id': _id, 'private-key': _key, ...permissions } = made?.with ?? {};
  expect(permissions).toEqual({ 'permission-contents': 'write', 'permission-pull-requests': 'write' });
  expect(JSON.stringify(worked).match(/steps\.app\.outputs\.token/g)).toHaveLength(1);
  expect([worked?.with?.['pulls_token'], more]).toEqual([
    expect.stringContaining('steps.app.outputs.token'),
    [],
  ]);
});

test('only the job that runs the default branch may write to the cache', () => {
  const modes = ['run.yml', 'jobs.yml'].flatMap(file =>
    Object.entries(workflow(file).jobs).flatMap(([name, { uses, ...job }]) =>
      uses?.endsWith('/engineer.yml') ? [[name, job['cache-mode']]] : [],
    ),
  );
  expect(modes).toEqual([
    ['base', 'write'],
    ['engineer', 'read'],
    ['issue', 'read'],
  ]);
});

test('whoever works an issue may read contents, and has no secret but the models’ keys', () => {
  const ours = [
    ...['.github/workflows/run.yml', '.github/workflows/jobs.yml'],
    ...['src/doors/cli/init/echelon.yml', 'src/doors/cli/init/echelon-app.yml'],
  ].flatMap(path => Object.values((parse(read(path)) as Workflow).jobs));
  const working = ours.filter(({ uses }) => /(engineer|jobs)\.yml(@|$)/.test(uses ?? ''));
  expect(working).toHaveLength(5);
  // The job `base` has none at all.
  const keyless = working.filter(({ secrets }) => secrets === undefined);
  expect(keyless.map(({ permissions }) => permissions)).toEqual([{ contents: 'read' }]);
  for (const { permissions, secrets } of working.filter(each => !keyless.includes(each)))
    expect([permissions, Object.keys(secrets ?? {})]).toEqual([
      { contents: 'read' },
      ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY'],
    ]);
});

test('the workflows by identity let the jobs with a model’s key show whose they are, and no others', () => {
  const mayShow = ['run', 'engineer', 'jobs', 'check'].flatMap(name =>
    Object.entries(workflow(`${name}-identity.yml`).jobs).flatMap(([job, { permissions, ...rest }]) => {
      const { 'id-token': shows, ...others } = permissions ?? {};
      expect(others).toEqual(workflow(`${name}.yml`).jobs[job]?.permissions);
      expect([job, shows]).toEqual([
        job,
        /secrets\.ANTHROPIC/.test(JSON.stringify(rest)) ? 'write' : undefined,
      ]);
      return shows ? [[job, others['contents']]] : [];
    }),
  );
  expect(mayShow).toEqual(['advance', 'engineer', 'work', 'issue', 'models'].map(job => [job, 'read']));
});

test('whoever writes to a directive stands in its one queue', () => {
  const writers = jobs.filter(({ job }) => job.permissions?.['issues'] === 'write');
  expect(writers).toHaveLength(2);
  for (const { job } of writers)
    expect(job.concurrency).toEqual({ group: expect.stringMatching(/^echelon-\$\{\{/), queue: 'max' });
});

test.each(files)(
  '%s gives nothing that it does not name: no permission by default, no secret but by its name',
  file => {
    const { permissions, jobs } = workflow(file);
    expect(permissions).toEqual({});
    for (const job of Object.values(jobs)) {
      expect(job.permissions).toBeDefined();
      expect(job.secrets ?? {}).toBeTypeOf('object');
    }
  },
);

test('no called workflow is granted more than its jobs take', () => {
  const taken = (uses: string): string[] => {
    const called = workflow(uses.split('/').at(-1) ?? '');
    return Object.values(called.jobs).flatMap(job => listed(job.permissions ?? {}));
  };
  for (const file of [...files, 'run-identity.yml', 'jobs-identity.yml'])
    for (const job of Object.values(workflow(file).jobs))
      if (job.uses) expect(taken(job.uses)).toEqual(expect.arrayContaining(listed(job.permissions ?? {})));
});
