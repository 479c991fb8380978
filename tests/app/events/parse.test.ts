// Events out of GitHub's recorded payloads, and what is ignored or refused.
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { eventOf, MalformedPayload } from '../../../src/app/events/parse.ts';

interface Json {
  action?: string;
  pull_request?: { head?: object };
  issue?: object;
  check_suite?: object;
}
interface Definition {
  name: string;
  examples: Json[];
}
const load = createRequire(import.meta.url);
const recorded = (server: string) => load(`@octokit/webhooks-examples/${server}/index.json`) as Definition[];
const github = recorded('api.github.com');

/** The recorded ones tell of a branch and an issue that people made: here of ones of ours. */
function asOurs({ pull_request: pull, issue, check_suite: suite, ...example }: Json) {
  const ref = 'echelon/0123abcd/2-a-mark';
  const head = { ...pull?.head, ref };
  return {
    ...example,
    ...(issue && { issue: { ...issue, body: 'Part of it.\n\n<!-- echelon:op=0123456789abcdef0123 -->' } }),
    ...(suite && { check_suite: { ...suite, head_branch: ref, pull_requests: [{ number: 3 }] } }),
    ...(pull && { pull_request: { ...pull, head } }),
  };
}

describe('recorded payloads', () => {
  test.each(['api.github.com', 'ghes-32', 'ghes-35'])(
    '%s: every example is an event or is ignored',
    server => {
      const results = recorded(server).flatMap(({ name, examples }) =>
        examples.map(example => ({ name, action: example.action, result: eventOf(name, example) })),
      );
      expect(results.length).toBeGreaterThan(40);
      for (const { name, action, result } of results)
        if ('ignored' in result) expect(result.ignored).toMatch(/\w/);
        else expect(result.kind).toBe(`${name}.${action}`);
    },
  );

  const kinds = [
    'check_suite.completed',
    'issue_comment.created',
    'issue_comment.edited',
    'issues.assigned',
    'issues.deleted',
    'issues.labeled',
    'issues.reopened',
    'issues.transferred',
    'issues.unassigned',
    'issues.unlabeled',
    'pull_request.closed',
    'pull_request.labeled',
    'pull_request.ready_for_review',
    'pull_request.reopened',
    'pull_request.synchronize',
    'pull_request.unlabeled',
    'pull_request_review.submitted',
  ];
  test.each(kinds)('%s has a recorded example that is read', kind => {
    const [name] = kind.split('.');
    const read = github
      .filter(definition => definition.name === name)
      .flatMap(({ examples }) => examples.map(example => eventOf(name!, asOurs(example))));
    expect(read.filter(result => 'kind' in result && result.kind === kind)).not.toHaveLength(0);
  });
  test('these are all that are read, but for issues.closed, which has none', () => {
    const read = github.flatMap(({ name, examples }) =>
      examples.map(example => eventOf(name, asOurs(example))),
    );
    const found = new Set(read.flatMap(result => ('kind' in result ? result.kind : [])));
    expect([...found].sort()).toEqual(kinds);
  });
});

