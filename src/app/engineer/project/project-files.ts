// The files of a repository at one commit, as the guesses of its test and setup commands read them. All of them may be hostile.
import type { Guess } from '../../comments/view.ts';

export type ProjectFiles = ReturnType<typeof projectFiles>;

/** Characters of a file; a longer one names no command. */
const MAX_TEXT = 128 * 1024;
/** Characters of a command that is guessed. */
const MAX_COMMAND = 2000;

export function projectFiles(paths: readonly string[], read: (path: string) => Promise<string>) {
  const known = new Set(paths);
  const texts = new Map<string, Promise<string>>();
  const bounded = async (path: string) => {
    const text = known.has(path) ? await read(path) : '';
    return text.length > MAX_TEXT ? '' : text;
  };
  return {
    paths: known,
    /** Each file is read once; empty where there is none, and where it is too large. */
    read(path: string): Promise<string> {
      const text = texts.get(path) ?? bounded(path);
      texts.set(path, text);
      return text;
    },
  };
}

/** The first of the sources that names a command. */
export async function firstGuess(
  sources: readonly (() => Promise<Guess | undefined>)[],
): Promise<Guess | undefined> {
  for (const source of sources) {
    const guess = await source();
    if (guess && guess.command !== '' && guess.command.length <= MAX_COMMAND) return guess;
  }
  return undefined;
}
