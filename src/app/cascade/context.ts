// Context of the cascade besides that of every part of a run: the directive, the model, and external functions.
import type { Clock } from '@echelon/ground';
import type { ModelsBehind, OpenedModel, PlayedReply } from '../../engine/models.ts';
import type { BaseTestsView } from '../comments/view.ts';
import type { Memory } from '../../engine/files.ts';
import type { Tool } from '../../engine/language.ts';
import type { EvaluationParts } from '../../engine/engine.ts';
import type { LayerId, Role } from '../layers.ts';
import type { Means } from '../scheduler/estimate.ts';
import type { OtherRuns } from '../scheduler/globs.ts';
import type { RunContext } from '../scheduler/run-context.ts';
import type { Action, Existing } from './issue-plan.ts';

/** An action on its way: asked for by a layer, waiting to be decided and performed. */
export interface Queued {
  id: string;
  layer: LayerId;
  action: Action;
}

/** A queued action with its place in the listing. */
export interface Listed extends Queued {
  /** Issues are counted from 1 within a listing; what is listed again keeps its places. */
  list: number;
  /** Places of that listing before those of this action. */
  before: number;
  /** Its issues are the last ones of that listing: more may follow. */
  grows: boolean;
  /** A person has changed it. */
  byHand?: true;
  /** Of a `create_issues` that could not be finished: its places (from 1) and their issues, null where there is none. */
  done: ReadonlyMap<number, number | null>;
}

export interface CascadeContext extends RunContext {
  /** Creates a branch at the head of another one (default: the base branch); one at the same commit is success. */
  createBranch(name: string, from: string | undefined): Promise<string>;
  /** The directive as the person wrote it when the run began; `existing`: the issues that were its plan then. */
  directive: { number: number; title: string; body: string; existing?: readonly Existing[] };
  /** Constant part of every turn of a role: the template of its id in the library. */
  evaluation(
    role: Role,
  ): Omit<EvaluationParts, 'model' | 'tools' | 'memory' | 'key' | 'step' | 'sessions' | 'pauses'>;
  /** The model, told what it played in this run before. */
  openModel(played: readonly PlayedReply[]): Promise<OpenedModel>;
  /**
   * The repository at a commit, where one of its branches has it, else at the run's base: tools that read it, its paths, and
   * its memory.
   */
  repository(
    at?: string,
  ): Promise<{ tools: readonly Tool[]; files: readonly string[]; memory: Memory; commit: string }>;
  /** The models that take the place of one. */
  behind: ModelsBehind;
  /** The project's tests at the base: nothing is paid for before they have run. */
  tests(): Promise<BaseTestsView | undefined>;
  /** Writes what is not written yet, so that the board shows what is going on now. */
  save(): Promise<void>;
  otherRuns(): Promise<OtherRuns>;
  /** Means of engineers, for estimates. */
  engineers: Omit<Means, 'testMinutes'>;
  clock: Clock;
}
