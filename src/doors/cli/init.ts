// `echelon init`: what a repository needs to be worked on GitHub Actions, proposed as a branch or a pull request.
import { randomBytes } from 'node:crypto';
import { defaultLabel } from '../../app/config/config.ts';
import { keyName, type ProviderKeys } from '../../engine/models/provider-keys.ts';
import type { Settings } from '../settings.ts';
import { initBranch, propose, standing } from './init/branch.ts';
import { filesFor, type NewFile, type Way } from './init/files.ts';
import { type Clone, lookAt } from './init/look.ts';
import { run } from './init/programs.ts';
import { type OptionSpec, optionsHelp, readOptions } from './options.ts';
import { product } from './product-repository.ts';

const options = {
  app: {
    type: 'boolean',
    help: 'for the GitHub App instead of Actions: the configuration, and a workflow where it says `execution: actions`',
  },
  'dry-run': { type: 'boolean', help: 'print what would be done' },
  json: { type: 'boolean', help: 'what was done, as one JSON object' },
  help: { type: 'boolean', help: 'this text' },
} as const satisfies Record<string, OptionSpec>;

const help = `Usage: npx echelon init [options]      (in a clone of your repository)

Writes the workflow and a configuration onto the branch ${initBranch}, and where gh is logged in opens a pull request, makes
the label (${defaultLabel}, or what your configuration names) and sets the secrets: the keys that your models need
(ANTHROPIC_API_KEY, OPENAI_API_KEY) from the environment, ECHELON_STATE_KEY made anew. Your work tree stays as it is. Run twice it changes nothing.

Checks of pull requests that a workflow opens wait for your approval. Where the secrets ECHELON_APP_ID and
ECHELON_APP_PRIVATE_KEY name a GitHub App of yours (contents and pull requests: write), they start at once.

${optionsHelp(options)}`;

/** One thing that a repository needs. */
interface Step {
  what: string;
  /** `left`: for the person, with what to type. */
  state: 'done' | 'there' | 'left' | 'would be done';
  /** What was found, or what to type. */
  detail: string;
}

export async function init(argv: string[], settings: Settings): Promise<number> {
  const { values, positionals, problems } = readOptions(argv, options);
  if (values['help']) {
    console.log(help);
    return 0;
  }
  for (const word of positionals) problems.push(`unexpected argument ${word}`);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) return 2;
  const clone = await lookAt(process.cwd());
  if ('problem' in clone) {
    console.error(clone.problem);
    return 2;
  }
  const dry = values['dry-run'] === true;
  const gh =
    (await run('gh', ['auth', 'status'], { cwd: clone.folder })).code === 0 && clone.repository !== undefined;
  const steps = await setUp(clone, { app: values['app'] === true, dry, keys: settings.providers }, gh);
  if (values['json']) console.log(JSON.stringify({ ...clone, steps }));
  else tell(clone, steps, gh);
  return 0;
}

interface Wish {
  app: boolean;
  dry: boolean;
  keys: ProviderKeys;
}

/** `gh`: GitHub's command line is there, logged in, and knows the repository. */
async function setUp(clone: Clone, wish: Wish, gh: boolean): Promise<Step[]> {
  return [
    ...(await files(clone, wish, gh)),
    ...(wayOf(clone, wish) === 'app' ? [] : elsewhere(clone)),
    await label(clone, wish, gh),
    ...(wayOf(clone, wish) === 'app' ? [] : await secrets(clone, wish, gh)),
  ];
}

const wayOf = ({ execution }: Clone, { app }: Wish): Way => {
  if (!app) return 'actions';
  return execution === 'actions' ? 'app with its jobs on actions' : 'app';
};

