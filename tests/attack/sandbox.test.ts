// Attacks by code that a model wrote: out of the sandbox, into the operator's secrets, or past what a patch may hold.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLocal } from '../../src/doors/cli/local.ts';
import { createCheckout } from '../../packages/ground/workspace/checkout.ts';
import { runCommand } from '../../packages/ground/workspace/command.ts';
import { git } from '../../packages/ground/workspace/git.ts';
import { chooseIsolation } from '../../packages/ground/workspace/isolation.ts';
import { openDialogue } from '../dialogue/fixture.ts';
import { engineeringLead, strategist, teamLead, toWork } from '../dialogue/script.ts';
import { repository, temporary } from '../ground/workspace/fixture.ts';

const isolation = await chooseIsolation('auto', { secretsPresent: false });
const confined = test.skipIf(isolation.kind === 'none');
/** Any committer. */
const identity = {
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.com',
};
const hostPath = process.env['PATH'] ?? '/usr/bin:/bin';

async function room() {
  const folder = await temporary();
  const job = join(folder.path, 'job');
  for (const name of ['tree', 'home']) await mkdir(join(job, name), { recursive: true });
  const run = async (command: string) => {
    const { stdout, stderr } = await runCommand({
      command,
      tree: join(job, 'tree'),
      home: join(job, 'home'),
      hostPath,
      env: {},
      time: { ms: 20_000, more: 'no more' },
      maxOutputBytes: 20_000,
      isolation,
      hosts: [],
      signal: new AbortController().signal,
    });
    return stdout + stderr;
  };
  return { folder, job, run };
}

confined(
  'no link that one command leaves behind opens the disk to the next (skipped without bubblewrap)',
  async () => {
    const { folder, job, run } = await room();
    await using _ = folder;
    const secret = join(folder.path, 'secret');
    await writeFile(secret, 'CANARY');
    for (const name of ['$HOME/tmp', '$HOME', '$PWD', '$TMPDIR', '/tmp', '../tmp'])
      await run(
        `mv "${name}" "${name}.old"; rm -rf "${name}"; ln -s / "${name}"; ln -s ${folder.path} "${name}/in"`,
      );
    const places = ['/tmp', '$HOME/tmp', '$HOME', '..', '../tmp', '/tmp/in', '$HOME/in', '.'];
    const said = await run(
      places
        .map(place => `cat "${place}${secret}" "${place}/secret"; echo x > "${place}/${folder.path}/new"`)
        .join('\n'),
    );
    expect(said).not.toContain('CANARY');
    expect(existsSync(join(folder.path, 'new'))).toBe(false);
    expect(existsSync(join(job, 'report.json'))).toBe(false);
  },
);

confined(
  'a command sees neither the job that started it nor its folder (skipped without bubblewrap)',
  async () => {
    const { folder, job, run } = await room();
    await using _ = folder;
    await writeFile(join(job, 'job.json'), 'CANARY-SPEC');
    process.env['ATTACK_CANARY'] = 'CANARY-ENVIRONMENT';
    try {
      const said = await run(
        'cat ../job.json; echo forged > ../report.json; cat /proc/*/environ | tr "\\0" "\\n"; ls -a ..',
      );
      expect(said).not.toContain('CANARY-');
      expect(existsSync(join(job, 'report.json'))).toBe(false);
    } finally {
      delete process.env['ATTACK_CANARY'];
    }
  },
);

test('a repository in the tree runs nothing when its files are collected', async () => {
  await using server = await repository({ 'README.md': '# A\n' });
  await using folder = await temporary();
  const checkout = await createCheckout({
    mirror: server.mirror.path,
    commit: server.base,
    folder: folder.path,
  });
  const trace = join(folder.path, 'trace');
  for (const at of [checkout.tree, join(checkout.tree, 'nested')]) {
    await mkdir(at, { recursive: true });
    await git(['init', '--quiet', at]);
    const options = { gitDir: join(at, '.git'), workTree: at, cwd: at, env: identity };
    await git(['commit', '--quiet', '--allow-empty', '--message', 'Begin'], options);
    const hostile = `[core]\n\tfsmonitor = touch ${trace}\n\thooksPath = ${at}\n[filter "x"]\n\tclean = touch ${trace}\n`;
    await writeFile(join(at, '.git', 'config'), hostile, { flag: 'a' });
    await writeFile(join(at, '.gitattributes'), '* filter=x\n');
  }
  await checkout.writeTree();
  await checkout.diff();
  expect(existsSync(trace)).toBe(false);
});

