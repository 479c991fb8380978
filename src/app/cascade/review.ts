// A review that a layer asks for: requested on the pull request, made by the reviewer, and posted with comments on lines.
import { z } from 'zod';
import type { Json } from '@echelon/ground';
import type { Progress } from '@echelon/ground/journal';
import { lineComment, noSuchPull, reviewAsked, reviewBody, reviewFailed } from '../comments/review.ts';
import { fencedOff, quoted, quotedLine, quoteForModel } from '../../engine/texts.ts';
import { markOf, marked, commentOnce } from '../github/once.ts';
import type { LineComment } from '../github/pulls.ts';
import { reviewer } from '../layers.ts';
import type { Action } from './issue-plan.ts';
import { bookCost, untilMayThink } from './ask-layer.ts';
import type { Booked, Cascade, FailedTurn, LayerState } from './cascade-state.ts';
import type { CascadeContext } from './context.ts';
import { evaluateRole, nothingBooked } from './evaluate-role.ts';
import { fits } from './fit-to-record.ts';
import { diffHas, shownDiff } from './pull-diff.ts';
import type { SessionSummary } from '../../engine/models.ts';

type Request = Extract<Action, { action: 'request_review' }>;

/** Reviews that one reply may ask for: each is a call of a model, and a notification to others. */
const MAX_REVIEWS = 5;

/** Those of a reply that are too many, with the reason. */
export function reviewsBeyond(layer: LayerState, actions: readonly Action[]): Map<Action, string> {
  const asked = actions.filter(({ action }) => action === 'request_review');
  const why = `the ${layer.name} may ask for at most ${MAX_REVIEWS} reviews in one reply`;
  return new Map(asked.slice(MAX_REVIEWS).map(action => [action, why]));
}

/** Asks for it on the pull request, and posts it there; answers what came of it, a clause. The layer that asks pays for it. */
export async function reviewPull(
  cascade: Cascade,
  layer: LayerState,
  { key, action }: { key: string; action: Request },
): Promise<{ done: string } | { failed: string }> {
  const { ctx } = cascade;
  const { step, github, view } = ctx;
  const { pr_number: number, focus } = action;
  const { isOpen } = await step(`${key}/pull`, async () => ({
    isOpen: (await github.pull(number))?.state === 'open',
  }));
  if (!isOpen) return { failed: noSuchPull(number) };
  const asked = reviewAsked(layer.name, view.issue, focus);
  await commentOnce(step, github, { key: `${key}/asked`, issue: number, body: asked });
  const review = await reviewOf(cascade, layer, { key, action });
  const why = review.ok ? await post(ctx, review, { key, number }) : review.message;
  if (why === undefined) {
    ctx.emit({ change: 'run', to: { reviewed: (view.reviewed ?? 0) + 1 } });
    return { done: `#${number} is reviewed` };
  }
  await commentOnce(step, github, { key: `${key}/failed`, issue: number, body: reviewFailed(why) });
  return { failed: `no review came of it: ${why}` };
}

const Remarks = z
  .array(z.object({ path: z.string().max(1000), line: z.number(), comment: z.string() }))
  .max(30);
type Remark = z.infer<typeof Remarks>[number];

/** Journalled: what is posted, and what it cost. */
type Review = Booked & {
  ok: true;
  /** The commit whose diff was read. */
  head: string;
  said: string;
  /** On lines of the diff, and on others. */
  placed: Remark[];
  elsewhere: Remark[];
  model: string;
  session?: SessionSummary;
};

/** The reviewer's answer, or why there is none: a failure holds nobody up. At a limit of the budget it waits for a raise. */
async function reviewOf(
  cascade: Cascade,
  layer: LayerState,
  { key, action }: { key: string; action: Request },
): Promise<Review | FailedTurn> {
  const { ctx } = cascade;
  for (let attempt = 1; ; attempt++) {
    const turn = `${key}/turn-${attempt}`;
    const most = await untilMayThink(ctx, layer, turn);
    await ctx.save();
    // Saved before anything is posted, or it is paid again.
    const review = await ctx.step(turn, (_op, progress) =>
      makeReview(cascade, action, { key: turn, most, progress }),
    );
    bookCost(cascade, layer, review);
    if (review.ok && review.session) ctx.emit({ change: 'session ended', session: review.session });
    if (review.ok || review.class !== 'budget') return review;
  }
}