/** What a server that is not github.com needs: no workflow there can call one of github.com. */
const elsewhere = ({ enterprise }: Clone): Step[] =>
  enterprise === undefined
    ? []
    : [
        {
          what: `workflows on ${enterprise.host}`,
          state: 'left',
          detail:
            `\`uses:\` on another server cannot name a workflow of github.com, and GitHub Enterprise Server does not know ` +
            `\`$/\`. Push https://github.com/${product.owner}/${product.name} with its tag ${product.tag} to ${enterprise.host}; in its ` +
            `.github/workflows/ write ${product.owner}/${product.name}/<path>@${product.tag} for each $/<path>, and move the tag there. ` +
            'Under another owner or name, change `uses:` of your workflow too. Or use the App: npx echelon init --app',
        },
      ];

/** The files that are missing, as a branch; one that is there with other text is the person's, and stays. */
async function files(clone: Clone, wish: Wish, gh: boolean): Promise<Step[]> {
  const steps: Step[] = [];
  const missing: NewFile[] = [];
  for (const file of filesFor(clone, wayOf(clone, wish))) {
    const state = await standing(clone, file);
    if (state === 'absent') missing.push(file);
    else
      steps.push({
        what: file.path,
        state: 'there',
        detail: state === 'same' ? 'as it is written here' : 'with a text of your own, left alone',
      });
  }
  if (missing.length === 0) return steps;
  const what = missing.map(({ path }) => path).join(', ');
  if (wish.dry)
    return [
      ...steps,
      ...missing.map(({ path, text }): Step => ({ what: path, state: 'would be done', detail: `\n${text}` })),
    ];
  const made = await propose(clone, missing);
  if (made === 'exists')
    return [
      ...steps,
      {
        what,
        state: 'left',
        detail: `the branch ${initBranch} holds something else: git branch -D ${initBranch}, then run this again`,
      },
    ];
  return [...steps, await proposed(clone, what, gh)];
}

/** Pushes the branch and opens the pull request, where that can be done from here. */
async function proposed({ folder, branch, label }: Clone, what: string, gh: boolean): Promise<Step> {
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
  if (open.code === 0 && open.out !== '') return { what, state: 'there', detail: `proposed in ${open.out}` };
  const pushed = await run('git', ['push', '--quiet', 'origin', initBranch], { cwd: folder });
  if (pushed.code !== 0) return { what, state: 'left', detail: `${by} (it was refused: ${pushed.why})` };
  const title = 'Let Echelon work issues of this repository';
  const body = `Merged, the label \`${label}\` on an issue begins a run: a plan in comments, which waits for \`/approve\`.`;
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

/** A word of a command line, as a shell takes it. */
const inShell = (word: string) => (/^[\w.-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

async function label({ folder, label: name }: Clone, { dry }: Wish, gh: boolean): Promise<Step> {
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
async function secrets({ folder, providers }: Clone, { app, dry, keys }: Wish, gh: boolean): Promise<Step[]> {
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
  if (app) return models;
  return [
    ...models,
    await set(
      'ECHELON_STATE_KEY',
      randomBytes(32).toString('base64url'),
      'openssl rand -hex 32 | gh secret set ECHELON_STATE_KEY',
    ),
  ];
}

function tell(clone: Clone, steps: readonly Step[], gh: boolean): void {
  console.log(
    `${clone.repository ?? clone.folder}: default branch ${clone.branch}, ${clone.languages.slice(0, 3).join(', ') || 'no language that is known here'}, tests: ${clone.test || 'none recognised'}`,
  );
  const width = Math.max(...steps.map(({ state }) => state.length));
  for (const { what, state, detail } of steps) console.log(`${state.padEnd(width)}  ${what}: ${detail}`);
  if (!gh && steps.some(({ state }) => state === 'left'))
    console.log(
      '\ngh is not there, or not logged in: after gh auth login run this again, and it does by itself what is left. Without gh: ' +
        'labels, and Settings > Secrets and variables > Actions, on the pages of the repository',
    );
  if (steps.every(({ state }) => state === 'there')) console.log('nothing to do');
  else
    console.log(
      `\nwhen the files are on ${clone.branch} and nothing is left: put the label ${clone.label} on an issue`,
    );
}
