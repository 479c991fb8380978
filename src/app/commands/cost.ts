// /cost
import { bare, type Reading } from './command.ts';
import { byPrices } from '../comments/budget.ts';
import { layerName } from '../layers.ts';
import { dollars, plural, table } from '../comments/figures.ts';
import { costsOf } from '../comments/issue-table.ts';
import type { RunView } from '../comments/view.ts';

export const cost: Reading<'cost'> = {
  kind: 'reads',
  ...bare('cost'),
  what: 'what was spent, by layer and issue',
  who: 'read',
  answers: { of: 'run', say: costReply },
};

/** Nothing in it is anybody's text: an issue is named by its number, which GitHub shows with its title. */
function costReply(view: RunView): string {
  const left = view.budget_usd - view.cost_usd;
  const raise = view.status === 'waiting' ? '; `/budget +5` raises the limit' : '';
  const rest = left > 0 ? `${dollars(left)} is left` : `nothing is left${raise}`;
  const parts = [
    view.flatPlan
      ? `**${dollars(view.cost_usd)}** ${byPrices}.`
      : `**${dollars(view.cost_usd)} of ${dollars(view.budget_usd)}** spent, ${rest}.`,
    spent(view),
    ...working(view),
    ...(view.scripted ? ['<sub>played by the scripted model, which costs nothing</sub>'] : []),
  ];
  return parts.join('\n\n');
}

function spent(view: RunView): string {
  const costs = costsOf(view);
  const { layers, issues, cost_usd } = view;
  const rows = [
    ...layers.map(({ id, turns }, at) => ({ of: layerName(id), calls: turns, usd: costs.layers[at] ?? 0 })),
    ...issues.map((on, at) => ({ of: `#${on.number}`, calls: on.model_calls, usd: costs.issues[at] ?? 0 })),
  ];
  const calls = rows.reduce((sum, row) => sum + row.calls, 0);
  return table(
    ['Layer or issue', 'Model calls', 'Cost'],
    [...rows, { of: '**In all**', calls, usd: cost_usd }].map(row => [
      row.of,
      `${row.calls}`,
      dollars(row.usd),
    ]),
  );
}

/** A job's spending is known when it reports. */
function working({ issues }: RunView): string[] {
  const running = issues.filter(({ state }) => state === 'running').length;
  return running === 0
    ? []
    : [`${plural(running, 'job')} still at work: what it spends counts when it ends.`];
}
