// A model's change starts none of the repository's workflows, which may have secrets, before a person has read it: the message
// of the head commit says so, and is made again without that when somebody lets the checks start.
import type { Config } from '../../config/config.ts';
import type { EngineerContext } from '../slots/context.ts';

/**
 * GitHub starts no workflow of `push` or `pull_request`, and no check of an App, for a head commit with this trailer. It has to
 * be the last one, with two empty lines before the trailers. `[skip ci]` would do so anywhere in a message, so a squash
 * that lists the commits of a pull request would carry it to the base branch.
 * https://docs.github.com/actions/how-tos/manage-workflow-runs/skip-workflow-runs
 */
const trailer = 'skip-checks: true';

/** With the token of a job GitHub itself waits for a person's click. */
export const holdsChecks = ({
  config,
  github,
}: Pick<EngineerContext, 'github'> & {
  config: Pick<Config, 'checks'>;
}): boolean => config.checks === 'ask' && !github.checksWait;

export const isHeld = (message: string): boolean => message.trimEnd().endsWith(`\n${trailer}`);

/** The message of a head commit that nobody has read. */
export function withHold(message: string): string {
  const [, text = '', trailers = ''] = /^([\s\S]*?)((?:\n[A-Z][\w-]*: .*)*)$/.exec(message.trimEnd()) ?? [];
  return `${text.trimEnd()}\n\n${trailers}\n${trailer}\n`;
}

/** The same message for one that somebody has read. */
export const withoutHold = (message: string): string =>
  isHeld(message)
    ? `${message
        .trimEnd()
        .slice(0, -trailer.length)
        .trimEnd()
        .replace(/\n{3,}/g, '\n\n')}\n`
    : message;
