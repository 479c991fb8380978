// The pages of the run of an issue: what they show, and what a hostile text in it cannot do.
import { describe, expect, test } from 'vitest';
import type { IssueJob, IssueRun } from '../../../packages/forge/pages/issue-run/issue-run.ts';
import { pages } from '../../../packages/forge/pages/pages.ts';
import { openTestForge } from '../fixture.ts';
import { Visitor } from '../../visitor.ts';
import { issueRunsOf, jobOf, runOf } from './run.ts';

const key = 'the-key-of-these-pages';
const open = (run: IssueRun, job: IssueJob) =>
  openTestForge({ pages: forge => pages(forge, { actor: 'olga', key, issueRuns: issueRunsOf(run, job) }) });
const at = '/olga/work/issues/1/run';

describe('a run', () => {
  test('is linked from its issue once it is shown there, and leads to all that there is of it', async () => {
    await using t = await open(runOf(2, 1), jobOf());
    const visitor = new Visitor(t.forge.url, key);
    const { number } = (
      await t.forge.call('olga', 'POST', '/repos/olga/work/issues', { title: 'Tidy', body: '' })
    ).body as { number: number };
    expect(number).toBe(1);
    expect((await visitor.read('/olga/work/issues/1')).text).not.toContain(at);
    await t.forge.call('olga', 'POST', '/repos/olga/work/issues/1/comments', { body: '### Building' });
    expect((await visitor.read('/olga/work/issues/1')).text).toContain(`href="${at}"`);
    // From a part of it as well.
    const call = (path: string, body: object) =>
      t.forge.call('olga', 'POST', `/repos/olga/work/issues${path}`, body);
    const part = (await call('', { title: 'Part' })).body as { number: number; id: number };
    expect((await visitor.read(`/olga/work/issues/${part.number}`)).text).not.toContain(at);
    await call('/1/sub_issues', { sub_issue_id: part.id });
    expect((await visitor.read(`/olga/work/issues/${part.number}`)).text).toContain(
      `href="${at}#lane-${part.number}">Its place in the run of #1`,
    );
    const { text } = await visitor.read(at);
    for (const part of [
      '<a href="/olga/work/issues/1#issuecomment-7">Answer what is asked</a>',
      '<dt>Issues</dt><dd>words</dd>',
      '<a href="/olga/work/issues/2">#2</a>',
      `<a href="${at}/a1b2c3d4e5f60718293a">attempt 1</a>`,
      '1: tests red, not accepted; 2: tests green, accepted',
      '3 min 0 s: waits for #1',
      '<title>waits for #1: words</title>',
      '3 before these are not shown.',
      // It renews itself.
      '<body data-busy>',
    ])
      expect(text).toContain(part);
    expect(text.match(/<path class="works" /g)).toHaveLength(2 + 1);
  });

  test('its graph is a picture of its own, which runs nothing', async () => {
    await using t = await open(runOf(2, 1), jobOf());
    const visitor = new Visitor(t.forge.url, key);
    const [address = ''] = /(?<=<img src=")[^"]+/.exec((await visitor.read(at)).text) ?? [];
    expect(address).toMatch(/^\/olga\/work\/issues\/1\/run\/graph\.svg\?of=[0-9a-f]{12}$/);
    const { status, text } = await visitor.read(address);
    expect([status, text.slice(0, 4)]).toEqual([200, '<svg']);
    expect(text).not.toContain('<script');
  });

  test('hostile words stay words, and nothing is styled or run inline', async () => {
    const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>'</title></svg>`;
    await using t = await open(runOf(1, 1, hostile), jobOf(hostile));
    const visitor = new Visitor(t.forge.url, key);
    for (const path of [at, `${at}/a1b2c3d4e5f60718293a`]) {
      const { status, text } = await visitor.read(path);
      expect(status).toBe(200);
      expect(text).not.toMatch(/<script(?! src="\/-\/)|<img src=x|<style|<[^>]*\sstyle=|<[^>]*\son\w+=/);
      expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    }
    for (const path of ['log', 'patch']) {
      const answer = await visitor.read(`${at}/a1b2c3d4e5f60718293a/${path}`);
      expect(answer.text).toContain(hostile);
    }
  });

  test('a job shows what was said, its output and its log with groups and colours', async () => {
    await using t = await open(runOf(1, 1), jobOf());
    const { text } = await new Visitor(t.forge.url, key).read(`${at}/a1b2c3d4e5f60718293a`);
    for (const part of [
      // It grows while it is read.
      '<body data-busy>',
      '<strong>Done.</strong>',
      '<span class="ansi-red">not ok</span> words',
      '<summary>Setup words</summary><span class="bold ansi-green">fetched</span> plain',
      '<span class="error">words</span>',
      `<a href="${at}/a1b2c3d4e5f60718293a/patch">`,
    ])
      expect(text).toContain(part);
  });

  test('what is not there: no run on an issue, no job in a run, no run of another repository', async () => {
    await using t = await open(runOf(1, 1), jobOf());
    const visitor = new Visitor(t.forge.url, key);
    for (const path of ['/olga/work/issues/2/run', '/olga/none/issues/1/run', `${at}/ffff`, `${at}/..%2f..`])
      expect((await visitor.read(path)).status, path).toBe(404);
  });

  test('of 50 issues with 10 attempts each: under 300 KB', async () => {
    await using t = await open(runOf(50, 10, 'so many words as a reason has'), jobOf());
    const visitor = new Visitor(t.forge.url, key);
    const { text } = await visitor.read(at);
    expect(text.length).toBeLessThan(300_000);
  });
});