const sender = { login: 'ann', type: 'User', id: 1 };
const repository = { id: 7, name: 'app', owner: { login: 'octo', type: 'Organization' }, fork: false };
const comment = {
  id: 5,
  body: '/approve',
  user: sender,
  created_at: '2026-01-01T00:00:00Z',
};
const commented = {
  action: 'created',
  repository,
  sender,
  installation: { id: 3 },
  issue: { number: 4 },
  comment,
};
describe('eventOf', () => {
  test('an issue that was closed', () => {
    const { comment: _, ...closed } = { ...commented, action: 'closed' };
    expect(eventOf('issues', closed)).toMatchObject({ kind: 'issues.closed', issue: 4 });
  });
  test('a comment', () => {
    expect(eventOf('issue_comment', commented)).toEqual({
      kind: 'issue_comment.created',
      repository: { owner: 'octo', name: 'app', id: 7 },
      installation: 3,
      sender: { login: 'ann', type: 'User' },
      issue: 4,
      isPullRequest: false,
      comment: {
        id: 5,
        body: '/approve',
        author: 'ann',
        createdAt: Date.parse(comment.created_at),
        commands: [{ name: 'approve', line: 1, what: 'all' }],
        problems: [],
      },
    });
  });
  test('an issue of ours that is assigned, and no other one', () => {
    const assigned = (body: string | null) =>
      eventOf('issues', { action: 'assigned', repository, sender, issue: { number: 4, body } });
    expect(assigned('x\n\n<!-- echelon:op=0 -->')).toMatchObject({ kind: 'issues.assigned', issue: 4 });
    for (const body of ['x', null]) expect(assigned(body)).toEqual({ ignored: 'the issue is none of ours' });
  });
  test('a comment on a pull request', () => {
    expect(
      eventOf('issue_comment', { ...commented, issue: { number: 4, pull_request: { url: 'x' } } }),
    ).toMatchObject({ isPullRequest: true });
  });
  test('the end of a job that an App has dispatched', () => {
    const name = 'Echelon #12 / #14, attempt 1 [0123456789abcdef0123] / work';
    const ended = { action: 'completed', repository, sender };
    expect(eventOf('workflow_job', { ...ended, workflow_job: { name } })).toMatchObject({
      kind: 'workflow_job.completed',
      issue: 12,
    });
    expect(eventOf('workflow_job', { ...ended, workflow_job: { name: 'Echelon #12 / tests' } })).toEqual({
      ignored: 'the job is none of ours',
    });
  });
  test.each(['pull_request', 'pull_request_review'])('a %s on a branch of ours, and on no other', name => {
    const action = name === 'pull_request' ? 'closed' : 'submitted';
    const of = (ref: string, repo: { id: number } | null = { id: 7 }) =>
      eventOf(name, {
        ...{ action, repository, sender },
        pull_request: { number: 5, head: { ref, repo } },
      });
    expect(of('echelon/0123abcd/2-a-mark')).toMatchObject({ kind: `${name}.${action}`, issue: 5 });
    const others = { ignored: 'the pull request is not from a branch of ours' };
    expect(of('fix-the-lamp')).toEqual(others);
    expect(of('echelon/0123abcd/2-a-mark', { id: 8 })).toEqual(others);
    expect(of('echelon/0123abcd/2-a-mark', null)).toEqual(others);
  });
  test('a label', () => {
    expect(
      eventOf('issues', {
        action: 'labeled',
        repository,
        sender,
        issue: { number: 4 },
        label: { name: 'echelon' },
      }),
    ).toEqual({
      kind: 'issues.labeled',
      repository: { owner: 'octo', name: 'app', id: 7 },
      sender: { login: 'ann', type: 'User' },
      issue: 4,
      label: 'echelon',
    });
  });

  test.each<[string, string, unknown, string]>([
    ['another event', 'push', {}, '"push" events trigger nothing'],
    ['a name that is only a prefix', 'issue', {}, '"issue" events trigger nothing'],
    [
      'another action',
      'issues',
      { action: 'opened' },
      'issues events with the action "opened" trigger nothing',
    ],
    ['no action', 'issues', {}, 'issues events with the action none trigger nothing'],
    [
      'an edit that leaves the text',
      'issue_comment',
      { ...commented, action: 'edited' },
      'the text of the comment was not changed',
    ],
    ['a deleted comment', 'issue_comment', { ...commented, action: 'deleted' }, 'the action "deleted"'],
    [
      'a fork',
      'issue_comment',
      { ...commented, repository: { ...repository, fork: true } },
      'the repository is a fork',
    ],
    [
      'a bot as author',
      'issue_comment',
      { ...commented, comment: { ...comment, user: { login: 'x[bot]', type: 'Bot' } } },
      'x[bot] is a bot',
    ],
    ['a bot as sender', 'issue_comment', { ...commented, sender: { login: 'x', type: 'Bot' } }, 'x is a bot'],
    [
      'a bot by name only',
      'issue_comment',
      { ...commented, sender: { login: 'x[bot]', type: 'User' } },
      'x[bot] is a bot',
    ],
    [
      'an organisation',
      'issue_comment',
      { ...commented, sender: { login: 'o', type: 'Organization' } },
      'o is a bot',
    ],
    [
      'our own',
      'issue_comment',
      { ...commented, comment: { ...comment, body: 'x\n<!-- echelon:run -->' } },
      'the comment is our own',
    ],
    [
      'a ghost',
      'issue_comment',
      { ...commented, comment: { ...comment, user: null } },
      'no account any more',
    ],
    [
      'a label by a bot',
      'issues',
      {
        action: 'labeled',
        repository,
        sender: { login: 'x', type: 'Bot' },
        issue: { number: 1 },
        label: { name: 'a' },
      },
      'x is a bot',
    ],
  ])('%s is ignored', (_case, name, payload, reason) => {
    expect(eventOf(name, payload)).toEqual({ ignored: expect.stringContaining(reason) });
  });

  test('a fork that its owner allows is read as any repository', () => {
    const payload = { ...commented, repository: { ...repository, fork: true } };
    expect(eventOf('issue_comment', payload, { forks: true })).toEqual(eventOf('issue_comment', commented));
  });

  test.each<[string, string, unknown, string]>([
    ['not an object', 'issues', 'x', 'issues: payload: Invalid input'],
    ['null', 'issues', null, 'issues: payload:'],
    [
      'no repository',
      'issues',
      { action: 'labeled', sender, issue: { number: 1 } },
      'issues.labeled: repository: missing',
    ],
    [
      'no sender',
      'issues',
      { action: 'labeled', repository, issue: { number: 1 } },
      'issues.labeled: sender: missing',
    ],
    ['no issue', 'issues', { action: 'labeled', repository, sender }, 'issues.labeled: issue:'],
    [
      'a number that is none',
      'issues',
      { action: 'labeled', repository, sender, issue: { number: '1' } },
      'issues.labeled: issue.number:',
    ],
    [
      'a body that is none',
      'issue_comment',
      { ...commented, comment: { ...comment, body: 3 } },
      'issue_comment.created: comment.body:',
    ],
    ['an action that is none', 'issues', { action: 3 }, 'issues: action:'],
  ])('%s is refused with its place', (_case, name, payload, message) => {
    expect(() => eventOf(name, payload)).toThrow(MalformedPayload);
    expect(() => eventOf(name, payload)).toThrow(message);
  });

  test('names of Object.prototype are no events', () => {
    for (const name of ['constructor', '__proto__', 'toString', ''])
      expect(eventOf(name, {})).toHaveProperty('ignored');
  });
});
