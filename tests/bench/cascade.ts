// The bench `cascade`: writes to GitHub until a listing is performed, and how soon a person sees an answer.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStory, playOn } from '../crash/story.ts';
import { type Answers, answersBy, doors } from './answer-times.ts';
import { type Figure, type Report, rounded } from './figures.ts';
import { directive, type Fate, type Many, repositoryOf, scriptOf } from './many.ts';
import { median } from './measure.ts';

const counts = [1, 4, 10, 30];
const aim = { fixed: 12, each: 2 };
/** Milliseconds: what a person takes for at once. */
const AT_ONCE = 300;

export async function cascade(): Promise<Report> {
  const written: { issues: number; writes: number }[] = [];
  for (const issues of counts) written.push({ issues, writes: await writesFor(issues) });
  const answered = [];
  for (const door of doors) answered.push({ door: door.name, ...(await answersBy(door)) });
  return {
    figures: [...writtenFigures(written), ...answered.flatMap(answeredFigures)],
    notes: [
      'writes: from the label to the moment when the first engineer works; the tests at the base are among them',
      ...answered.map(({ door, ...times }) => spreads(door, times)),
      'an answer is the first comment or reaction that GitHub has taken; the process under test had nothing else to do',
    ],
  };
}

/** Writes of the App from the label until it has performed what was approved and waits for its engineers. */
async function writesFor(count: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-cascade-'));
  const many: Many = { fates: Array.from({ length: count }, (): Fate => 'once'), maxParallel: 1 };
  const source = repositoryOf(many, join(folder, 'source'), ['test: sh test.sh']);
  const plot = { directive, script: scriptOf(many, { engineers: 600_000 }) };
  mkdirSync(join(folder, 'story'));
  const path = process.env['PATH'] ?? '/usr/bin:/bin';
  const local = await openStory({ folder: join(folder, 'story'), source, path, plot, onCall() {}, log() {} });
  try {
    const begins = new Promise<void>(resolve => {
      local.installations.bus.on(({ type }) => void (type === 'slot_changed' && resolve()));
    });
    // It does not come to its end: the engineers are not waited for.
    playOn(local, () => {}, plot).catch(() => {});
    await begins;
    await local.idle();
    const own = local.forge.calls.filter(({ kind, actor }) => kind === 'write' && actor === 'echelon[bot]');
    const created = own.filter(({ route }) => route.endsWith('/sub_issues')).length;
    if (created !== count) throw new Error(`${created} issues were created instead of ${count}`);
    return own.length;
  } finally {
    await local.stopJobs();
    await local.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function writtenFigures(written: readonly { issues: number; writes: number }[]): Figure[] {
  const unit = 'writes';
  const { fixed, each } = fitted(written);
  return [
    ...written.map(({ issues, writes }) => {
      const most = aim.fixed + aim.each * issues;
      const name = `from the label to the listing performed, ${issues} issue${issues === 1 ? '' : 's'}`;
      const baseline = { name: `${aim.fixed} + ${aim.each}N`, value: most };
      return { name, value: writes, unit, baseline, aim: `<= ${most} ${unit}`, ok: writes <= most };
    }),
    ...[
      { name: 'of these whatever the number of issues (least squares)', value: fixed, most: aim.fixed },
      { name: 'of these for each issue (least squares)', value: each, most: aim.each },
    ].map(({ name, value, most }) => ({
      ...{ name, value: rounded(value), unit, baseline: { name: 'aim', value: most } },
      ...{ aim: `<= ${most} ${unit}`, ok: rounded(value) <= most },
    })),
  ];
}

function fitted(points: readonly { issues: number; writes: number }[]): { fixed: number; each: number } {
  const mean = (of: (point: (typeof points)[number]) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [x, y] = [mean(({ issues }) => issues), mean(({ writes }) => writes)];
  const each =
    mean(({ issues, writes }) => (issues - x) * (writes - y)) / mean(({ issues }) => (issues - x) ** 2);
  return { fixed: y - each * x, each };
}

const answeredFigures = ({ door, ...times }: Answers & { door: string }): Figure[] =>
  (
    [
      ['a label is answered', times.label],
      ['a command is answered', times.command],
    ] as const
  ).map(([name, values]) => ({
    name: `${name}, ${door}`,
    value: rounded(median(values)),
    unit: 'ms',
    baseline: { name: 'one HTTP round trip', value: rounded(median(times.roundTrip)) },
    aim: `<= ${AT_ONCE} ms`,
    ok: median(values) <= AT_ONCE,
  }));

function spreads(door: string, { label, command, process }: Answers): string {
  const told = (values: readonly number[]) => {
    const share = rounded(median(values) / median(process));
    return `${rounded(Math.min(...values))} to ${rounded(Math.max(...values))} ms, ${share} of the start of an empty Node process`;
  };
  return `${door}, ${label.length} times each: a label ${told(label)}; a command ${told(command)}`;
}
