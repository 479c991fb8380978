// Commits what was suggested in a comment on lines: by the route that writes a file, as the person who asks for it.
import { z } from 'zod';
import { type Api, Refusal } from '../api.ts';
import { bytesOf, charsetOf, contentsAt } from '../files/contents.ts';
import { contentsOf } from '../files/place.ts';
import { LineComment } from './line-comment.ts';
import { linesBefore, suggestionsIn } from './suggestions.ts';
import { withLines } from './with-lines.ts';
import { setResolved, threadStates } from './thread-states.ts';

const Pull = z.object({ state: z.string(), head: z.object({ ref: z.string(), sha: z.string() }) });

export interface Asked {
  /** Of the comment. */
  id: number;
  /** Which of its suggestions, from 0. */
  number: number;
  /** The head that the person saw. */
  head: string;
}

/** Refused with 422 where the lines are no longer those that the comment is on; by the API for who may not write. */
export async function commitSuggestion(
  api: Api,
  actor: string,
  { repository, pull }: { repository: string; pull: number },
  { id, number, head }: Asked,
): Promise<void> {
  const at = `/repos/${repository}/pulls/${pull}`;
  // First these: on the head that is read next, or on an earlier one.
  const comment = (await api.all(`${at}/comments`, LineComment)).items.find(each => each.id === id);
  const { state, head: now } = await api.get(at, Pull);
  if (!comment) throw new Refusal(404, 'There is no such comment any more.');
  const [states, suggestions] = await Promise.all([
    threadStates(api, repository, pull),
    suggestionsIn(comment.body ?? '', { repository, anchor: 'suggestion' }),
  ]);
  const suggestion = suggestions[number];
  if (!suggestion) throw new Refusal(404, 'The comment no longer suggests this.');
  if (state !== 'open')
    throw new Refusal(422, 'The pull request is closed: nothing is committed to it any more.');
  if (now.sha !== head)
    throw new Refusal(
      422,
      'Commits came since this page was shown: reload it, and look at the suggestion again.',
    );
  const thread = states.get(comment.in_reply_to_id ?? id);
  if (thread?.resolvedBy !== undefined)
    throw new Refusal(
      422,
      `${thread.resolvedBy} has resolved this thread: open it again to commit the suggestion.`,
    );
  const before = linesBefore(comment);
  if (!comment.line) throw changedSince();
  if (!before) throw new Refusal(422, 'Only lines that stand after the change can be replaced.');

  const file = { repository, ref: now.sha, path: comment.path };
  const content = await contentsAt(api, file);
  const bytes = Array.isArray(content) ? undefined : bytesOf(content);
  if (Array.isArray(content) || !bytes || content.type !== 'file' || charsetOf(bytes) !== 'utf-8')
    throw new Refusal(422, `${comment.path} is no text in UTF-8 of at most 1 MB: change it in a clone.`);
  const place = { from: comment.start_line ?? comment.line, to: comment.line };
  const changed = withLines(bytes.toString(), place, before, suggestion);
  if (changed === undefined) throw changedSince();
  if (changed === bytes.toString()) throw new Refusal(422, 'The lines already are as suggested.');
  const { user } = comment;
  const own = user === null || user.login === actor;
  await api.send('PUT', contentsOf({ ...file, ref: '' }).replace(/\?.*/, ''), {
    message: own
      ? 'Apply a suggestion'
      : `Apply a suggestion of @${user.login}\n\nCo-authored-by: ${user.login} <${user.id}+${user.login}@users.noreply.github.com>`,
    content: Buffer.from(changed).toString('base64'),
    sha: content.sha,
    branch: now.ref,
  });
  if (thread) await setResolved(api, thread.id, true);
}

const changedSince = () =>
  new Refusal(422, 'These lines have changed since they were commented on: the suggestion fits no more.');
