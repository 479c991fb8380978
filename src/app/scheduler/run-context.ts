// Values that a run passes to all of its parts: its durable functions, its view, and the repository.
import type { Step } from '@echelon/ground/journal';
import type { CommandOrigin } from '../commands/command.ts';
import type { CommandValues, Earlier, Signal } from '../commands/signal.ts';
import type { RunView } from '../comments/view.ts';
import { operationKey } from '../github/marker.ts';
import type { Repository } from '../github/repository.ts';
import type { RunEvent } from '../run-events.ts';

/** Data of a command that came as a signal, for its answer. */
interface AnsweredCommand {
  id: string;
  name: string;
  value: CommandOrigin;
}

/** `Values`: by name, what the signals carry that the room may wait for. */
export interface RunContext<Values extends CommandValues = CommandValues> {
  step: Step;
  signal: Signal<Values>;
  earlier: Earlier<Values>;
  /** Journals the intents of effects that are about to be made one after another, in one write. */
  intend(keys: readonly string[]): Promise<void>;
  /** Answers the comment a command came in with a rocket. */
  accept(command: AnsweredCommand): Promise<void>;
  /** Answers it with one sentence why it was not followed. */
  refuse(command: AnsweredCommand, why: string): Promise<void>;
  emit(event: RunEvent): void;
  view: RunView;
  github: Repository;
}

/** Operation key of the step `key` of a run. */
export const operationOf = (
  { github, view }: { github: Pick<Repository, 'id'>; view: Pick<RunView, 'issue' | 'run'> },
  key: string,
): string => operationKey({ repository: github.id, issue: view.issue, run: view.run }, key);