/** The App with a real model's key, on a repository whose configuration wants its isolation off. */
test.each(['isolation: none', 'network: all'])(
  'a repository with `%s` begins no run beside a key',
  async config => {
    await using folder = await temporary();
    const from = join(folder.path, 'source');
    await mkdir(join(from, '.github'), { recursive: true });
    await writeFile(join(from, '.github', 'echelon.yml'), `${config}\n`);
    const options = { gitDir: join(from, '.git'), workTree: from, cwd: from, env: identity };
    await git(['init', '--quiet', from]);
    await git(['add', '--all'], options);
    await git(['commit', '--quiet', '--message', 'Begin'], options);
    const local = await openLocal({
      folder: join(folder.path, 'data'),
      repository: { owner: 'you', name: 'shelf', from },
      person: 'you',
      logLevel: 'silent',
      installations: {
        // Nothing listens there: the run must not come so far.
        model: {
          provider: 'served',
          keys: { anthropic: { apiKey: 'CANARY-0123456789', baseUrl: 'http://127.0.0.1:9' } },
        },
        secrets: ['CANARY-0123456789'],
        host: { path: hostPath, allows: { isolationNone: false, network: false } },
        test: 'true',
        log: () => {},
      },
    });
    try {
      await local.forge.call('you', 'POST', '/repos/you/shelf/issues', { title: 'Go', body: '' });
      await local.forge.call('you', 'POST', '/repos/you/shelf/issues/1/labels', { labels: ['echelon'] });
      await local.idle();
      const { body } = await local.forge.call('you', 'GET', '/repos/you/shelf/issues/1/comments');
      const said = (body as { body: string }[]).map(comment => comment.body);
      expect(said).toHaveLength(1);
      expect(said[0]).toContain('The run does not begin');
    } finally {
      await local.close();
    }
  },
);

test('the forge keeps its keys from other users of the machine', async () => {
  await using d = await openDialogue({
    processes: true,
    replies: [strategist('x'), engineeringLead('x'), teamLead('x')],
  });
  const { mode } = statSync(join(d.folder, 'data', 'forge'));
  expect(mode & 0o077).toBe(0);
});

test.skipIf(!existsSync('/proc/self/environ'))(
  'a job has nothing of the environment of the process that started it (skipped without /proc)',
  async () => {
    await using d = await openDialogue({
      processes: true,
      config: 'approval: none',
      replies: [
        ...toWork({ title: 'Go' }),
        { for: 'engineer.director', tool_calls: [{ name: 'shell', input: { command: 'sleep 600' } }] },
      ],
    });
    const environments = () =>
      readdirSync('/proc')
        .filter(name => /^\d+$/.test(name))
        .flatMap(pid => {
          try {
            return [readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean)];
          } catch {
            return [];
          }
        })
        .filter(all => all.some(each => each.startsWith(`INPUT_JOB=${join(d.folder, '')}`)));
    process.env['GITHUB_TOKEN'] = 'ghs_canary';
    try {
      await d.label();
      await d.progress('the job runs', () => environments().length > 0);
      const names = environments().flatMap(all => all.map(each => each.split('=')[0]));
      expect([...new Set(names)].sort()).toEqual(['INPUT_JOB', 'INPUT_MODE', 'PATH']);
    } finally {
      delete process.env['GITHUB_TOKEN'];
    }
    await d.comment('you', '/cancel');
  },
);

test('a tree that git cannot take costs one play of the attempt, not three', async () => {
  const round = [
    {
      for: 'engineer.director',
      tool_calls: [{ name: 'shell', input: { command: 'git init --quiet nested' } }],
      usage: { input_tokens: 1, output_tokens: 1, cache_read_tokens: 0, cache_write_tokens: 0, cost_usd: 1 },
    },
    { for: 'engineer.director', text: 'Done.' },
  ];
  await using d = await openDialogue({
    processes: true,
    config: 'approval: none\nretries: 0',
    replies: [...toWork({ title: 'Go' }), ...Array.from({ length: 3 }, () => round).flat()],
  });
  await d.run();
  expect((await d.board()).body).toContain('$1.00 of');
});
