// A run under way: what it is pinned to, its repository, its journal and view, and how it answers commands.
import type { Clock, Mask, SharedWait } from '@echelon/ground';
import type { Entry } from '@echelon/ground/journal';
import type { Mirror } from '@echelon/ground/workspace';
import { type LayersDoing, layersDoing } from '../cascade/doing.ts';
import type { CallsUsed, RunView } from '../comments/view.ts';
import { fold } from '../comments/fold.ts';
import { refusal } from '../comments/replies.ts';
import type { Config } from '../config/config.ts';
import type { EngineerContext } from '../engineer/slots/context.ts';
import type { AnyJobSpec, JobSpec } from '../engineer/jobs/job-spec.ts';
import type { Jobs } from '../engineer/jobs/jobs.ts';
import { commentOnce } from '../github/once.ts';
import type { Repository } from '../github/repository.ts';
import type { Source } from '../../engine/language.ts';
import type { ModelRows, OpenedModel, PlayedReply } from '../../engine/models.ts';
import type { Sandbox } from '../../engine/sandbox.ts';
import type { TaskEvent } from '../../engine/engine.ts';
import type { RunEvent } from '../run-events.ts';
import type { OtherRuns } from '../scheduler/globs.ts';
import type { RunContext } from '../scheduler/run-context.ts';
import { type RunJournal, type RunValues, SaidEnough } from './run-journal.ts';
import type { Delivery } from './receive-signals.ts';
import type { Start } from './run-start.ts';
import type { RecordAccess } from './comment-store.ts';

/** A repository and the ways to the outside, made once in doors/app/; what is known of its runs is kept from call to call. */
export interface RepositoryAccess extends RecordAccess {
  clock: Clock;
  /** The mirror with all branches as they were when this process opened it. */
  mirror(): Promise<Mirror>;
  /** The mirror with all branches as the server has them now. */
  newestMirror(): Promise<Mirror>;
  mirrorPath: string;
  testGround: EngineerContext['testGround'];
  /** The jobs of a run. Their state is fetched once: it is for one look at the run. */
  jobsOf(run: { directive: number; execution: Config['execution'] }): Jobs;
  /**
   * Runs of the repository, by the label: those that have not ended, and what came of issues; `more`: there may be some
   * that are not known.
   */
  otherRuns(label: string): Promise<OtherRuns>;
  /** Wait that the model's provider asked for, shared by everybody with the same key. */
  provider: SharedWait;
  /** The product's templates of the task language. */
  templates: readonly Source[];
  openModel(played: readonly PlayedReply[], rows: ModelRows): Promise<OpenedModel>;
  /** Model settings for jobs, with the configuration's own rows. A scripted model's file is sent with the job. */
  jobModel(rows: ModelRows): JobSpec['model'];
  /** Values that must never leave in a patch or a comment. */
  secrets: readonly string[];
  /** API calls that the run's token has used, if the status comment shows them. */
  callsUsed?(): CallsUsed | undefined;
  /** Latest progress of a directive's jobs, if they report it here. */
  doing?(directive: number): readonly string[];
  /** Takes the secrets of this process out of a text. */
  mask: Mask;
  /** Runs code that the model writes for itself. */
  sandbox: Sandbox;
  /** Everything that sessions of layers tell. */
  onSession?: (event: TaskEvent) => void;
  /** Number of events of each run that this process has reported, by run id. */
  told: Map<string, number>;
  /** Writes that GitHub's limit has prevented, by run id. */
  unsaved: Map<string, Unsaved>;
}

/** Entries that follow the first `after` of a run's record. */
export interface Unsaved {
  after: number;
  entries: readonly Entry[];
}

export interface ActiveRun extends RunContext<RunValues> {
  start: Start;
  /** Comments posted through it do not count against the limit; those of the run's own connection do. */
  access: RepositoryAccess;
  jobs: Jobs;
  journal: RunJournal;
  outstanding: Map<string, AnyJobSpec>;
  /** Progress of its layers while they think. */
  doing: LayersDoing;
  /** New input, available before the first step after the start. */
  arrived: readonly Delivery[];
  abort: AbortSignal;
  /** Number of times its end was posted. */
  ends: number;
}

type Parts = Pick<
  ActiveRun,
  'start' | 'access' | 'jobs' | 'github' | 'journal' | 'view' | 'arrived' | 'abort'
> & { tell(event: RunEvent): void };

export function activeRun({ tell, ...parts }: Parts): ActiveRun {
  const { step, signal, earlier, intend } = parts.journal;
  return {
    ...parts,
    // A /retry renews its base; the next replay begins again from what was written.
    start: structuredClone(parts.start),
    config: parts.start.config,
    step,
    signal,
    earlier,
    intend,
    emit(event) {
      fold(parts.view, event);
      if ('type' in event) tell(event);
    },
    doing: layersDoing(parts.access.clock),
    outstanding: new Map(),
    ends: 0,
    ...answers(step, parts.github, parts.view),
  };
}

/** A command is answered by a rocket when it was followed, by one sentence and a frown when it was not. */
function answers(
  step: RunContext['step'],
  github: Repository,
  { issue }: RunView,
): Pick<RunContext, 'accept' | 'refuse'> {
  /** Twice leaves one, so nothing needs to be looked for after a crash. */
  const react = (key: string, comment: number, reaction: 'rocket' | 'confused') =>
    step(key, async () => {
      await github.react(comment, reaction);
      return true;
    });
  return {
    async accept({ id, value }) {
      await react(`command/${id}/accepted`, value.comment, 'rocket');
    },
    async refuse({ id, name, value: { by, comment, on = issue } }, why) {
      await react(`command/${id}/frown`, comment, 'confused');
      const said = { key: `command/${id}/refused`, issue: on, body: refusal(by, name, why) };
      try {
        await commentOnce(step, github, said);
      } catch (error) {
        // The frown has to do.
        if (!(error instanceof SaidEnough)) throw error;
      }
    },
  };
}
