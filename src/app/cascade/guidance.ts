// A cascade that goes again from a layer on, with a person's guidance: what was asked for and not decided is dropped.
import { quoted, quotedLine } from '../../engine/texts.ts';
import type { LayerId } from '../layers.ts';
import { openQuestions } from '../comments/question.ts';
import type { LayerState, Cascade } from './cascade-state.ts';
import { issuesIn } from './places.ts';

export interface Guidance {
  /** Part of the keys of its turns. */
  key: string;
  /** The layer that is told. */
  layer: LayerId;
  /** The person's words, quoted. */
  said: string;
  /** Issues that stay as they are. */
  stands: readonly { number: number; title: string; state: string }[];
  /** Said above the new listing, whose issues have these titles. */
  note(titles: readonly string[]): string;
}

/** Drops what waits for a decision or an answer; answers the titles of issues that were asked for and not created. */
export function withdrawPlans(cascade: Cascade): string[] {
  const { ctx, queue } = cascade;
  const { view } = ctx;
  const undecided = new Set(view.pending.map(({ id }) => id));
  for (const question of openQuestions(view))
    if (cascade.layers.some(({ name }) => question.from === `the ${name}`))
      ctx.emit({ change: 'question', id: question.id, to: { withdrawn: true } });
  for (const { id: layer, view: each, turn } of cascade.layers) {
    const status = turn ? ('done' as const) : ('idle' as const);
    const to = { ...(each.status === 'waiting' && { status }), waitsFor: undefined };
    ctx.emit({ change: 'layer', layer, to });
  }
  ctx.emit({ change: 'run', to: { pending: [], digest: undefined } });
  return queue
    .filter(({ id }) => undecided.has(id))
    .flatMap(issuesIn)
    .map(({ title }) => title);
}

/** Message for the layer in its own conversation: the person's words, or the present reply of the layer above. */
export function toldAnew(
  { layers }: Cascade,
  layer: LayerState,
  { layer: first, said, stands }: Guidance,
): string {
  const above = layers.slice(0, layers.indexOf(layer)).findLast(({ replied }) => replied);
  const why =
    layer.id === first || !above
      ? `The person gives new guidance, which counts before all that was said:\n${said}`
      : `The person has given new guidance:\n${said}\nThe ${above.name} says now:\n${quoted(above.replied)}`;
  const rows = stands.map(({ number, title, state }) => `- #${number} ${quotedLine(title)}: ${state}`);
  const kept =
    rows.length > 0
      ? `These issues are worked or delivered already and stay as they are:\n${rows.join('\n')}`
      : 'Nothing is worked yet.';
  return `${why}\n\n${kept}\nAll else that you asked for is withdrawn. Reply anew, with all the actions that are wanted now.`;
}
