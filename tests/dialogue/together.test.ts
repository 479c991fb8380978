// Delivered branches are tested together before the end is reported: conflicting branches, and the effect of /fix.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Dialogue, openDialogue } from './fixture.ts';
import { evaluator, passes, type Reply, round, toWork } from './script.ts';

const config = 'approval: none\n';

/** Issues that run side by side, each with the files that its engineer writes. */
const siblings = (...each: [title: string, files: Record<string, string>][]): Reply[] => [
  ...toWork(...each.map(([title], at) => ({ title, domain: ['backend', 'docs', 'frontend'][at] }))),
  ...each.flatMap(([title, files]) => [...passes(`The body of ${title}`, files)]),
];

const end = async (d: Dialogue) =>
  (await d.said()).findLast(text => /^The run is completed/.test(text)) ?? '';
const ends = (d: Dialogue) => d.events.filter(({ type }) => type === 'run_settled').length;
/** Until the run has ended another time. */
async function fixed(d: Dialogue, login: string, text: string, on?: number): Promise<void> {
  const before = ends(d);
  await d.comment(login, text, on);
  await d.until('another end', () => ends(d) > before);
}
/** The pull request of an issue, by its title. */
const pullOf = async (d: Dialogue, title: string) =>
  (await d.call<{ number: number; title: string }[]>('you', 'GET', '/pulls')).find(
    pull => pull.title === title,
  )?.number ?? 0;
const togethers = (d: Dialogue) =>
  d.events.flatMap(event => (event.type === 'together' ? [event.state] : []));

test('branches that pass alone and together: one sentence in the end', async () => {
  await using d = await openDialogue({
    config,
    replies: siblings(['Left', { left: '1\n' }], ['Right', { right: '1\n' }]),
  });
  await d.run();
  expect(togethers(d)).toEqual(['running', 'green']);
  expect(await end(d)).toContain('Merged into the base branch as it is now, the work passes the tests.');
  expect((await d.board()).body).not.toContain('ogether');
});

test('branches that conflict: a round that comes to nothing, then named on the board and in the end; /fix merges one into the other', {
  timeout: 180_000,
}, async () => {
  await using d = await openDialogue({
    config: `${config}draft: false\nrounds: 1\n`,
    replies: [
      ...round('Make it fit together', { same: 'left and right\n' }),
      ...round('These files conflict', { same: 'left\n' }).slice(0, -1),
      evaluator('These files conflict', false, 'What of the right?'),
      ...siblings(['Left', { same: 'left\n' }], ['Right', { same: 'right\n' }]),
    ],
  });
  await d.run();
  const [left, right] = [await pullOf(d, 'Left'), await pullOf(d, 'Right')];
  expect(togethers(d)).toEqual(['conflict']);
  const said = `**#${left} and #${right} conflict**, in \`same\`. Type \`/fix #${right}\` here`;
  expect(await end(d)).toContain(said);
  expect((await d.board()).body).toContain(said);
  await fixed(d, 'wanda', `/fix #${right}`);
  // It stands on the other one now, and its round was tested so: nothing more is to be said.
  expect(togethers(d)).toEqual(['conflict']);
  expect(await end(d)).toContain(`#${right} for #3, Right (stands on #${left})`);
  expect(`${await end(d)}${(await d.board()).body}`).not.toContain('conflict');
  const pull = await d.call<{ base: { ref: string }; head: { sha: string } }>(
    'you',
    'GET',
    `/pulls/${right}`,
  );
  expect(pull.base.ref).toMatch(/\/2-left$/);
  const { parents } = await d.call<{ parents: unknown[] }>('you', 'GET', `/commits/${pull.head.sha}`);
  expect(parents).toHaveLength(2);
  const [spec] = d
    .attemptFolders()
    .map(folder => JSON.parse(readFileSync(join(folder, 'job.json'), 'utf8')))
    .filter(({ wanted }) => wanted);
  expect(spec.wanted.fit).toMatchObject({
    conflicts: ['same'],
    others: [{ name: `#${left}`, title: 'Left' }],
  });
  // In the order that is told all of it can be merged.
  for (const number of [left, right]) {
    await d.call('you', 'PUT', `/pulls/${number}/merge`, {});
    await d.settled();
  }
  // Off the new base it comes to what was tested already.
  expect(togethers(d).slice(1)).toEqual(['green']);
  const { content } = await d.call<{ content: string }>('you', 'GET', '/contents/same');
  expect(Buffer.from(content, 'base64').toString()).toBe('left and right\n');
});

