// What a run of a program can come to at most, for people who are about to pay for it.
import { defaultBudget } from '../../../engine/runtime/open-model.ts';
import { worstCaseOf } from '../../../engine/runtime/worst-case.ts';
import { atMost, type Most } from '../../../engine/tasks/worst-case/most.ts';
import type { Known, OpenEnd, WorstCase } from '../../../engine/tasks/worst-case/worst-case.ts';
import { modelTables } from '../../../app/config/model-tables.ts';
import { modelsBehind } from '../../../engine/models/names.ts';
import type { Library } from '../../../engine/language/library.ts';
import { messageOf } from '../../../lib/message.ts';
import { programSettings } from '../../folder-config.ts';
import { interruption } from '../../interrupt.ts';
import { oneLine } from '../../progress.ts';
import type { FolderSetup } from '../../task-setup.ts';

/** The worst case of the program as `task run` would run it, or why it is not known. */
export function worstCaseIn(
  known: Known,
  { config, models }: FolderSetup,
  library: Library,
  remembers: boolean,
): WorstCase | { unknown: string } {
  const tables = modelTables(config);
  const { settings, reasoning } = programSettings(config);
  try {
    return worstCaseOf(known, {
      ...{ library, models, settings, reasoning, remembers },
      ...{ modelRows: tables.rows, behind: modelsBehind(tables), signal: interruption() },
    });
  } catch (error) {
    // A model that is none, a template that cannot be read: a run would say the same.
    return { unknown: messageOf(error) };
  }
}

const heading = ['the most that a run can come to', 'model calls', 'tokens in', 'tokens out', 'USD'];

/** A table, and what of it only a run knows. */
export function mostText(worst: WorstCase | { unknown: string }): string {
  if ('unknown' in worst) return oneLine(`the most that a run can come to is not known: ${worst.unknown}`);
  const { written, added, openEnds } = worst;
  const rows = [
    heading,
    row('  by what the program says', written),
    ...(added.calls === written.calls ? [] : [row('  with what a run may add to it', added)]),
    [
      `  within the budget of a run ($${defaultBudget}, or --budget)`,
      ...['', '', ''],
      usd(atMost(added, { budgetUsd: defaultBudget })),
    ],
  ];
  const widths = heading.map((_, column) => Math.max(...rows.map(each => each[column]?.length ?? 0)));
  const table = rows.map(each =>
    each
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  );
  return [...table, ...openEnds.map(openEndText)].join('\n');
}

const row = (name: string, most: Most): string[] => [
  name,
  ...[most.calls, most.input_tokens, most.output_tokens].map(count),
  usd(most),
];

const usd = ({ cost_usd }: Most): string => (Number.isNaN(cost_usd) ? '?' : amount(cost_usd, 2));

const count = (number: number): string => (Number.isNaN(number) ? '?' : amount(number, 0));

/** Beyond what anybody counts, its size. */
const amount = (number: number, digits: number): string =>
  number < 1e12
    ? number.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
    : number.toExponential(1);

function openEndText({ kind, name, at: { file, line, column }, most, each }: OpenEnd): string {
  const where = `${name} (${file}:${line}:${column})`;
  const words =
    kind === 'list'
      ? `${where}: ${count(each ?? 0)} model ${each === 1 ? 'call' : 'calls'} for each element; only a run knows how many there are, at most ${count(most)}`
      : `${where}: a function that calls itself; at most ${most} calls are within one another`;
  return `  ${oneLine(words)}`;
}

/** For JSON: what is not known is null there. */
export function mostJson(worst: WorstCase | { unknown: string }) {
  if ('unknown' in worst) return worst;
  const figures = ({ calls, input_tokens, output_tokens, cost_usd }: Most) => ({
    calls,
    input_tokens,
    output_tokens,
    cost_usd,
  });
  return { written: figures(worst.written), added: figures(worst.added), open_ends: worst.openEnds };
}
