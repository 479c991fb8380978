// Validity of an approval: each thing that can be withdrawn, by itself.
import { expect, test } from 'vitest';
import { type Approval, lookAt, textDigest } from '../../../src/app/cascade/standing.ts';
import type { Permission } from '../../../src/app/github/repository.ts';
import type { Comment, Thread } from '../../../src/app/github/thread.ts';
import { marked, operationKey } from '../../../src/app/github/once.ts';

const identity = { repository: 7, issue: 1, run: 'r' };
const shown = (n: number) => ({ id: n, key: `listing-${n}`, body: `Part ${n}` });
const comment = (id: number, author: string, body: string): Comment => ({
  id,
  node: `node-${id}`,
  url: '',
  body,
  author,
  bot: author.endsWith('[bot]'),
  createdAt: 0,
  editedBy: null,
  editedAt: null,
  hidden: false,
});

interface Scene {
  thread: Thread;
  approvals: Approval[];
  rights: Record<string, Permission>;
}

function scene(): Scene {
  const text = { title: 'Tidy', body: 'Books.' };
  const listing = { comments: [shown(1), shown(2)], issue: textDigest(text) };
  const posted = listing.comments.map(({ id, key, body }) =>
    comment(id, 'echelon[bot]', marked(body, operationKey(identity, key)).replaceAll('\n', '\r\n')),
  );
  return {
    thread: {
      ...text,
      number: 1,
      state: 'open',
      locked: false,
      author: 'sam',
      labels: ['bug', 'echelon'],
      isPull: false,
      comments: [...posted, comment(3, 'wanda', '/approve a1'), comment(4, 'mia', '/approve')],
    },
    approvals: [
      { by: 'wanda', comment: 3, shown: listing },
      { by: 'mia', comment: 4, shown: listing },
    ],
    rights: { wanda: 'write', mia: 'maintain' },
  };
}

const why = ({ thread, approvals, rights }: Scene) =>
  lookAt(
    {
      step: async (_key, make) => await make('', { state: undefined, said: [], save: async () => {} }),
      github: {
        id: identity.repository,
        bot: 'echelon[bot]',
        thread: async () => thread,
        issue: async () => await Promise.reject(new Error('no issue is listed')),
        related: async () => [],
        permission: async login => rights[login] ?? 'none',
      },
      view: identity,
      config: { label: 'echelon' },
    },
    'a look',
    approvals,
  );

const at = ({ thread }: Scene, id: number): Comment => thread.comments.find(each => each.id === id)!;
const without = (of: Scene, id: number) => {
  of.thread.comments = of.thread.comments.filter(each => each.id !== id);
};

test('nothing was taken back: it stands', async () => {
  expect(await why(scene())).toBeUndefined();
});

test.for<[string, (of: Scene) => void, string]>([
  ['a comment of the listing is gone', of => without(of, 2), 'a comment of the listing was deleted'],
  [
    'one was edited and edited back',
    of => void (at(of, 2).editedBy = 'mia'),
    'the listing was edited by mia',
  ],
  ['one has another text', of => void (at(of, 1).body += '.'), 'the listing was edited'],
  [
    'one with its text is by somebody else',
    of => void (at(of, 2).author = 'mia'),
    'a comment of the listing is by mia',
  ],
  ['a comment that approved is gone', of => without(of, 4), 'the comment by mia that approved was deleted'],
  [
    'one was edited, whatever stands there now',
    of => void (at(of, 3).editedBy = 'wanda'),
    'the comment by wanda that approved was edited',
  ],
  ['one was hidden', of => void (at(of, 4).hidden = true), 'the comment by mia that approved was hidden'],
  [
    'the account is gone',
    of => void (at(of, 3).author = 'ghost'),
    'wanda, who approved, is not here any more',
  ],
  [
    'the rights are gone',
    of => void (of.rights['mia'] = 'triage'),
    'mia, who approved, has only triage access now',
  ],
  ['all rights are gone', of => void delete of.rights['wanda'], 'wanda, who approved, has no access now'],
  [
    'the title changed',
    of => void (of.thread.title = 'X'),
    'the title or the description of this issue was changed since',
  ],
  [
    'the description changed',
    of => void (of.thread.body = 'X'),
    'the title or the description of this issue was changed since',
  ],
  [
    'the issue is closed',
    of => void (of.thread.state = 'closed'),
    'this issue is closed. Open it again first',
  ],
  ['the issue is locked', of => void (of.thread.locked = true), 'this issue is locked. Unlock it first'],
  [
    'the label is off',
    of => void (of.thread.labels = ['bug']),
    'the label echelon was taken off. Put it on again first',
  ],
])('%s: it does not stand', async ([, change, reason]) => {
  const of = scene();
  change(of);
  expect(await why(of)).toBe(reason);
});
