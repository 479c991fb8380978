// How a command is answered: a rocket when it was followed, one sentence and a frown when it was not.
import type { CommandOrigin } from '../commands/command.ts';
import { refusal } from '../comments/replies.ts';
import { commentOnce } from '../github/once.ts';
import type { Repository } from '../github/repository.ts';
import type { Step } from '../../journal/journal.ts';
import { SaidEnough } from './comment-limit.ts';

/** What an answer needs to know of a command that came as a signal. */
interface AnsweredCommand {
  id: string;
  name: string;
  value: CommandOrigin;
}

/** Setting a reaction twice leaves one, so nothing needs to be looked for after a crash. */
export async function accept(step: Step, github: Repository, command: AnsweredCommand): Promise<void> {
  const { comment } = command.value;
  await step(`command/${command.id}/accepted`, async () => {
    await github.react(comment, 'rocket');
    return true;
  });
}

export async function refuse(
  step: Step,
  github: Repository,
  command: AnsweredCommand,
  issue: number,
  why: string,
) {
  const { by, comment } = command.value;
  await step(`command/${command.id}/frown`, async () => {
    await github.react(comment, 'confused');
    return true;
  });
  const said = { key: `command/${command.id}/refused`, issue, body: refusal(by, command.name, why) };
  try {
    await commentOnce(step, github, said);
  } catch (error) {
    // The frown has to do.
    if (!(error instanceof SaidEnough)) throw error;
  }
}
