// A layer's reply as people read it: its prose, what it asked for, and what came of the blocks that were no actions.
import { layerName, type LayerId } from '../layers.ts';
import type { SessionSummary } from '../../engine/reasoning/session-summary.ts';
import { clip, neutral, neutralLine } from './neutral.ts';
import { sessionDetails } from './session.ts';
import { dollars, folded, plural, seconds } from './figures.ts';

export interface LayerReply {
  layer: LayerId;
  prose: string;
  cost_usd: number;
  ms: number;
  model: string;
  /** What happens with each action, a line each. */
  asked: string[];
  unavailable: string[];
  dropped: { action: string; reason: string }[];
  ignored: { line: number; reason: string }[];
  session?: SessionSummary | undefined;
}

export function layerReplyComment(reply: LayerReply): string {
  const parts = [
    `### ${layerName(reply.layer)}`,
    clip(neutral(reply.prose), 40_000) || '_No prose, only actions._',
  ];
  const lines = [
    ...reply.asked.map(line => `- ${neutralLine(line)}`),
    ...reply.unavailable.map(action => `- \`${action}\`: not available yet, nothing was done`),
    ...reply.dropped.map(({ action, reason }) => `- \`${action}\`: dropped, ${neutralLine(reason)}`),
  ];
  parts.push(lines.length ? `**Actions**\n\n${lines.join('\n')}` : 'The reply holds no action.');
  if (reply.ignored.length) {
    const rows = reply.ignored.map(({ line, reason }) => `- line ${line}: ${neutralLine(reason)}`);
    const count = `${plural(reply.ignored.length, 'block')} ignored`;
    parts.push(folded(count, clip(rows.join('\n'), 4000)));
  }
  const details = reply.session ? sessionDetails(reply.session) : '';
  if (details !== '') parts.push(details);
  parts.push(`<sub>${neutralLine(reply.model)}, ${seconds(reply.ms)}, ${dollars(reply.cost_usd)}</sub>`);
  return parts.join('\n\n');
}

/** The run has stopped at a layer and says what would make it go on. */
export const stoppedComment = (note: string) => neutral(note);
