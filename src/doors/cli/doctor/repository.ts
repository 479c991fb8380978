// Findings of `echelon doctor` in a repository: its configuration, label, test command, lock file and secrets.
import { type Config, configPath, parseConfig } from '../../../app/config.ts';
import { type Place, projectCommands, projectFiles, type SetUp } from '../../../app/set-up.ts';
import { keyName, type Provider } from '../../../engine/models/provider-keys.ts';
import { inShell } from '../own-command.ts';
import { type Finding, finding, missing, unknown, well } from '../../finding.ts';
import { lockProblem } from './lock-files.ts';

/** The repository itself, where the token may not read it. */
export const unseen = ({ owner, repo }: Place) =>
  missing(
    'repository',
    `${owner}/${repo} does not exist, or this token may not see it`,
    `gh auth login, with an account that may read it`,
  );

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
  const fix = `gh api repos/${owner}/${repo}/labels -f name=${inShell(label)}`;
  return finding(
    what,
    found === label ? 'exists' : `exists as ${found}, which GitHub takes for the same label`,
    found === undefined ? { detail: 'does not exist', fix } : undefined,
  );
}

/** The test command, without which an evaluator judges the diff alone, and whether what it needs can be installed. */
export async function commandFindings(
  setUp: SetUp,
  config: Config | undefined,
  branch: string,
): Promise<Finding[]> {
  const what = { test: 'test command', setup: 'lock file' };
  const paths = await setUp.paths(branch);
  if (paths === 'hidden')
    return Object.values(what).map(each => unknown(each, 'this token may not read contents'));
  const read = async (path: string) => {
    const text = await setUp.file(path);
    return text === undefined || text === 'hidden' ? '' : text;
  };
  const { test, setup, guessed } = await projectCommands(projectFiles(paths ?? [], read), config ?? {});
  const names = (paths ?? []).filter(path => !path.includes('/'));
  const source = guessed.test ? `guessed from ${guessed.test.source}` : `from ${configPath}`;
  return [
    finding(
      what.test,
      `\`${test}\`, ${source}`,
      test === ''
        ? {
            detail: 'none is configured and none was recognised',
            fix: `write \`test: <command>\` into ${configPath}`,
          }
        : undefined,
    ),
    finding(
      what.setup,
      setup === '' ? 'nothing is installed before the tests' : `\`${setup}\` can install from what is there`,
      await lockProblem({ setup, guessed: guessed.setup !== undefined, names, read }),
    ),
  ];
}

/** Secrets that `echelon init` sets, by name. Their values cannot be read back. */
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
 * of the models. `identity`: a key that is not stored is not needed.
 */
export function secretFindings(
  { owner, repo }: Place,
  names: readonly string[] | undefined,
  asked: readonly Provider[],
  identity: boolean,
): Finding[] {
  const stored = asked.filter(each => !identity || names?.includes(keyName(each)));
  const shown = asked
    .filter(each => !stored.includes(each))
    .map(each =>
      unknown(
        `identity for ${each}`,
        'doctor --on-github tries it',
        `gh variable list --repo ${owner}/${repo}`,
      ),
    );
  const at = `${owner}/${repo}`;
  const needed = Object.entries(secrets(stored)).map(([name, typed]) => {
    const what = `secret ${name}`;
    if (!names) return unknown(what, 'this token may not list secrets', `gh secret list --repo ${at}`);
    return finding(what, 'set', names.includes(name) ? undefined : { detail: 'not set', fix: typed(at) });
  });
  const has = Object.keys(appSecrets).filter(name => names?.includes(name));
  const lacks = Object.entries(appSecrets).filter(([name]) => !has.includes(name));
  if (has.length === 0 || lacks.length === 0) return [...needed, ...shown];
  const why = `${has.join()} is set without it, so the App opens no pull request`;
  return [...needed, ...shown, ...lacks.map(([name, typed]) => missing(`secret ${name}`, why, typed(at)))];
}
