// State of a cascade, computed from the journal alone: its layers with their conversations, and the actions they asked
// for.
import { z } from 'zod';
import { present } from '@echelon/ground';
import { type Entry, EntrySchema } from '@echelon/ground/journal';
import type { GuardedModels, ModelMessage, PlayedReply, SessionSummary } from '../../engine/models.ts';
import { Opened as OpenedBreaker } from '../../engine/models.ts';
import type { LayerView } from '../comments/view.ts';
import { NO_LIMIT_USD } from '../config/config.ts';
import { type Layer, layers } from '../layers.ts';
import type { CascadeContext, Queued } from './context.ts';
import { type Drafts, draftsOf } from './drafts.ts';
import { Opened } from './opened-files.ts';
import { newWork, type Work } from './perform.ts';
import type { ApprovalRounds } from './places.ts';

export interface Cascade {
  ctx: CascadeContext;
  /** From the first to the last. */
  layers: readonly LayerState[];
  queue: Queued[];
  /** Of the newest list of a layer. */
  drafts: Drafts;
  /** Scripted replies the journal says were played. */
  played: PlayedReply[];
  /** Opened for the first turn that is not in the journal. */
  model?: LayersModel;
  rounds: ApprovalRounds;
  work: Work;
  /** Active time so far: waiting for a person does not count (milliseconds). */
  activeMs: number;
}

/** A layer, and where its conversation stands; `budget` as the configuration and people say. */
export interface LayerState extends Layer {
  view: LayerView;
  /** All that it replied, which the next layers read; empty until it has. */
  replied: string;
  /** The newest that ended well: what it is resumed with. */
  turn: Turn | undefined;
  /** Files that it opened, the newest at the end. */
  opened: Opened[];
  /** Number of times it has asked the layers above. */
  loopbacks: number;
}

/** The run's model with its retries and breaker, shared by all turns of one process. */
export interface LayersModel {
  models: GuardedModels;
  used(): PlayedReply[];
}

export function newCascade(ctx: CascadeContext): Cascade {
  const { billing, budget } = ctx.config;
  const states = layers.map(layer => {
    const view = present(
      ctx.view.layers.find(({ id }) => id === layer.id),
      layer.name,
    );
    return {
      ...{
        ...layer,
        view,
        budget: billing === 'max' ? NO_LIMIT_USD : (budget.layers[layer.id] ?? layer.budget),
      },
      ...{ replied: '', turn: undefined, opened: [], loopbacks: 0 },
    };
  });
  return {
    ...{ ctx, layers: states, queue: [], drafts: draftsOf() },
    ...{ rounds: { round: 0, lists: 0, revised: new Set() }, work: newWork(), played: [], activeMs: 0 },
  };
}

/** A turn that ended well. Journalled: the conversation is what the layer is resumed with. */
export type Turn = Booked & {
  ok: true;
  text: string;
  model: string;
  messages: ModelMessage[];
  /** Summary of the session. */
  session?: SessionSummary;
};

/** A turn that waits for the person's answer. Journalled: its program goes on from there in any process. */
export type AskingTurn = Booked & {
  ok: 'asks';
  question: string;
  /** Key of the session that asks. */
  session: string;
  /** Of the role's program. */
  journal: Entry[];
};

export type FailedTurn = Booked & {
  ok: false;
  class: string;
  message: string;
};

/** Use of a turn: model calls, USD, milliseconds, replies played from a script, and opened files. */
export type Booked = SavedTurn['booked'];

/** State of an unfinished turn: saved while it goes on, so that a crash costs one model call. */
export const SavedTurn = z.object({
  booked: z.object({
    turns: z.int().nonnegative(),
    cost_usd: z.number().nonnegative(),
    ms: z.number().nonnegative(),
    played: z.array(z.object({ scope: z.string(), key: z.string(), index: z.int().nonnegative() })),
    opened: z.array(Opened),
  }),
  journal: z.array(EntrySchema),
  /** Models that were left alone for timing out, by name. Versions before this one do not say. */
  opened: z.record(z.string(), OpenedBreaker).default({}),
});
export type SavedTurn = z.infer<typeof SavedTurn>;