async function makeReview(
  cascade: Cascade,
  { pr_number: number, focus = '' }: Request,
  request: { key: string; most: number; progress: Progress },
): Promise<Review | FailedTurn> {
  const { github, repository } = cascade.ctx;
  const pull = await github.pull(number);
  if (pull?.state !== 'open')
    return { ok: false, class: 'crash', message: noSuchPull(number), ...nothingBooked };
  const head = pull.head.commit;
  const { items: files, more } = await github.changedFiles(number);
  const { commit, ...reading } = await repository(head);
  const { diff, left } = shownDiff(files, more);
  const answer = await evaluateRole(cascade, {
    ...request,
    ...{ role: reviewer, repository: reading, pauses: false },
    inputs: {
      title: quotedLine(quoteForModel(pull.title).text),
      description: quoted(quoteForModel(pull.body).text),
      focus: quoted(focus),
      files:
        commit === head
          ? 'They read the files as the pull request leaves them.'
          : 'They read the files as they are without the pull request, whose branch is not here.',
      diff: fencedOff(diff),
      left: fencedOff(left),
    },
  });
  if (answer.ok === 'asks') throw new Error('a reviewer has nobody to ask');
  if (!answer.ok) return answer;
  const { result, model, session, booked } = answer;
  const said = result.content.slice(0, MAX_SAID);
  const remarks = remarksOf(result.outputs['comments'], said);
  const { placed = [], elsewhere = [] } = Object.groupBy(remarks, each =>
    diffHas(files, each) ? 'placed' : 'elsewhere',
  );
  return { ok: true, head, said, placed, elsewhere, model, ...booked, ...(session && { session }) };
}

/** Characters of a review and of a comment that are kept, so that the record can take them. */
const MAX_SAID = 8000;
const MAX_REMARK = 2000;

/** As the program declares it; what the record cannot take is left out. A repository's own template may declare nothing. */
function remarksOf(given: Json | undefined, said: string): Remark[] {
  const { data = [] } = Remarks.safeParse(given);
  const remarks = data.map(each => ({ ...each, comment: each.comment.slice(0, MAX_REMARK) }));
  while (!fits({ said, remarks })) remarks.pop();
  return remarks;
}

/** Posts it once; answers why GitHub would not have it. */
async function post(
  { step, github, view }: CascadeContext,
  { head, said, placed, elsewhere, model, cost_usd }: Review,
  { key, number }: { key: string; number: number },
): Promise<string | undefined> {
  const isOwn = view.issues.some(({ pull }) => pull === number);
  const about = { said, directive: view.issue, model, cost_usd, isOwn };
  const comments = placed.map(({ path, line, comment }) => ({ path, line, body: lineComment(comment) }));
  const send = (op: string, elsewhere: readonly Remark[], comments: readonly LineComment[]) =>
    github.review(number, {
      ...{ commit: head, comments },
      body: marked(reviewBody({ ...about, elsewhere }), op),
    });
  const posted = await step<{ review: number } | { refused: string }>(
    `${key}/post`,
    async op => {
      const first = await send(op, elsewhere, comments);
      // Somebody may have pushed since: a line that is gone would take the whole review with it.
      return 'refused' in first && comments.length > 0
        ? await send(op, [...placed, ...elsewhere], [])
        : first;
    },
    {
      find: async op => {
        const { reviews = [] } = (await github.pull(number)) ?? {};
        const own = reviews.find(({ author, body }) => author === github.bot && markOf(body) === op);
        return own && { review: own.id };
      },
    },
  );
  return 'refused' in posted ? posted.refused : undefined;
}
