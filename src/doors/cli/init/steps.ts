// What `echelon init` does, step by step: proposes the files, makes the label, sets secrets and switches. Each step says
// what became of it.
import { randomBytes } from 'node:crypto';
import { workflowPath } from '../../../app/github/workflow-runs.ts';
import { keyName, type ProviderKeys } from '../../../engine/models/provider-keys.ts';
import { allowPulls, asksForAll, enableInFork, setVariable } from '../doctor/settings.ts';
import { inShell } from '../own-command.ts';
import { initBranch, propose, textAt } from './branch.ts';
import type { Checked } from './checks.ts';
import { allowingFork, filesFor, type NewFile, pinned, type Wanted } from './files.ts';
import type { Clone } from './look.ts';
import { run } from './programs.ts';

/** One thing that a repository needs. */
export interface Step {
  what: string;
  /** `left`: for the person, with what to type. */
  state: 'done' | 'there' | 'left' | 'would be done';
  /** What was found, or what to type. */
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

export async function setUp(clone: Clone, wish: Wish, { pulls, fork }: Checked): Promise<Step[]> {
  const actions = wish.way !== 'app';
  return [
    ...(await files(clone, wish)),
    ...(fork && !fork.runs
      ? [
          {
            what: 'workflows of a fork',
            state: 'left' as const,
            detail: `after the merge ${enableInFork(fork.page)}`,
          },
        ]
      : []),
    ...(wish.way === 'actions' ? await switches(clone, wish, pulls) : []),
    await label(clone, wish),
    ...(actions ? await secrets(clone, wish) : []),
  ];
}

/** The files that are missing, as a branch. One that is there is the person's: only the release that it calls is renewed. */
async function files(clone: Clone, wish: Wish): Promise<Step[]> {
  const steps: Step[] = [];
  const changed: NewFile[] = [];
  for (const file of filesFor(clone, wish)) {
    const found = await textAt(clone, file.path);
    const text = found === undefined ? file.text : renewed(file.path, found, wish);
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
  const made = await propose(clone, changed);
  if (made === 'exists')
    return [
      ...steps,
      {
        what,
        state: 'left',
        detail: `the branch ${initBranch} holds something else: git branch -D ${initBranch}, then run this again`,
      },
    ];
  return [...steps, await proposed(clone, what, wish)];
}

/** The text of a workflow that is there, with the release to call. */
function renewed(path: string, text: string, { release, fork }: Wanted): string {
  if (path !== workflowPath) return text;
  return pinned(fork ? allowingFork(text) : text, release);
}

/** Pushes the branch and opens the pull request, where that can be done from here. */
async function proposed({ folder, branch, label: name }: Clone, what: string, { gh }: Wish): Promise<Step> {
  const by = `git push origin ${initBranch}${gh ? '' : ', then open a pull request of it'}`;
  if (!gh) {
    const same = ['diff', '--quiet', `refs/heads/${initBranch}`, `refs/remotes/origin/${initBranch}`, '--'];
    const pushed = (await run('git', same, { cwd: folder })).code === 0;
    const where = pushed ? `on origin's branch ${initBranch}: open a pull request of it` : undefined;
    return { what, state: 'left', detail: where ?? `on the branch ${initBranch}: ${by}` };
  }
  const open = await run('gh', ['pr', 'list', '--head', initBranch, '--json', 'url', '--jq', '.[].url'], {
    cwd: folder,
  });
  const pushed = await run('git', ['push', '--quiet', 'origin', initBranch], { cwd: folder });
  if (pushed.code !== 0)
    return { what, state: 'left', detail: `${pushRemedy(pushed.why) ?? by} (${pushed.why})` };
  if (open.code === 0 && open.out !== '') return { what, state: 'there', detail: `proposed in ${open.out}` };
  const title = 'Let Echelon work issues of this repository';
  const body = `Merged, the label \`${name}\` on an issue begins a run: a plan in comments, which waits for \`/approve\`.`;
  const pull = await run(
    'gh',
    ['pr', 'create', '--head', initBranch, '--base', branch, '--title', title, '--body', body],
    { cwd: folder },
  );
  return pull.code === 0
    ? { what, state: 'done', detail: `proposed in ${pull.out}` }
    : {
        what,
        state: 'left',
        detail: `the branch ${initBranch} is pushed; open a pull request of it (gh could not: ${pull.why})`,
      };
}

/** GitHub takes a workflow file from a login with a scope of its own only. */
const pushRemedy = (why: string): string | undefined =>
  /without `?workflow`? scope/.test(why) ? 'gh auth refresh -s workflow, then run this again' : undefined;

/** What only the repository's owner may allow: asked first. */
async function switches(clone: Clone, wish: Wish, pulls: boolean | undefined): Promise<Step[]> {
  // `gh api` fills them in where this does not know them.
  const [owner = '{owner}', repo = '{repo}'] = clone.repository?.split('/') ?? [];
  const here = { owner, repo };
  const page = `Settings > Actions > General > Allow GitHub Actions to create and approve pull requests`;
  const opens: Switch = {
    what: 'pull requests by Actions',
    isOn: pulls,
    question: `May GitHub Actions open pull requests in ${owner}/${repo}? Without it no draft is opened. [Y/n]`,
    args: allowPulls(here),
    refused: `if the organisation forbids it: https://github.com/organizations/${owner}/settings/actions; page: ${page}`,
  };
  const network: Switch = {
    what: 'variable ECHELON_NETWORK',
    isOn: undefined,
    question: `The configuration asks for the whole network. May jobs in ${owner}/${repo} reach every host? [Y/n]`,
    args: setVariable(here, 'ECHELON_NETWORK', 'all'),
    refused: 'or it is set already',
  };
  const steps = [await turnedOn(opens, clone, wish)];
  if (asksForAll(clone)) steps.push(await turnedOn(network, clone, wish));
  return steps;
}

interface Switch {
  what: string;
  /** Undefined: the login may not see it. */
  isOn: boolean | undefined;
  question: string;
  /** Arguments of gh that turn it on. */
  args: string[];
  /** What to look at where GitHub refuses. */
  refused: string;
}

async function turnedOn(
  { what, isOn, question, args, refused }: Switch,
  { folder, enterprise }: Clone,
  { gh, dry, agrees }: Wish,
): Promise<Step> {
  const typed = `gh ${args.map(inShell).join(' ')}`;
  if (isOn) return { what, state: 'there', detail: 'allowed' };
  if (!gh) return { what, state: 'left', detail: typed };
  if (dry) return { what, state: 'would be done', detail: typed };
  if (!(await agrees(question)))
    return { what, state: 'left', detail: `not allowed yet: ${typed}, or run this again with --yes` };
  const host = enterprise ? ['--hostname', enterprise.host] : [];
  const done = await run('gh', [...args, ...host], { cwd: folder });
  return done.code === 0
    ? { what, state: 'done', detail: 'allowed' }
    : { what, state: 'left', detail: `${typed} (gh could not: ${done.why}; ${refused})` };
}

async function label({ folder, label: name }: Clone, { dry, gh }: Wish): Promise<Step> {
  const what = `label ${name}`;
  const words = ['label', 'create', name, '--description', 'Echelon works this issue'];
  const typed = `gh label create ${inShell(name)}`;
  if (!gh) return { what, state: 'left', detail: typed };
  if (dry) return { what, state: 'would be done', detail: typed };
  const made = await run('gh', words, { cwd: folder });
  if (made.code === 0) return { what, state: 'done', detail: 'made' };
  return /already exists/.test(made.why)
    ? { what, state: 'there', detail: 'as it is' }
    : { what, state: 'left', detail: `${typed} (gh could not: ${made.why})` };
}

/**
 * The keys of the models, of the environment where they are there; the record's key, made once and never changed, which an App has
 * of its own.
 */
async function secrets({ folder, providers }: Clone, { way, dry, keys, gh }: Wish): Promise<Step[]> {
  // Its first column: Debian's gh knows no `--json` here.
  const listed = gh ? await run('gh', ['secret', 'list'], { cwd: folder }) : undefined;
  const known = new Set(listed?.out.split('\n').map(line => line.split(/\s/)[0]));
  const set = async (name: string, value: string | undefined, typed: string): Promise<Step> => {
    const what = `secret ${name}`;
    if (known.has(name)) return { what, state: 'there', detail: 'as it is' };
    if (!gh || listed?.code !== 0 || value === undefined) return { what, state: 'left', detail: typed };
    if (dry) return { what, state: 'would be done', detail: typed };
    const done = await run('gh', ['secret', 'set', name], { cwd: folder, input: value });
    return done.code === 0
      ? { what, state: 'done', detail: 'set' }
      : { what, state: 'left', detail: `${typed} (gh could not: ${done.why})` };
  };
  const models: Step[] = [];
  for (const provider of providers) {
    const name = keyName(provider);
    models.push(await set(name, keys[provider]?.apiKey, `gh secret set ${name}`));
  }
  if (way !== 'actions') return models;
  return [
    ...models,
    await set(
      'ECHELON_STATE_KEY',
      randomBytes(32).toString('base64url'),
      'openssl rand -hex 32 | gh secret set ECHELON_STATE_KEY',
    ),
  ];
}
