// Thinking goes back as it came out of what the record keeps of a session and of a conversation.
import { expect, test } from 'vitest';
import { keptConversation, keptJournal } from '../../../src/app/cascade/fit-to-record.ts';
import { answerQuestion, SessionPaused } from '../../../src/engine/reasoning/question.ts';
import type { Entry } from '../../../packages/ground/journal/journal.ts';
import type { Replay } from '../../../packages/ground/journal/replay.ts';
import { messagesServer, says } from '../../engine/models/server.ts';
import { ask, at, done, reads, sent, session, think } from '../../engine/models/thinking.ts';
import { over } from '../../ground/journal/in-memory.ts';

test('thinking goes back unchanged after a pause', async () => {
  await using server = await messagesServer([reads(1), says([think(2), ask(2)], 'tool_use'), done]);
  const kept: Entry[] = [];
  const once = (journal: Replay) =>
    journal.step('k', (_op, progress) => session(at(server), {}, {}, progress));
  await expect(once(over(kept))).rejects.toBeInstanceOf(SessionPaused);
  const journal = over(JSON.parse(JSON.stringify(keptJournal(kept, 'k'))));
  answerQuestion(journal, 'k#1', 'So.');
  await once(journal);
  expect(sent(server)).toEqual(['sig-1==', 'sig-2==']);
});

test('thinking goes back unchanged in a conversation that goes on', async () => {
  await using server = await messagesServer([reads(1), done, reads(2), done]);
  const { messages } = await session(at(server));
  const history = keptConversation(messages);
  await session(at(server), { prompt: 'And more.', history });
  expect(sent(server)).toEqual(['sig-1==', 'sig-99==', 'sig-2==']);
});
