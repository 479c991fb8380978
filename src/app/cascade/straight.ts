// `layers: auto`: one issue's work goes from the strategist straight to the team lead, as long as it stays one issue.
import { tooManyForOne } from '../comments/straight.ts';
import type { Cascade, LayerState } from './cascade-state.ts';
import type { Queued } from './context.ts';
import { quoted } from '../../engine/language/quote.ts';

/** The strategist has found one issue's work, and the configuration has that go to the team lead. */
export const goesStraight = ({ ctx, oneIssue }: Cascade): boolean => ctx.layers === 'auto' && oneIssue;

/** A layer is passed over; the next ones read why. */
export function passOver(layer: LayerState): void {
  layer.view.status = 'not asked';
  layer.replied =
    "(Not asked: the strategist finds one issue's work. List one issue, written out. Where it is more, list what it is: then the engineering lead is asked, and you once more.)";
}

/** Whoever is asked after all has said nothing yet. */
export function takePart(layer: LayerState): void {
  if (layer.view.status === 'not asked') layer.replied = '';
}

/** Takes back what the team lead listed where it is more than one issue; answers what else was asked for, or undefined. */
export function withdrawMany({ ctx }: Cascade, asked: readonly Queued[]): Queued[] | undefined {
  const issues = asked.flatMap(({ action }) => (action.action === 'create_issues' ? action.issues : []));
  if (issues.length <= 1) return undefined;
  for (const { layer, asked: rows } of ctx.view.replies)
    if (layer === 'team-lead')
      for (const row of rows) if (asked.some(({ id }) => id === row.id)) row.how = tooManyForOne;
  return asked.filter(({ layer }) => layer !== 'team-lead');
}

/** What the team lead is told when the engineering lead was asked after all. */
export const designedPrompt = ({ replied }: LayerState): string =>
  `It is more than one issue, so the Engineering lead was asked. It says:\n${quoted(replied)}\n\nAll that you asked for is withdrawn, but for reviews. Reply anew, with all the actions that are wanted now.`;
