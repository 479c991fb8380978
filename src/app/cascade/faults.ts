// What is wrong with a reply that its layer can mend: it is asked for once more with these reasons, and then taken as it is.
import type { Layer } from '../layers.ts';
import type { Drafts } from './drafts.ts';
import type { ParsedReply } from './parse-reply.ts';

/**
 * Reasons of a line each: nothing of its blocks could be used, or issues among them could not, or the team lead passes
 * over drafts without a word.
 */
export function faultsIn(parsed: ParsedReply, { id }: Pick<Layer, 'id'>, drafts: Drafts): string[] {
  const { blocks, ignored, lost, actions, dropped, drafted } = parsed;
  const isUseless = blocks > 0 && ignored.length > 0 && actions.length + dropped.length === 0 && !drafted;
  const faults =
    isUseless || lost ? ignored.map(({ line, reason }) => `block on line ${line}: ${reason}`) : [];
  // Issues that were lost may have been those drafts.
  if (id === 'team-lead' && faults.length === 0)
    for (const number of untaken(drafts, parsed))
      faults.push(`draft ${number} is neither taken nor named in left_out with the reason`);
  return faults;
}

/** Message for the layer in its own conversation. */
export const repairPrompt = (faults: readonly string[]): string =>
  `Your reply cannot be used as it is, and nothing of it counts:\n${faults.map(fault => `- ${fault}`).join('\n')}\nWrite it once more, whole, with that mended.`;

/** Drafts of which neither this reply nor one before says a word; none while the layer asks something. */
export function untaken(
  { list, said }: Drafts,
  { actions, said: now }: Pick<ParsedReply, 'actions' | 'said'>,
): number[] {
  if (actions.some(({ action }) => action === 'request_info' || action === 'escalate')) return [];
  return Array.from(list, (_plan, index) => index + 1).filter(each => !said.has(each) && !now.has(each));
}
