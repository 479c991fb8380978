// A layer's reply as people read it: its prose, its actions and drafts, and the blocks that were no actions.
import { layerName, type LayerId } from '../layers.ts';
import { clip, neutral, neutralLine, oneLine, titleLine, paragraphs } from './neutral.ts';
import { sessionLines } from './session.ts';
import type { LayerReply, RunView } from './view.ts';
import { dollars, folded, plural, seconds } from './figures.ts';

/** Characters of a reply that are shown at most; in a comment that says something else, those of all replies together. */
const SHOWN = 15_000;
const SHOWN_BESIDE = 40_000;

/** Replies, each folded under one sentence of what was decided. `room`: characters of all of them. */
export function layerReplies(replies: readonly LayerReply[], room = Number.POSITIVE_INFINITY): string[] {
  const most = Math.max(1000, Math.min(SHOWN, Math.floor(room / Math.max(1, replies.length))));
  return replies.map(reply => folded(decided(reply), whole(reply, most)));
}

/** Below the text of a comment: what layers said that no comment has shown yet. */
export const withReplies = (body: string, { replies }: Pick<RunView, 'replies'>): string =>
  [body, ...layerReplies(replies, SHOWN_BESIDE)].join('\n\n');

/** Of a summary, which is read as plain text. */
const SENTENCE = 160;

/** `Team lead: Two issues, one after the other. (create 2 issues, work on all issues of this run)`. */
function decided({ layer, prose, asked }: LayerReply): string {
  const said = titleLine(firstSentence(prose), SENTENCE);
  const does = asked.map(({ what }) => what).filter(what => what !== 'replace the plan');
  const actions = does.length > 0 ? titleLine(does.join(', '), SENTENCE) : '';
  return `${layerName(layer)}: ${said ? `${said}${actions && ` (${actions})`}` : actions || 'no answer in words'}`;
}

/** Without the marks of Markdown, which are not read there. */
function firstSentence(prose: string): string {
  const lines = prose.split('\n').filter(each => /[\p{L}\p{N}]/u.test(each));
  const line = lines.find(each => !/^\s*#/.test(each)) ?? lines[0] ?? '';
  const plain = oneLine(line)
    .replace(/^(?:[\s#>*+-]+|\d{1,3}[.)]\s)+/, '')
    .replace(/[*`]|~~/g, '');
  return /^.*?[.!?](?=\s|$)/.exec(plain)?.[0] ?? plain;
}

/** Its prose in what room is left by what came of its actions, which has half of it at most. */
function whole(reply: LayerReply, most: number): string {
  const below = clip(cameOf(reply), Math.max(200, Math.floor(most / 2)));
  // Behind a mark in every line, so that none passes for a word of ours. A tab would be narrower there.
  const prose = neutral(reply.prose.replaceAll('\t', '    ')).replace(/^/gm, '> ');
  return `${clip(prose, Math.max(200, most - below.length))}\n\n${below}`;
}

function cameOf(reply: LayerReply): string {
  const lines = [
    ...reply.asked.map(({ what, how }) => `- ${neutralLine(what)}${how && ` (${neutralLine(how)})`}`),
    ...reply.dropped.map(({ action, reason }) => `- \`${action}\`: dropped, ${neutralLine(reason)}`),
  ];
  return paragraphs([
    lines.join('\n'),
    reply.drafts,
    reply.faults.length > 0
      ? `It was asked once more, and its first reply does not count:\n${reply.faults.map(fault => `- ${neutralLine(fault)}`).join('\n')}`
      : '',
    ignoredBlocks(reply.ignored),
    reply.session ? sessionLines(reply.session) : '',
    `<sub>${neutralLine(reply.model)}, ${seconds(reply.ms)}, ${dollars(reply.cost_usd)}</sub>`,
  ]);
}

/** Number of unusable blocks with their reasons; empty if there are none. */
function ignoredBlocks(ignored: LayerReply['ignored']): string {
  if (ignored.length === 0) return '';
  const blocks = new Set(ignored.map(({ line }) => line)).size;
  const rows = ignored.map(({ line, reason }) => `- line ${line}: ${neutralLine(reason)}`);
  return `${plural(blocks, 'block')} ignored:\n${rows.join('\n')}`;
}

/** The run has stopped at a layer and says what would make it go on. */
export const stoppedComment = (note: string) => neutral(note);

/** Above the actions of a listing; empty: all layers were asked. */
export function notAsked(layers: readonly LayerId[]): string {
  if (layers.length === 0) return '';
  const names = layers.map(id => `the ${layerName(id)}`).join(' and ');
  return `**Not asked: ${names}** (\`layers: auto\`), as the drafts leave nothing to cut or to order.`;
}

/** Above the actions of a listing of issues that exist. */
export const planExists =
  '**No layer was asked.** The open issues below this one are the plan, with their texts as they are now. To have the layers plan instead, type `/redirect` and what you want.';

/** The fields of a draft that the team lead may change, and what they are called. */
const words = {
  title: 'title',
  body: 'text',
  labels: 'labels',
  assignee: 'assignee',
  domain: 'domain',
  depends_on: 'dependencies',
  paths: 'paths',
  estimate_minutes: 'estimate',
} as const;
type DraftField = keyof typeof words;
export const draftFields = Object.keys(words) as DraftField[];

/** A draft that is taken, with the fields that were changed, or left out, and why. */
export type DraftUse = { taken: readonly DraftField[] } | { left: string };

/**
 * Summary of a reply's use of drafts: `Drafts: 1 and 3 as written; 2 changed (title and text); 4 left out (it is
 * done); 5 not taken.` Empty if it names none.
 */
export function draftsSaid(said: ReadonlyMap<number, DraftUse>, untaken: readonly number[]): string {
  const asWritten: number[] = [];
  const others: string[] = [];
  for (const [number, use] of [...said].sort(([a], [b]) => a - b))
    if ('left' in use) others.push(`${number} left out (${neutralLine(use.left)})`);
    else if (use.taken.length === 0) asWritten.push(number);
    else others.push(`${number} changed (${and(use.taken.map(field => words[field]))})`);
  const parts = [
    asWritten.length > 0 ? `${and(asWritten)} as written` : '',
    ...others,
    untaken.length > 0 ? `${and(untaken)} not taken` : '',
  ].filter(Boolean);
  return parts.length > 0 ? `Drafts: ${parts.join('; ')}.` : '';
}

const list = new Intl.ListFormat('en-GB');
const and = (each: readonly (string | number)[]) => list.format(each.map(String));

/** Drafts of a reply: `3 drafts: Light the lamp; Paint the shade; Describe both`. */
export const draftsMade = (titles: readonly string[]): string =>
  `${plural(titles.length, 'draft')}: ${titles.map(title => neutralLine(title)).join('; ')}`;
