// The cascade from the first layer to approved work: ask each layer, take its actions, perform or queue them.
import { present } from '@echelon/ground';
import { quoted } from '../../engine/texts.ts';
import { hashed, seconds } from '../comments/figures.ts';
import { noted } from '../comments/fold.ts';
import { voided } from '../comments/listing.ts';
import { layersAnswer } from '../comments/question.ts';
import type { LayerId } from '../layers.ts';
import { estimateRun } from '../scheduler/estimate.ts';
import type { Batch } from '../scheduler/slots.ts';
import { parseReply, faultsIn, repairPrompt } from './parse-reply.ts';
import { prose } from './reply-blocks.ts';
import { decide, type Rejected, type Revise } from './approval.ts';
import { actionSummary } from './action-details.ts';
import { askLayer, type Prompt, show } from './ask-layer.ts';
import type { Cascade, LayerState, Turn } from './cascade-state.ts';
import type { CascadeContext, Queued } from './context.ts';
import { draftsOf, releaseDrafts, shownDrafts } from './drafts.ts';
import { takenUp } from './existing.ts';
import { type Guidance, toldAnew } from './guidance.ts';
import { batchOf, beginBatch, performApproved } from './perform.ts';
import { issuesIn, placed } from './places.ts';
import { answerOf, answersPrompt, type Asked, askedPrompt, askPerson, MAX_LOOPBACKS } from './questions.ts';
import { reviewPull } from './review.ts';
import { performNow, type Reply, takeReply } from './take-reply.ts';

/** The cascade cannot go on; the run fails with this sentence. */
export class CascadeFailure extends Error {}

/**
 * Runs the layers, or with a person's guidance those from the one that is told on, and answers what is to be worked on. Who
 * stands below a layer that lists its own draft is not asked; nobody is where the issues exist. Throws CascadeFailure.
 */
export async function conductCascade(cascade: Cascade, guidance?: Guidance): Promise<Batch> {
  const { layers, queue } = cascade;
  const before = queue.length;
  const first = layers.findIndex(({ id }) => id === (guidance?.layer ?? layers[0]?.id));
  cascade.activeMs = 0;
  if (guidance) forget(cascade, layers.slice(first));
  else takeUp(cascade);
  for (const layer of layers.slice(first))
    if (queue.slice(before).flatMap(issuesIn).length > 0)
      cascade.ctx.emit({ change: 'layer', layer: layer.id, to: { status: 'not asked' } });
    else await plan(cascade, layer, guidance);
  return await approvedWork(cascade, queue.slice(before), guidance);
}

/** Asks for what exists to be worked, as the strategist, who plans where that is rejected. */
function takeUp({ ctx, queue }: Cascade): void {
  const { existing = [] } = ctx.directive;
  for (const action of takenUp(existing)) queue.push({ id: `a${queue.length + 1}`, layer: '2ic', action });
  const numbers = hashed(existing.map(({ number }) => number));
  if (ctx.config.dry_run && existing.length > 0) ctx.emit(noted(`Dry run: ${numbers} would be taken up.`));
}

/** Has a layer plan, as for the first time, or with a person's guidance. */
async function plan(cascade: Cascade, layer: LayerState, guidance: Guidance | undefined): Promise<void> {
  const { ctx } = cascade;
  ctx.emit({ change: 'run', to: { phase: layer.phase } });
  // A layer that has not been called yet reads it in the reply of the one above.
  const isTold = guidance && (layer.turn || layer.id === guidance.layer);
  const said = isTold ? toldAnew(cascade, layer, guidance) : undefined;
  const key = `cascade/${layer.id}/${guidance?.key ?? 'turn-1'}`;
  await converse(cascade, layer, { key, ...(said !== undefined && { said }) });
  if (cascade.activeMs > ctx.config.timeouts.cascade) throw tooLong(cascade.activeMs, ctx);
}

/** Has it decided and performs it; what was withdrawn before it was performed is listed again. */
async function approvedWork(cascade: Cascade, asked: readonly Queued[], guidance?: Guidance): Promise<Batch> {
  const { ctx, queue, rounds, work } = cascade;
  rounds.revised.clear();
  beginBatch(work);
  const revise: Revise = async (id, reasons) => {
    const before = queue.length;
    releaseDrafts(cascade.drafts, by => reasons.some(({ action }) => action === by));
    const said = rejectionPrompt(reasons);
    await converse(cascade, layerOf(cascade, id), {
      key: guidance === undefined ? `cascade/${id}/turn-2` : `cascade/${id}/${guidance.key}-2`,
      said,
    });
    for (const layer of below(cascade, id))
      if (queue.slice(before).flatMap(issuesIn).length === 0) await plan(cascade, layer, guidance);
    return queue.slice(before);
  };
  let note = guidance?.note(asked.flatMap(issuesIn).map(({ title }) => title)) ?? '';
  for (let open = placed(asked, rounds); ; ) {
    const approved = await decide(ctx, open, { rounds, revise, note });
    const { why, created, left } = await performApproved(ctx, work, approved, (each, action) =>
      reviewPull(cascade, layerOf(cascade, each.layer), { key: `perform/${each.id}/review`, action }),
    );
    // The listed issues exist now, or were not approved.
    if (ctx.view.estimate) ctx.emit(estimateRun(ctx.view, { minutes: ctx.view.estimate.minutes }));
    if (why === undefined) {
      const opened = cascade.layers.flatMap(layer => layer.opened.map(({ path }) => path));
      return { ...batchOf(work), opened: [...new Set(opened)] };
    }
    note = voided(why, created);
    ctx.emit(noted(note));
    open = left;
  }
}

