// The bench `actions`: 30 issues, of which a third fail once and two for good, by workflows and by the local executor.
import type { Figure, Report } from './figures.ts';
import { fatesOf, type Many } from './many.ts';
import { playMany } from './play-many.ts';

const many: Many = { fates: fatesOf(30), maxParallel: 8 };
/** What a token of GitHub Actions may call an hour. */
const hourly = 1000;

export async function actions(): Promise<Report> {
  const app = await playMany(many, 'app');
  const actions = await playMany(many, 'actions');
  const figure = (name: string, unit: string, value: number, baseline: number): Figure => ({
    ...{ name, unit, value, baseline: { name: 'local executor', value: baseline } },
    ...{ aim: '', ok: true },
  });
  const calls = actions.read + actions.write;
  const issues = many.fates.length;
  const same = JSON.stringify(actions.states) === JSON.stringify(app.states);
  return {
    figures: [
      figure('makespan', 's', actions.seconds, app.seconds),
      figure('reads of GitHub, an issue', 'calls', actions.read / issues, app.read / issues),
      figure('writes to GitHub, an issue', 'calls', actions.write / issues, app.write / issues),
      {
        name: 'calls of the run',
        value: calls,
        unit: 'calls',
        baseline: { name: 'a token, an hour', value: hourly },
        aim: `<= ${hourly}`,
        ok: calls <= hourly,
      },
    ],
    notes: [
      same
        ? 'every issue ends in the same state by both'
        : `states differ: ${actions.states} / ${app.states}`,
      ...[...actions.leftOver, ...app.leftOver].map(each => `left over: ${each}`),
    ],
  };
}
