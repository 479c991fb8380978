// `echelon init`: what a repository needs to be worked on GitHub Actions, checked first, then proposed as a pull request.
import { messageOf } from '@echelon/ground';
import { defaultLabel } from '../../app/config.ts';
import { askOnTerminal } from './ask-terminal.ts';
import { type Finding, findingLines } from '../finding.ts';
import { workflowPath } from '../../app/set-up.ts';
import { initBranch, textAt } from './init/branch.ts';
import { type Asked, type Checked, checkForActions } from './init/checks.ts';
import { unreleased, type Way } from './init/files.ts';
import { isByIdentity } from './init/identity.ts';
import { type Clone, lookAt } from './init/look.ts';
import { setUp, type Step } from './init/steps.ts';
import type { Command } from './command.ts';
import { type Parsed, textOf } from './options.ts';
import { ownCommand } from './own-command.ts';
import { product, type Release } from './product-repository.ts';
import { lookAtRepository, personsLogin } from './repository-look.ts';

export const init: Command = {
  usage: 'echelon init [options]      (in a clone of your repository)',
  about: `Checks first: the release, forks, issues, Actions settings, the scope of your login. If one is wrong, it writes nothing and
prints the command that fixes each.

Then it writes the workflow and a configuration to the branch ${initBranch}. If gh is logged in, it opens a pull request,
lets Actions open pull requests (it asks first), creates the label (${defaultLabel}, or as configured) and sets the secrets:
the keys that your models need (ANTHROPIC_API_KEY, OPENAI_API_KEY) from the environment, and a new ECHELON_STATE_KEY. Your
work tree does not change. Run again, it only proposes a newer release.

Checks of pull requests that a workflow opens wait for your approval. If the secrets ECHELON_APP_ID and
ECHELON_APP_PRIVATE_KEY name a GitHub App of yours (contents and pull requests: write), they wait for /checks.

Exit code: 0 done, 1 a check failed and nothing was written, 2 wrong call.`,
  options: {
    app: {
      type: 'boolean',
      help: 'for the GitHub App: a configuration, and with `execution: actions` a workflow',
    },
    from: {
      type: 'string',
      value: 'owner/repo@ref',
      help: `a release of a fork or mirror of Echelon (default: ${product.owner}/${product.name}@${product.tag})`,
    },
    identity: {
      type: 'boolean',
      help: 'workload identity (OpenID Connect) instead of stored model keys: docs/actions.md',
    },
    'allow-fork': { type: 'boolean', help: 'permits runs in this fork' },
    yes: { type: 'boolean', help: 'do not ask: let Actions open pull requests' },
    'dry-run': { type: 'boolean', help: 'only print problems and planned changes' },
    json: { type: 'boolean', help: 'print findings and changes as JSON' },
  },
  async run(parsed, settings) {
    const { values, problems } = parsed;
    const from = releaseAsked(parsed);
    if (!from) problems.push('--from needs owner/repo@ref');
    if (problems.length > 0 || !from) return { problems };
    const clone = await lookAt(process.cwd());
    if ('problem' in clone) return { problems: [clone.problem] };
    const way = wayOf(clone, values['app'] === true);
    const dry = values['dry-run'] === true;
    const there = (await textAt(clone, workflowPath)) ?? '';
    const identity = values['identity'] === true || isByIdentity(there);
    const { token, gh: isLoggedIn } = await personsLogin(clone.enterprise);
    const gh = isLoggedIn && clone.repository !== undefined;
    const checked = await check(clone, way, token, {
      from,
      // An App hears nothing of forks; its jobs are started by itself.
      allowFork: way !== 'actions' || values['allow-fork'] === true,
      identity,
    });
    const blocks = checked.findings.filter(({ state }) => state === 'missing');
    const { release = unreleased } = checked;
    const wish = {
      ...{ way, release, fork: checked.fork !== undefined, identity },
      ...{ dry, keys: settings.providers, gh },
      agrees: values['yes'] === true ? async () => true : agreesOnTerminal,
    };
    // Without a release a dry run has no workflow to show either.
    const goesOn = blocks.length === 0 || (dry && checked.release !== undefined);
    const steps = goesOn ? await setUp(clone, wish, checked) : [];
    if (values['json']) console.log(JSON.stringify({ ...clone, findings: checked.findings, steps }));
    else {
      if (blocks.length > 0) tellBlocks(clone, blocks);
      if (goesOn) tell(clone, steps, gh);
    }
    return blocks.length > 0 ? 1 : 0;
  },
};

function releaseAsked(parsed: Parsed): Omit<Release, 'commit'> | undefined {
  const named = textOf(parsed, 'from');
  if (named === undefined) return product;
  const [, owner, name, tag] = /^([\w.-]+)\/([\w.-]+)@(\S+)$/.exec(named) ?? [];
  return owner && name && tag ? { owner, name, tag } : undefined;
}

const wayOf = ({ execution }: Clone, app: boolean): Way => {
  if (!app) return 'actions';
  return execution === 'actions' ? 'app with its jobs on actions' : 'app';
};

/** An App needs no release, unless the repository's workflow works its jobs. */
async function check(clone: Clone, way: Way, token: string | undefined, asked: Asked): Promise<Checked> {
  if (way === 'app') return { findings: [], release: undefined, pulls: undefined, fork: undefined };
  const [owner = '', repo = ''] = clone.repository?.split('/') ?? [];
  const setUp = lookAtRepository({ owner, repo }, token, clone.enterprise);
  try {
    return await checkForActions(clone, setUp, asked);
  } catch (error) {
    throw new Error(`GitHub could not be asked, and nothing was written: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** Without a terminal nobody is asked, and nothing is allowed. */
async function agreesOnTerminal(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  const answer = await askOnTerminal(question, new AbortController().signal);
  return /^(?:|y|yes)$/i.test(answer.trim());
}

function tellBlocks(clone: Clone, blocks: readonly Finding[]): void {
  console.log(`${clone.repository ?? clone.folder}: nothing was written.`);
  for (const line of findingLines(blocks)) console.log(line);
  console.log(`\nFix ${blocks.length === 1 ? 'it' : `these ${blocks.length}`}, then run this again.`);
}

function tell(clone: Clone, steps: readonly Step[], gh: boolean): void {
  console.log(
    `${clone.repository ?? clone.folder}: default branch ${clone.branch}, ${clone.languages.slice(0, 3).join(', ') || 'no known language'}, tests: ${clone.test || 'none recognised'}`,
  );
  const width = Math.max(...steps.map(({ state }) => state.length));
  for (const { what, state, detail } of steps) console.log(`${state.padEnd(width)}  ${what}: ${detail}`);
  if (!gh && steps.some(({ state }) => state === 'left'))
    console.log(
      '\nThe command line gh is not installed or not logged in. After `gh auth login` run this again, and it does what is left.',
    );
  if (steps.every(({ state }) => state === 'there')) console.log('Nothing to do.');
  else
    console.log(
      `\nNext: ${steps.some(({ state }) => state === 'left') ? 'do what is left, ' : ''}merge the pull request, run \`${ownCommand()} doctor --on-github\`, and put the label ${clone.label} on an issue.`,
    );
}
