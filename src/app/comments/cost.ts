// The answer to `/cost`: what a run has spent, by layer and issue and in all.
import { byPrices } from './budget.ts';
import { layerName } from '../layers.ts';
import { dollars, plural, table } from './figures.ts';
import { costsOf } from './issue-table.ts';
import type { RunView } from './view.ts';

/** Nothing in it is anybody's text: an issue is named by its number, which GitHub shows with its title. */
export function costReply(view: RunView): string {
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
    ...issues.map(({ number, model_calls }, at) => ({
      of: `#${number}`,
      calls: model_calls,
      usd: costs.issues[at] ?? 0,
    })),
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
