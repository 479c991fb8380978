// The bench `actions`: the jobs that a run starts on GitHub Actions, for 4 issues and for 30, and its calls to GitHub.
import type { Figure, Report } from './figures.ts';
import { fatesOf, type Many } from './many.ts';
import { playMany, type PlayedMany } from './play-many.ts';

/** Four issues, of which the last depends on the first; a person approves the plan. */
const few: Many = { fates: ['once', 'once', 'once', 'once'], maxParallel: 3, chained: true };
/** A third fails once, and two for good. */
const many: Many = { fates: fatesOf(30), maxParallel: 8 };
/** Calls that a token of GitHub Actions may make an hour. */
const hourly = 1000;

export async function actions(): Promise<Report> {
  const small = await playMany(few, 'actions', { config: ['test: sh test.sh'] });
  const large = await playMany(many, 'actions');
  const app = await playMany(many, 'app');
  const issues = many.fates.length;
  const same = JSON.stringify(large.states) === JSON.stringify(app.states);
  return {
    figures: [
      ...jobsOf('4 issues', small, { started: [16, 9], inSequence: [12, 7] }),
      ...jobsOf('30 issues', large, { minutes: [93, 60] }),
      {
        ...{ name: 'calls of the run, 30 issues', value: large.read + large.write, unit: 'calls' },
        baseline: { name: 'a token, an hour', value: hourly },
        ...{ aim: `<= ${hourly}`, ok: large.read + large.write <= hourly },
      },
      compared('reads of GitHub, an issue', 'calls', large.read / issues, app.read / issues),
      compared('writes to GitHub, an issue', 'calls', large.write / issues, app.write / issues),
      compared('makespan', 's', large.seconds, app.seconds),
    ],
    notes: [
      same
        ? 'every issue ends in the same state as by the App'
        : `states differ: ${large.states} / ${app.states}`,
      ...[small, large, app].flatMap(({ leftOver }) => leftOver.map(each => `left over: ${each}`)),
    ],
  };
}

type Jobs = NonNullable<PlayedMany['jobs']>;
const units: Record<keyof Jobs, string> = { started: 'jobs', inSequence: 'jobs', minutes: 'min' };
const names: Record<keyof Jobs, string> = {
  ...{ started: 'jobs started', inSequence: 'longest sequence of jobs', minutes: 'billed minutes' },
};

/** `aims`: the figure with a job that settles for each engineer, and the most that it is to be. */
const jobsOf = (of: string, { jobs }: PlayedMany, aims: Partial<Record<keyof Jobs, [number, number]>>) =>
  (['started', 'inSequence', 'minutes'] as const).map((key): Figure => {
    const [before = null, most] = aims[key] ?? [];
    const value = jobs?.[key] ?? null;
    return {
      ...{ name: `${names[key]}, ${of}`, unit: units[key], value },
      baseline: { name: before === null ? '' : 'one settle an engineer', value: before },
      ...(most === undefined
        ? { aim: '', ok: true }
        : { aim: `<= ${most}`, ok: value !== null && value <= most }),
    };
  });

const compared = (name: string, unit: string, value: number, baseline: number): Figure => ({
  ...{ name, unit, value, baseline: { name: 'App', value: baseline } },
  ...{ aim: '', ok: true },
});
