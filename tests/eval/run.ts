// `npm run eval -- --model <name>`: scores a model on the directives, and says so by a table, JSON and the exit code.
import { copyFileSync, existsSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { print } from '../../src/doors/cli/output.ts';
import { interruption, Interrupted } from '../../src/doors/interrupt.ts';
import { readSettings, type Settings } from '../../src/doors/settings.ts';
import { messageOf } from '../../packages/ground/lib/message.ts';
import { removeTree } from '../../packages/ground/workspace/remove-tree.ts';
import { lacking } from './commands.ts';
import { type Directive, directives } from './directives.ts';
import { mini, playMini } from './mini.ts';
import { help, type Plan, planOf } from './plan.ts';
import { keepsSecrets, play } from './play.ts';
import { brokenRow, type Row, rowOf, skippedRow, table, totalsOf } from './report.ts';

const say = (line: string) => void process.stderr.write(`${line}\n`);

async function main(argv: string[]): Promise<number> {
  const settings = readSettings();
  const all = directives();
  const read = planOf(argv, settings, all);
  if ('help' in read) {
    await print(help(all));
    return 0;
  }
  if ('problems' in read) {
    for (const problem of read.problems) say(problem);
    say('\nnpm run eval -- --help lists the options.');
    return 2;
  }
  const { plan } = read;
  const signal = interruption();
  const rows: Row[] = [];
  try {
    for (const directive of plan.directives) {
      rows.push(await score(directive, plan, rows, settings, signal));
      if (plan.against !== undefined) rows.push(await scoreMini(directive, plan, rows, settings, signal));
    }
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    say('\ninterrupted: what was begun is ended, and its folder is removed');
    return 130;
  }
  const totals = totalsOf(rows.filter(({ agent }) => agent === undefined));
  const theirs = totalsOf(rows.filter(({ agent }) => agent !== undefined));
  const shown = [
    ...['', table(rows), ''],
    ...rows.flatMap(({ directive, agent, why }) => why.map(each => `${agent ?? directive}: ${each}`)),
    sentenceOf(totals),
    ...(plan.against === undefined ? [] : [`${mini}: ${sentenceOf(theirs)}`]),
  ].join('\n');
  if (plan.json) {
    say(shown);
    await print(JSON.stringify({ model: plan.name, mode: plan.mode, totals, directives: rows }));
  } else await print(shown);
  return totals.played > 0 && totals.passed === totals.played ? 0 : 1;
}

/** Plays it in a folder of its own, which is gone afterwards. Throws Interrupted. */
async function score(
  directive: Directive,
  plan: Plan,
  before: readonly Row[],
  settings: Settings,
  signal: AbortSignal,
): Promise<Row> {
  const { id, title, language } = directive;
  const place = `${before.length + 1}/${plan.directives.length}`;
  const left = plan.budget - totalsOf(before).cost_usd;
  if (left <= 0) return brokenRow(directive, 'not played: the budget is used up; give more with --budget');
  const model = plan.modelFor(directive);
  const folder = mkdtempSync(join(settings.temporary, 'echelon-eval-'));
  try {
    const sandbox = { hostPath: settings.path, signal, secretsPresent: keepsSecrets({ model, settings }) };
    const missing = await lacking(directive, { ...sandbox, folder: join(folder, 'needs') });
    if (missing !== undefined) {
      say(`[${place}] ${id} (${language}) is skipped: ${missing}`);
      return skippedRow(directive, missing);
    }
    say(`[${place}] ${id} (${language}): ${title}`);
    const played = await play(directive, {
      ...{ mode: plan.mode, model, settings, folder, signal },
      config: { ...plan.config, budget: { total: left } },
      tell: line => say(`  ${line}`),
    });
    const recorded = join(folder, 'recorded.json');
    if (plan.record !== undefined && existsSync(recorded))
      copyFileSync(recorded, join(plan.record, `${id}.json`));
    return rowOf(directive, plan.mode, played);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    return brokenRow(directive, messageOf(error));
  } finally {
    await removeTree(folder);
  }
}

const sentenceOf = ({ passed, played, cost_usd, calls, seconds }: ReturnType<typeof totalsOf>) =>
  `${passed} of ${played} passed, $${cost_usd.toFixed(2)}, ${calls} calls, ${seconds.toFixed(0)} s`;

/** As `score`, by the other agent; one that cannot be started is told. */
async function scoreMini(
  directive: Directive,
  { against: model = '', budget }: Plan,
  before: readonly Row[],
  settings: Settings,
  signal: AbortSignal,
): Promise<Row> {
  const folder = mkdtempSync(join(settings.temporary, 'echelon-eval-'));
  const left = budget - totalsOf(before).cost_usd;
  try {
    const sandbox = { hostPath: settings.path, signal, secretsPresent: false };
    return await playMini(directive, { ...sandbox, model, budget: left, folder, env: process.env });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    return { ...brokenRow(directive, messageOf(error)), agent: mini };
  } finally {
    await removeTree(folder);
  }
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  say(`eval: ${messageOf(error)}`);
  process.exitCode = 1;
}
