// Steps of `echelon init`: proposes files, creates the label, sets secrets and switches. Each step reports its result.
import { randomBytes } from 'node:crypto';
import { workflowPath } from '../../../app/set-up.ts';
import { keyName, type ProviderKeys } from '../../../engine/models/provider-keys.ts';
import { allowPulls, asksForAll, enableInFork, setVariable } from '../doctor/settings.ts';
import { inShell } from '../own-command.ts';
import { initBranch, propose, textAt } from './branch.ts';
import type { Checked } from './checks.ts';
import { asWanted, filesFor, type NewFile, type Wanted } from './files.ts';
import { isByIdentity } from './identity.ts';
import type { Clone } from './look.ts';
import { run } from './programs.ts';

/** One thing that a repository needs. */
export interface Step {
  what: string;
  /** `left`: for the person, with what to type. */
  state: 'done' | 'there' | 'left' | 'would be done';
  /** The value found, or the command to type. */
  detail: string;
}

export interface Wish extends Wanted {
  dry: boolean;
  keys: ProviderKeys;
  /** GitHub's command line is there, logged in, and knows the repository. */
  gh: boolean;
  /** Asks the person; false: nobody can be asked, and they did not say yes beforehand. */
  agrees(question: string): Promise<boolean>;
}

export async function setUp(clone: Clone, wished: Wish, { pulls, fork }: Checked): Promise<Step[]> {
  const there = await textAt(clone, workflowPath);
  const identity = there === undefined ? wished.identity === true : isByIdentity(asWanted(there, wished));
  const wish = { ...wished, identity };
  const actions = wish.way !== 'app';
  const detail = `in ${workflowPath} add \`id-token: write\` to \`permissions\` of the jobs that call Echelon, then run this again`;
  return [
    ...(await files(clone, wish)),
    ...(wished.identity && !identity ? [left('identity', detail)] : []),
    ...(fork && !fork.runs
      ? [left('workflows of a fork', `after the merge ${enableInFork(fork.page)}`)]
      : []),
    ...(wish.way === 'actions' ? await switches(clone, wish, pulls) : []),
    await label(clone, wish),
    ...(actions ? await secrets(clone, wish) : []),
  ];
}

const left = (what: string, detail: string): Step => ({ what, state: 'left', detail });

/** The files that are missing, as a branch. One that is there is the person's: only the release that it calls is renewed. */
async function files(clone: Clone, wish: Wish): Promise<Step[]> {
  const steps: Step[] = [];
  const changed: NewFile[] = [];
  for (const file of filesFor(clone, wish)) {
    const found = await textAt(clone, file.path);
    const text = found === undefined ? file.text : file.path === workflowPath ? asWanted(found, wish) : found;
    if (text !== found) changed.push({ path: file.path, text });
    else
      steps.push({
        what: file.path,
        state: 'there',
        detail: found === file.text ? 'as it is written here' : 'with a text of your own, left alone',
      });
  }
  if (changed.length === 0) return steps;
  const what = changed.map(({ path }) => path).join(', ');
  if (wish.dry)
    return [
      ...steps,
      ...changed.map(({ path, text }): Step => ({ what: path, state: 'would be done', detail: `\n${text}` })),
    ];
  const other = `the branch ${initBranch} holds something else: git branch -D ${initBranch}, then run this again`;
  if ((await propose(clone, changed)) === 'exists') return [...steps, left(what, other)];
  return [...steps, await proposed(clone, what, wish)];
}

/** Pushes the branch and opens the pull request, where that can be done from here. */
async function proposed({ folder, branch, label: name }: Clone, what: string, { gh }: Wish): Promise<Step> {
  const by = `git push origin ${initBranch}${gh ? '' : ', then open a pull request of it'}`;
  if (!gh) {
    const same = ['diff', '--quiet', `refs/heads/${initBranch}`, `refs/remotes/origin/${initBranch}`, '--'];
    const pushed = (await run('git', same, { cwd: folder })).code === 0;
    const where = pushed ? `on origin's branch ${initBranch}: open a pull request of it` : undefined;
    return left(what, where ?? `on the branch ${initBranch}: ${by}`);
  }
  const open = await run('gh', ['pr', 'list', '--head', initBranch, '--json', 'url', '--jq', '.[].url'], {
    cwd: folder,
  });
  const pushed = await run('git', ['push', '--quiet', 'origin', initBranch], { cwd: folder });
  // GitHub takes a workflow file from a login with a scope of its own only.
  const lacks = /without `?workflow`? scope/.test(pushed.why);
  const remedy = lacks ? 'gh auth refresh -s workflow, then run this again' : by;
  if (pushed.code !== 0) return left(what, `${remedy} (${pushed.why})`);
  if (open.code === 0 && open.out !== '') return { what, state: 'there', detail: `proposed in ${open.out}` };
  const title = 'Let Echelon work issues of this repository';
  const body = `Merged, the label \`${name}\` on an issue begins a run: a plan in comments, which waits for \`/approve\`.`;
  const pull = await run(
    'gh',
    ['pr', 'create', '--head', initBranch, '--base', branch, '--title', title, '--body', body],
    { cwd: folder },
  );
  if (pull.code === 0) return { what, state: 'done', detail: `proposed in ${pull.out}` };
  return left(
    what,
    `the branch ${initBranch} is pushed; open a pull request of it (gh could not: ${pull.why})`,
  );
}

