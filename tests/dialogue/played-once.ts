// A story that many tests begin with: played once in a run of the tests, and every test goes on from a copy of where it stood.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { madeOnce } from '../made-once.ts';
import { type Dialogue, type Given, openDialogue, type Stand } from './fixture.ts';

/**
 * Answers how to open the story where `play` leaves it, by default where the label leads at once. What is opened is
 * another process than the one that played: a test that looks at one process all along opens a dialogue of its own.
 * `replies` of a test's own come before those of the story. The same words are the same story, in whichever file.
 */
export function playedOnce(
  given: Omit<Given, 'onCall'>,
  play: (dialogue: Dialogue) => Promise<unknown> = dialogue => dialogue.label(),
): (more?: Partial<Pick<Given, 'onCall' | 'replies' | 'processes'>>) => Promise<Dialogue> {
  const story = createHash('sha256').update(JSON.stringify(given)).update(String(play)).digest('hex');
  return async more => {
    const folder = await madeOnce(`played-${story}`, part => keep(part, given, play));
    const stand = JSON.parse(readFileSync(join(folder, 'stand.json'), 'utf8')) as Omit<Stand, 'data'>;
    const replies = [...(more?.replies ?? []), ...(given.replies ?? [])];
    return await openDialogue({ ...given, ...more, replies }, { ...stand, data: join(folder, 'data') });
  };
}

/** One dialogue for tests after which the run stands as before: opened by the first of them, closed after the file's last. */
export function oneForAll(open: () => Promise<Dialogue>): () => Promise<Dialogue> {
  let opened: Promise<Dialogue> | undefined;
  afterAll(async () => await (await opened)?.[Symbol.asyncDispose]());
  return () => (opened ??= open());
}

async function keep(folder: string, given: Given, play: (dialogue: Dialogue) => Promise<unknown>) {
  await using dialogue = await openDialogue(given);
  await play(dialogue);
  const { data: _, ...stand } = await dialogue.leave(join(folder, 'data'));
  writeFileSync(join(folder, 'stand.json'), JSON.stringify(stand));
}
