// A repository whose workflows work directives of one issue each, with nothing to approve: the smallest whole run on Actions.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { type ActionsOptions, openLocalActions } from '../../../src/doors/cli/local-actions.ts';
import { reachOf } from '../../../packages/ground/workspace/reach.ts';
import { machineHere } from '../../action-here.ts';
import { commit } from '../../committed.ts';
import { productIn } from '../../crash/product.ts';
import { issues, passes, quietLeads, teamLead, work } from '../../dialogue/script.ts';

/** Owner of the repository `work`. */
export const person = 'you';
/** Login that workflows write as. */
export const bot = 'github-actions[bot]';

const replies = [
  ...quietLeads,
  { ...teamLead('Nothing to do.'), when: 'Look only.' },
  teamLead('To work.', issues({ title: 'Add a mark' }), work),
  ...passes('Add a mark', { 'mark.txt': 'x\n' }),
];

const Named = z.object({ number: z.int() });
const By = z.object({ user: z.object({ login: z.string() }) });
const Comments = z.array(By.extend({ body: z.string() }));
const Pull = By.extend({
  number: z.int(),
  body: z.string(),
  draft: z.boolean(),
  head: z.object({ ref: z.string(), sha: z.string() }),
});

export type OneIssue = Awaited<ReturnType<typeof openOneIssue>>;

/** `files`: of the repository, beside a configuration. `processes`: the product's steps are processes of their own. */
export async function openOneIssue(
  files: Record<string, string> = {},
  {
    processes,
    ...more
  }: Partial<Pick<ActionsOptions, 'onCall' | 'runner' | 'model'>> & { processes?: true } = {},
) {
  const root = mkdtempSync(join(tmpdir(), 'echelon-one-issue-'));
  const from = join(root, 'work');
  commit(from, { '.github/echelon.yml': 'approval: none\nretries: 0\n', ...files });
  const folder = join(root, 'stage');
  const path = process.env['PATH'] ?? '';
  const reach = { ...reachOf(process.env), ...(await productIn(folder)) };
  const local = await openLocalActions({
    ...{ folder, person, test: undefined, log: () => {} },
    repository: { owner: person, name: 'work', from },
    model: { provider: 'scripted', file: 'script.json', script: JSON.stringify({ version: 1, replies }) },
    host: { path, reach, allows: { isolationNone: false, network: false } },
    ...(!processes && { runner: usual => ({ ...usual, carryOut: machineHere(path, reach) }) }),
    ...more,
  });
  async function call(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await local.forge.call(person, method, `/repos/${person}/work${path}`, body);
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }
  async function close(): Promise<void> {
    await local.close();
    rmSync(root, { recursive: true, force: true });
  }
  return {
    ...local,
    call,
    root,
    set: (name: string, value: string) => local.forge.setActionValue(person, 'work', 'secret', name, value),
    /** A directive is filed, labelled, and worked until nothing runs any more; answers its number. `Look only.` plans nothing. */
    async directive(body = 'Now.'): Promise<number> {
      const { number } = Named.parse(await call('POST', '/issues', { title: 'Mark it', body }));
      await call('POST', `/issues/${number}/labels`, { labels: ['echelon'] });
      await local.idle();
      return number;
    },
    /** A comment by the person, and all that comes of it. */
    async say(issue: number, body: string): Promise<void> {
      await call('POST', `/issues/${issue}/comments`, { body });
      await local.idle();
    },
    comments: async (issue: number) => Comments.parse(await call('GET', `/issues/${issue}/comments`)),
    allComments: async () => Comments.parse(await call('GET', '/issues/comments?per_page=100')),
    /** The newest pull request. */
    pull: async () => z.array(Pull).parse(await call('GET', '/pulls?state=all'))[0],
    close,
    [Symbol.asyncDispose]: close,
  };
}
