// What `echelon doctor` finds in a repository: what Actions may do there, secrets, label, configuration, test command.
import { parseConfig } from '../../../app/config/config-file.ts';
import { type Config, configPath } from '../../../app/config/config.ts';
import { projectCommands } from '../../../app/engineer/project-commands.ts';
import { projectFiles } from '../../../app/engineer/project-files.ts';
import { keyName, type Provider } from '../../../engine/models/provider-keys.ts';
import type { Place, SetUp } from '../../../app/github/set-up.ts';
import { type Finding, finding, missing, unknown, well } from './finding.ts';

export async function configFinding(setUp: SetUp): Promise<{ found: Finding; config: Config | undefined }> {
  const text = await setUp.file(configPath);
  const what = 'configuration';
  if (text === 'hidden')
    return { found: unknown(what, 'this token may not read contents'), config: undefined };
  const read = parseConfig(text ?? '');
  if ('config' in read)
    return { found: well(what, text === undefined ? 'none: all defaults' : configPath), config: read.config };
  const told = read.problems.map(({ line, column, message }) => `${configPath}:${line}:${column} ${message}`);
  return { found: missing(what, told.join('; ')), config: undefined };
}

export async function labelFinding(setUp: SetUp, label: string): Promise<Finding> {
  const found = await setUp.label(label);
  const what = `label ${label}`;
  if (found === 'hidden') return unknown(what, 'this token may not read issues');
  const { owner, repo } = setUp.here;
  const typed = `gh api repos/${owner}/${repo}/labels -f name='${label.replaceAll("'", "'\\''")}'`;
  return finding(what, 'there', found === undefined ? typed : undefined);
}

/** Without one an evaluator judges the diff alone. */
export async function testFinding(
  setUp: SetUp,
  config: Config | undefined,
  branch: string,
): Promise<Finding> {
  const what = 'test command';
  if (config?.test) return well(what, config.test);
  const paths = await setUp.paths(branch);
  if (paths === 'hidden') return unknown(what, 'this token may not read contents');
  const read = async (path: string) => {
    const text = await setUp.file(path);
    return text === undefined || text === 'hidden' ? '' : text;
  };
  const files = projectFiles(paths ?? [], read);
  const { guessed } = await projectCommands(files, config ?? {});
  const remedy = `none is named and none was recognised: write \`test: <command>\` into ${configPath}`;
  const { test } = guessed;
  return test ? well(what, `${test.command} (guessed from ${test.source})`) : missing(what, remedy);
}

/** Whether workflows run, may call shared ones, and may open pull requests. */
export async function actionsFindings(setUp: SetUp): Promise<Finding[]> {
  const { owner, repo } = setUp.here;
  const api = `gh api --method PUT repos/${owner}/${repo}/actions/permissions`;
  const page = 'Settings > Actions > General';
  const needs = `only an administrator's token sees that: look at ${page}`;
  const actions = await setUp.actions();
  const pulls = await setUp.actionsMayOpenPulls();
  const what = { run: 'Actions', pulls: 'pull requests by Actions' };
  return [
    typeof actions !== 'object'
      ? unknown(what.run, needs)
      : finding(what.run, 'switched on', refusal(actions, `${page}, or ${api}`)),
    typeof pulls !== 'boolean'
      ? unknown(what.pulls, needs)
      : finding(
          what.pulls,
          'allowed',
          pulls
            ? undefined
            : `${page} > Allow GitHub Actions to create and approve pull requests, or ${api}/workflow -F can_approve_pull_request_reviews=true`,
        ),
  ];
}

/** Why GitHub would not run the workflow, and what to do; undefined: it would. */
function refusal(
  actions: { enabled: boolean; allowed_actions?: string; sha_pinning_required?: boolean },
  by: string,
): string | undefined {
  if (!actions.enabled) return `switched off: ${by} -F enabled=true -f allowed_actions=all`;
  if (actions.allowed_actions === 'local_only')
    return `only those of the owner may be used: ${by} -F enabled=true -f allowed_actions=all`;
  if (actions.sha_pinning_required)
    return 'what is used has to be named by its commit: write the commit of the tag after the @ in `uses`';
  return undefined;
}

/** What `echelon init` sets, by name; nobody can read a secret. */
const secrets = (asked: readonly Provider[]): Record<string, (at: string) => string> => ({
  ...Object.fromEntries(
    asked.map(provider => [
      keyName(provider),
      (at: string) => `gh secret set ${keyName(provider)} --repo ${at}`,
    ]),
  ),
  ECHELON_STATE_KEY: at => `openssl rand -hex 32 | gh secret set ECHELON_STATE_KEY --repo ${at}`,
});

/** By these an App opens pull requests: both, or none. */
export const appSecrets = {
  ECHELON_APP_ID: (at: string) => `gh secret set ECHELON_APP_ID --repo ${at}`,
  ECHELON_APP_PRIVATE_KEY: (at: string) => `gh secret set ECHELON_APP_PRIVATE_KEY --repo ${at} < key.pem`,
};

/**
 * `names`: of the secrets that workflows here may use; undefined where the token may not list them. `asked`: the providers
 * of the models.
 */
export function secretFindings(
  { owner, repo }: Place,
  names: readonly string[] | undefined,
  asked: readonly Provider[],
): Finding[] {
  const at = `${owner}/${repo}`;
  const needed = Object.entries(secrets(asked)).map(([name, typed]) => {
    const what = `secret ${name}`;
    if (!names) return unknown(what, 'this token may not list secrets: gh secret list');
    return finding(what, 'set', names.includes(name) ? undefined : typed(at));
  });
  const has = Object.keys(appSecrets).filter(name => names?.includes(name));
  const lacks = Object.entries(appSecrets).filter(([name]) => !has.includes(name));
  if (has.length === 0 || lacks.length === 0) return needed;
  const why = `${has.join()} is set without it, so the App opens no pull request`;
  return [...needed, ...lacks.map(([name, typed]) => missing(`secret ${name}`, `${why}: ${typed(at)}`))];
}