test('of three that pass alone the two are found that fail together, and a round makes the later one fit', {
  timeout: 180_000,
}, async () => {
  await using d = await openDialogue({
    config,
    files: { 'test.sh': 'test ! -s left -o ! -s right || { echo "✖ stands (3ms)"; exit 1; }\n' },
    replies: [
      ...round('together they do not', { right: '', left: '2\n' }),
      ...siblings(['Left', { left: '1\n' }], ['Else', { else: '1\n' }], ['Right', { right: '1\n' }]),
    ],
  });
  await d.run();
  const [left, right] = [await pullOf(d, 'Left'), await pullOf(d, 'Right')];
  expect(await d.last(right)).toContain(`which makes it fit with #${left},`);
  expect(togethers(d)).toEqual(['running', 'red', 'running', 'green']);
  expect(await end(d)).toContain('Merged into the base branch as it is now, the work passes the tests.');
  expect(await end(d)).toContain(`#${right} for #4, Right (stands on #${left})`);
});

test('where no test command is known only conflicts are looked for, and the end says so', async () => {
  await using d = await openDialogue({
    config,
    test: '',
    replies: siblings(['Left', { left: '1\n' }], ['Right', { right: '1\n' }]),
  });
  await d.run();
  expect(await end(d)).toContain(
    'the work does not conflict. It was not tested so: no test command is known.',
  );
});

test('one branch whose base has moved on is tested there', async () => {
  let moved = false;
  const d = await openDialogue({
    config,
    files: { 'test.sh': 'test ! -e left -o ! -s other\n', other: '' },
    replies: siblings(['Left', { left: '1\n' }]),
    async onCall({ method, route }, at) {
      if (moved || at !== 'received' || method !== 'POST' || !route.endsWith('/pulls')) return;
      moved = true;
      await d.putFile('other', '1\n');
    },
  });
  await using _ = d;
  await d.run();
  expect(togethers(d)).toEqual(['running', 'red']);
  expect(await end(d)).toContain('fails the tests on the base branch as it is now** (exit code 1)');
});

test('a draft that conflicts with what others have merged since gets a round', async () => {
  await using d = await openDialogue({
    config,
    files: { same: '' },
    replies: [
      ...round('These files conflict', { same: 'ours and theirs\n' }),
      ...siblings(['Left', { same: 'ours\n' }]),
    ],
  });
  await d.run();
  const left = await pullOf(d, 'Left');
  await d.putFile('same', 'theirs\n');
  const before = ends(d);
  await d.local.webhooks.reconcileAll(true);
  await d.until('another end', () => ends(d) > before);
  const said = await d.last(left);
  expect(said).toContain('Round 1');
  expect(await d.call('you', 'GET', `/pulls/${left}`)).toMatchObject({ mergeable: true });
  await d.local.webhooks.reconcileAll(true);
  await d.settled();
  expect(await d.last(left)).toBe(said);
});

/** Two branches, and tests of both together that wait until the file `go` is there. */
async function whileTested(): Promise<Dialogue> {
  const d = await openDialogue({
    processes: true,
    config,
    files: {
      'test.sh': 'test -e left -a -e right || exit 0\nuntil test -e ../../../go; do sleep 0.05; done\n',
    },
    replies: siblings(['Left', { left: '1\n' }], ['Right', { right: '1\n' }]),
  });
  await d.call('you', 'POST', `/issues/${d.issue}/labels`, { labels: ['echelon'] });
  await d.progress('tests of both', () => togethers(d).includes('running'));
  await d.progress('a process that runs them', () => d.jobProcess() !== undefined);
  return d;
}

test('a process that dies while they are tested goes on with them, and begins none twice', async () => {
  await using d = await whileTested();
  const jobs = readdirSync(join(d.folder, 'data/jobs'));
  await d.whileAway(async () => writeFileSync(join(d.folder, 'data/go'), ''));
  await d.ended();
  expect(readdirSync(join(d.folder, 'data/jobs'))).toEqual(jobs);
  expect(await end(d)).toContain('Merged into the base branch as it is now, the work passes the tests.');
});

test('tests of both that are lost do not keep the run from its end, which says so', async () => {
  await using d = await whileTested();
  const killed = new Set<number>();
  await d.progress('its third death', () => {
    const pid = d.jobProcess();
    if (pid !== undefined && !killed.has(pid) && d.killJob()) killed.add(pid);
    return killed.size === 3;
  });
  await d.ended();
  expect(await d.status()).toBe('completed');
  expect(await end(d)).toContain('It was not tested so: the job was lost: ');
});

test('/cancel ends them; what is delivered stays so', async () => {
  await using d = await whileTested();
  await d.comment('wanda', '/cancel');
  await d.ended();
  expect(d.jobsRun()).toBe(false);
  expect((await d.board()).body).toMatch(/Left \| delivered[\s\S]*Right \| delivered/);
});
