// What a comment offers to say in answer, as buttons: each sends its line as a comment of the person's own.
import type { Context } from 'hono';
import { html } from 'hono/html';
import type { Comment } from './conversation.ts';
import { form, type Html } from './layout.ts';

/** A comment as `QuickReplies` is asked about it. */
interface Posted {
  /** Later comments have higher ones. */
  id: number;
  /** Login; a bot's ends with `[bot]`, which no person's can. */
  author: string;
  edited: boolean;
  body: string;
}

/** A line to say. `field`: something is to be filled in, which stands behind the line; this is asked for it. */
interface QuickReply {
  label: string;
  line: string;
  field?: string;
  main?: true;
}

/** Given by whoever serves the forge: what each comment of a thread (by its id) offers now. */
export type QuickReplies = (thread: readonly Posted[]) => ReadonlyMap<number, readonly QuickReply[]>;

/** By the id of a comment: its buttons. Nothing is offered while the last word is one of them, said by the person. */
export function quickReplyForms(
  c: Context,
  path: string,
  comments: readonly Comment[],
  quickReplies: QuickReplies,
): ReadonlyMap<number, Html> {
  const thread = comments.map(({ id, user, body, created_at, updated_at }) => ({
    id,
    author: user?.login ?? '',
    edited: created_at !== updated_at,
    body: body ?? '',
  }));
  const actor = c.get('actor');
  const last = thread.at(-1);
  const isSaid = ({ line }: QuickReply) =>
    last?.author === actor && `${last.body.trim()} `.startsWith(`${line} `);
  return new Map(
    [...quickReplies(thread)]
      .filter(([, offered]) => !offered.some(isSaid))
      .map(([id, offered]) => [id, replyRow(c, path, id, offered)]),
  );
}

const replyRow = (c: Context, path: string, id: number, offered: readonly QuickReply[]): Html =>
  html`<div class="quick-replies row" id="replies-${id}" role="group" aria-label="Answer by clicking">${offered.map(
    ({ label, line, field, main }, index) =>
      form(
        c,
        `${path}/comments`,
        html`<input type="hidden" name="body" value="${line}">${field === undefined ? '' : html`<label for="reply-${id}-${index}">${field}</label><input id="reply-${id}-${index}" name="rest" required maxlength="4000" autocomplete="off">`}<button class="${main ? 'primary' : ''}" title="Says ${line}${field === undefined ? '' : ' …'}">${label}</button>`,
        'row',
      ),
  )}</div>`;