/** Steps that may need the repository owner's rights, so each asks first. */
async function switches(clone: Clone, wish: Wish, pulls: boolean | undefined): Promise<Step[]> {
  // `gh api` fills them in where this does not know them.
  const [owner = '{owner}', repo = '{repo}'] = clone.repository?.split('/') ?? [];
  const here = { owner, repo };
  const page = `Settings > Actions > General > Allow GitHub Actions to create and approve pull requests`;
  const opens = 'pull requests by Actions';
  const steps: Step[] = [
    pulls
      ? { what: opens, state: 'there', detail: 'allowed' }
      : await byGh(clone, wish, opens, allowPulls(here), {
          question: `May GitHub Actions open pull requests in ${owner}/${repo}? Without it no draft is opened. [Y/n]`,
          refused: `; if the organisation forbids it: https://github.com/organizations/${owner}/settings/actions; page: ${page}`,
        }),
  ];
  if (asksForAll(clone))
    steps.push(
      await byGh(clone, wish, 'variable ECHELON_NETWORK', setVariable(here, 'ECHELON_NETWORK', 'all'), {
        question: `The configuration asks for the whole network. May jobs in ${owner}/${repo} reach every host? [Y/n]`,
        refused: '; or it is set already',
      }),
    );
  return steps;
}

interface ByGh {
  /** Asked before; absent: it needs no permission. */
  question?: string;
  /** Standard input. */
  input?: string;
  /** As a person types it, where that is not the arguments. */
  typed?: string;
  done?: string;
  /** Hint for the case that GitHub refuses. */
  refused?: string;
}

/** Runs gh if it is logged in. Otherwise the step shows the command to type. */
async function byGh(
  { folder, enterprise }: Clone,
  { gh, dry, agrees }: Wish,
  what: string,
  args: string[],
  { question, input, typed = `gh ${args.map(inShell).join(' ')}`, done = 'allowed', refused = '' }: ByGh,
): Promise<Step> {
  if (!gh) return left(what, typed);
  if (dry) return { what, state: 'would be done', detail: typed };
  if (question !== undefined && !(await agrees(question)))
    return left(what, `not allowed yet: ${typed}, or run this again with --yes`);
  const host = enterprise && args[0] === 'api' ? ['--hostname', enterprise.host] : [];
  const ran = await run('gh', [...args, ...host], { cwd: folder, ...(input !== undefined && { input }) });
  if (ran.code === 0) return { what, state: 'done', detail: done };
  // Of a label.
  if (/already exists/.test(ran.why)) return { what, state: 'there', detail: 'as it is' };
  return left(what, `${typed} (gh could not: ${ran.why}${refused})`);
}

async function label(clone: Clone, wish: Wish): Promise<Step> {
  const args = ['label', 'create', clone.label, '--description', 'Echelon works this issue'];
  const typed = `gh label create ${inShell(clone.label)}`;
  return await byGh(clone, wish, `label ${clone.label}`, args, { typed, done: 'made' });
}

/**
 * The keys of the models, of the environment where they are there; the record's key, made once and never changed, which an App has
 * of its own.
 */
async function secrets(clone: Clone, wish: Wish): Promise<Step[]> {
  const { way, keys, gh, identity } = wish;
  // Its first column: Debian's gh knows no `--json` here.
  const listed = gh ? await run('gh', ['secret', 'list'], { cwd: clone.folder }) : undefined;
  const known = new Set(listed?.out.split('\n').map(line => line.split(/\s/)[0]));
  const set = async (name: string, input: string | undefined, typed = `gh secret set ${name}`) => {
    const what = `secret ${name}`;
    if (known.has(name)) return { what, state: 'there' as const, detail: 'as it is' };
    if (listed?.code !== 0 || input === undefined) return left(what, typed);
    return await byGh(clone, wish, what, ['secret', 'set', name], { input, typed, done: 'set' });
  };
  const steps: Step[] = [];
  for (const provider of clone.providers)
    if (identity && !known.has(keyName(provider))) {
      const detail =
        'gh variable set NAME, for the ids of its trust in this repository: docs/actions.md names them';
      steps.push(left(`identity for ${provider}`, detail));
    } else steps.push(await set(keyName(provider), keys[provider]?.apiKey));
  if (way !== 'actions') return steps;
  const typed = 'openssl rand -hex 32 | gh secret set ECHELON_STATE_KEY';
  return [...steps, await set('ECHELON_STATE_KEY', randomBytes(32).toString('base64url'), typed)];
}
