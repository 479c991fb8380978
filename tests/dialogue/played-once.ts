// A story that many tests of a file begin with: played once, and every test goes on from a copy of where it stood.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { type Dialogue, type Given, openDialogue, type Stand } from './fixture.ts';

/**
 * Answers how to open the story where `play` leaves it, by default where the label leads at once. What is opened is
 * another process than the one that played: a test that looks at one process all along opens a dialogue of its own.
 */
export function playedOnce(
  given: Given,
  play: (dialogue: Dialogue) => Promise<unknown> = dialogue => dialogue.label(),
): (more?: Pick<Given, 'onCall'>) => Promise<Dialogue> {
  let kept: Promise<Stand> | undefined;
  afterAll(async () => {
    if (kept) rmSync((await kept).data, { recursive: true, force: true });
  });
  return async more => {
    kept ??= keep(given, play);
    return await openDialogue({ ...given, ...more }, await kept);
  };
}

async function keep(given: Given, play: (dialogue: Dialogue) => Promise<unknown>): Promise<Stand> {
  await using dialogue = await openDialogue(given);
  await play(dialogue);
  return await dialogue.leave(mkdtempSync(join(tmpdir(), 'echelon-played-')));
}
