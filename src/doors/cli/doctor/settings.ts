// Findings of `echelon doctor` and `echelon init` in repository settings: fork, issues, Actions permissions, and the
// owner's variables.
import { type Config, configPath } from '../../../app/config.ts';
import type { Place, SetUp } from '../../../app/set-up.ts';
import type { Enterprise } from '../init/look.ts';
import { inShell, ownCommand } from '../own-command.ts';
import { allowing, refused, usedActions } from './allowed-actions.ts';
import { type Finding, finding, missing, unknown, well } from '../../finding.ts';

/** The repository itself: its issues hold the runs, and a fork runs no workflow of its own accord. */
export function placeFindings(
  { owner, repo }: Place,
  { fork, issues }: { fork: boolean; issues: boolean },
  forkAllowed: boolean,
): Finding[] {
  const at = `${owner}/${repo}`;
  const allow = `${ownCommand()} init --allow-fork`;
  return [
    finding(
      'fork',
      fork ? 'a fork, which its workflow allows' : 'not a fork',
      fork && !forkAllowed
        ? { detail: `${at} is a fork, and Echelon works on no fork unless its owner allows it`, fix: allow }
        : undefined,
    ),
    finding(
      'issues',
      'switched on',
      issues ? undefined : { detail: 'switched off', fix: `gh repo edit ${at} --enable-issues` },
    ),
  ];
}

/**
 * Self-repository references (`uses: $/...`) and `concurrency.queue` came to github.com in 2026, and to no GitHub Enterprise
 * Server. A workflow that holds them does not start there, so that nothing else could say it.
 */
export const serverFindings = (
  enterprise: Enterprise | undefined,
  fix = `${ownCommand()} init --app`,
): Finding[] =>
  enterprise?.kind === 'server'
    ? [
        missing(
          `workflows on ${enterprise.host}`,
          'GitHub Enterprise Server supports neither `uses: $/...` nor `queue: max`, which the workflows need. The App works there',
          fix,
        ),
      ]
    : [];

/** GitHub keeps the workflows of a fork off until a person enables them on this page; the state is `disabled_fork`. */
export const enableInFork = (page: string): string =>
  `open ${page}/actions and choose "I understand my workflows, go ahead and enable them"`;

/** Checks that workflows run and may use those of the release (`owner/name@ref`), by identity or with keys. */
export async function actionsFindings(setUp: SetUp, release: string, identity: boolean): Promise<Finding[]> {
  const { owner, repo } = setUp.here;
  const what = { run: 'Actions', uses: 'allowed actions' };
  const actions = await setUp.actions();
  if (typeof actions !== 'object') return [unknown(what.run, adminOnly, settingsPage)];
  const put = `gh api --method PUT repos/${owner}/${repo}/actions/permissions`;
  const all = `${put} -F enabled=true -f allowed_actions=all`;
  if (!actions.enabled) return [missing(what.run, 'switched off', all)];
  const on = well(what.run, 'switched on');
  const pinned = !actions.sha_pinning_required || /@[\da-f]{40}$/.test(release);
  if (!pinned)
    return [
      on,
      missing(
        what.uses,
        'every action has to be named by its commit, and the workflow names a tag',
        `${ownCommand()} init`,
      ),
    ];
  if (actions.allowed_actions === 'all') return [on, well(what.uses, 'all')];
  const selected = actions.allowed_actions === 'selected' ? await setUp.selectedActions() : {};
  if (typeof selected !== 'object') return [on, unknown(what.uses, adminOnly, settingsPage)];
  const lacks = refused(usedActions(release, identity), owner, selected);
  const fix = `${put} -F enabled=true -f allowed_actions=selected && ${put}/selected-actions ${allowing(lacks, selected).map(inShell).join(' ')}`;
  return [
    on,
    finding(
      what.uses,
      'those that Echelon uses are selected',
      lacks.length > 0 ? { detail: `not allowed: ${lacks.join(', ')}`, fix } : undefined,
    ),
  ];
}

/** The switch that is forgotten most often: without it no draft pull request is opened. */
export async function pullsFinding(setUp: SetUp): Promise<Finding> {
  const what = 'pull requests by Actions';
  const may = await setUp.actionsMayOpenPulls();
  if (typeof may !== 'boolean') return unknown(what, adminOnly, settingsPage);
  const fix = `gh ${allowPulls(setUp.here).map(inShell).join(' ')}`;
  return finding(
    what,
    'allowed',
    may ? undefined : { detail: 'GitHub refuses them in this repository', fix },
  );
}

/** Arguments of gh that let Actions open pull requests; `default_workflow_permissions` stays as it is. */
export const allowPulls = ({ owner, repo }: Place): string[] => [
  ...['api', '--method', 'PUT', `repos/${owner}/${repo}/actions/permissions/workflow`],
  ...['-F', 'can_approve_pull_request_reviews=true'],
];

const adminOnly = "only an administrator's token sees that";
const settingsPage = 'look at Settings > Actions > General';

/** Repository variables by which its owner chooses: the runner, and whether jobs may reach the whole network. */
export async function variableFindings(setUp: SetUp, config: Config | undefined): Promise<Finding[]> {
  const [network, runner] = [await setUp.variable('ECHELON_NETWORK'), await setUp.variable('ECHELON_RUNNER')];
  const hidden = 'this token may not read variables';
  const asked = asksForAll(config);
  const grants = network === 'all' || network === 'true';
  const what = { network: 'variable ECHELON_NETWORK', runner: 'variable ECHELON_RUNNER' };
  return [
    network === 'hidden'
      ? unknown(what.network, hidden)
      : finding(
          what.network,
          network === undefined ? 'not set; not needed' : `${network}${asked ? '' : '; not needed'}`,
          asked && !grants
            ? {
                detail: `${configPath} asks for the whole network, which the owner permits by this variable`,
                fix: `gh ${setVariable(setUp.here, 'ECHELON_NETWORK', 'all').join(' ')}`,
              }
            : undefined,
        ),
    runner === 'hidden' ? unknown(what.runner, hidden) : runnerFinding(what.runner, runner),
  ];
}

/** `label` undefined: the default. Only a job on a runner can try the sandbox there. */
function runnerFinding(what: string, label: string | undefined): Finding {
  if (label === undefined) return well(what, 'not set: jobs run on ubuntu-24.04');
  if (/^ubuntu-/.test(label)) return well(what, label);
  const own = `${label}; nothing is installed on a runner of your own, and whether bubblewrap works is not visible from here`;
  return unknown(
    what,
    own,
    'on the runner: sudo apt-get install bubblewrap (on Ubuntu also its AppArmor profile, docs/operations.md)',
  );
}

/** True if the configuration gives tests and engineers unrestricted network access. */
export const asksForAll = (config: Pick<Config, 'network'> | undefined): boolean => config?.network === 'all';

/** Arguments of gh that make a variable: `gh variable` came after the version that Debian has. */
export const setVariable = ({ owner, repo }: Place, name: string, value: string): string[] => [
  ...['api', `repos/${owner}/${repo}/actions/variables`, '-f', `name=${name}`, '-f', `value=${value}`],
];