/** Layers skipped when a layer listed its own draft, needed now that it finds more work than one issue. */
function below({ layers }: Cascade, id: LayerId): readonly LayerState[] {
  const place = layers.findIndex(each => each.id === id);
  const layer = present(layers[place], id);
  const { drafted, actions } = parseReply(layer.turn?.text ?? '', layer);
  const isMore = drafted ? drafted.list.length > 1 : actions.some(({ action }) => action === 'update_plan');
  return isMore ? layers.slice(place + 1).filter(({ view }) => view.status === 'not asked') : [];
}

/** Layers that are asked anew: what they drafted and took over is withdrawn. */
function forget(cascade: Cascade, layers: readonly LayerState[]): void {
  for (const layer of layers) layer.replied = '';
  if (layers.some(({ id }) => id === 'eng-lead')) cascade.drafts = draftsOf();
  else releaseDrafts(cascade.drafts, () => true);
}

function tooLong(ms: number, { config }: CascadeContext): CascadeFailure {
  const most = `${seconds(config.timeouts.cascade)} that \`timeouts.cascade\` in the configuration allows`;
  return new CascadeFailure(
    `the layers took ${seconds(ms)}, more than the ${most}. Raise it there, then take the label \`${config.label}\` off and put it on again`,
  );
}

const layerOf = ({ layers }: Cascade, id: LayerId) =>
  present(
    layers.find(each => each.id === id),
    id,
  );

/**
 * Talks with a layer until it has nothing more to ask, and answers the last thing it said. What its replies asked
 * for stands, each of them. It is asked once more where a reply has faults that it can mend.
 */
async function converse(cascade: Cascade, layer: LayerState, prompt: Prompt): Promise<string> {
  let next = prompt;
  for (let answers = 1; ; answers++) {
    const { key } = next;
    let reply = read(await askLayer(cascade, layer, next), layer, cascade);
    const faults = faultsIn(reply.parsed, layer, cascade.drafts);
    if (faults.length > 0) {
      const again = { key: `${key}/again`, said: repairPrompt(faults) };
      const { turn } = reply;
      reply = { ...read(await askLayer(cascade, layer, again), layer, cascade), before: { turn, faults } };
    }
    const { asked, now } = takeReply(cascade, layer, reply);
    await performNow(cascade, layer, key, now);
    // The asking layer is shown the changed drafts, too.
    const drafts = shownDrafts(reply.parsed.drafted?.list ?? []);
    if (asked.length === 0) return [prose(reply.turn.text), drafts].filter(Boolean).join('\n\n');
    const said = answersPrompt(await answersTo(cascade, layer, key, asked));
    next = { key: `${prompt.key}/answers-${answers}`, said };
  }
}

const read = (turn: Turn, layer: LayerState, { drafts }: Cascade): Reply => ({
  turn,
  parsed: parseReply(turn.text, layer, layer.id === 'team-lead' ? drafts : draftsOf()),
});

/** First those of the person, then those of the layers above, each resumed in its own conversation. */
async function answersTo(
  cascade: Cascade,
  layer: LayerState,
  key: string,
  asked: readonly Asked[],
): Promise<Asked[]> {
  const { ctx } = cascade;
  show(ctx, layer, 'waiting');
  await askPerson(
    ctx,
    asked.flatMap(({ question }) => question ?? []),
    `The ${layer.name}`,
  );
  for (const above of cascade.layers) {
    const own = asked.filter(({ target, answer }) => target === above.id && answer === undefined);
    if (own.length === 0) continue;
    const said = askedPrompt(layer.id, own);
    const waitsFor = layersAnswer(above.name, layer.loopbacks, MAX_LOOPBACKS);
    ctx.emit({ change: 'layer', layer: layer.id, to: { waitsFor } });
    const answer = await converse(cascade, above, { key: `${key}/to-${above.id}`, said });
    for (const each of own) each.answer = answer;
  }
  return asked.map(each => ({ ...each, answer: each.answer ?? answerOf(each) }));
}

function rejectionPrompt(reasons: readonly Rejected[]): string {
  const rows = reasons.map(each => {
    const row = `- ${actionSummary(each.action, each.done)}: ${each.reason || 'no reason was given'}`;
    const left = issuesIn(each).filter((_issue, at) => !each.done.has(at + 1));
    return each.byHand ? `${row}\n  A person had changed it to:\n${quoted(shownDrafts(left))}` : row;
  });
  return `The person rejected:\n${rows.join('\n')}\nYou may answer with other actions, once. Without a new action nothing takes the place of what was rejected.`;
}
