// `echelon doctor`: what a repository, and with --app the GitHub App, lacks to be worked, each with the remedy.
import { systemClock } from '@echelon/ground';
import { configPath, defaultLabel } from '../../app/config.ts';
import { appClient, appSetUpOf, type Place, setUpOf, tokenClient, workflowPath } from '../../app/set-up.ts';
import { readServerSettings, webOf } from '../app/server-settings.ts';
import { keepsAttestations } from './doctor/release.ts';
import { appFindings, isolationFinding } from './doctor/app.ts';
import { engineFindings, modelFinding } from './doctor/models.ts';
import { type Finding, findingLines } from '../finding.ts';
import { checkOnGithub } from './doctor/on-github.ts';
import { commandFindings, configFinding, labelFinding, secretFindings, unseen } from './doctor/repository.ts';
import {
  actionsFindings,
  placeFindings,
  pullsFinding,
  serverFindings,
  variableFindings,
} from './doctor/settings.ts';
import { allowsFork, jobsFinding, releaseNamed, workflowFindings } from './doctor/workflow.ts';
import { isByIdentity } from './init/identity.ts';
import { type Enterprise, enterpriseAt, lookAt } from './init/look.ts';
import type { Command } from './command.ts';
import { type Parsed, textOf } from './options.ts';
import { apiOf, lookAtRepository, newCaller, personsLogin } from './repository-look.ts';

/** Said with exit code 2. */
class Refused extends Error {}

export const doctor: Command = {
  usage: 'echelon doctor [options]      (in a clone of your repository, or with --repo)',
  about: `Checks everything that Echelon needs in a repository. Each point is "well", "not well" with the command that fixes it, or
"unknown" if the token may not see it. Uses GITHUB_TOKEN (GITHUB_ENTERPRISE_TOKEN on your own server) or the login of gh.
Changes nothing without --write or --scripted.
Exit code: 0 all is well, 1 something is not, 2 wrong call.`,
  options: {
    repo: {
      type: 'string',
      value: 'owner/name',
      help: "a repository on GitHub (default: this clone's)",
    },
    app: {
      type: 'boolean',
      help: 'the GitHub App of APP_ID, PRIVATE_KEY and WEBHOOK_SECRET',
    },
    'on-github': {
      type: 'boolean',
      help: 'also runs a short workflow there: sandbox, setup, tests, models (under two minutes)',
    },
    write: {
      type: 'boolean',
      help: 'with --on-github: opens and closes an issue, a branch and a draft pull request',
    },
    scripted: {
      type: 'boolean',
      help: 'with --on-github: works an issue of a sample on its own branches, without a key, up to a draft',
    },
    record: {
      type: 'string',
      value: 'file',
      help: "with --on-github: shapes of GitHub's answers, without values, as JSON lines",
    },
    json: { type: 'boolean', help: 'print findings as JSON' },
  },
  async run(parsed) {
    const { values, problems } = parsed;
    const named = textOf(parsed, 'repo');
    if (named !== undefined && !/^[\w.-]+\/[\w.-]+$/.test(named)) problems.push('--repo needs owner/name');
    if (problems.length > 0) return { problems };
    try {
      const { place, enterprise } = await placeOf(named);
      const findings = values['app'] === true ? await lookAsApp(place) : await lookByToken(place, enterprise);
      if (values['on-github'] === true) findings.push(...(await onGithub(place, enterprise, parsed)));
      if (values['json'])
        console.log(JSON.stringify({ repository: `${place.owner}/${place.repo}`, findings }));
      else tell(place, findings);
      return findings.some(({ state }) => state === 'missing') ? 1 : 0;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { problems: [error.message] };
    }
  },
};

/** Tries it on the repository's own runner. */
async function onGithub(
  place: Place,
  enterprise: Enterprise | undefined,
  parsed: Parsed,
): Promise<Finding[]> {
  const { token } = await personsLogin(enterprise);
  const client = tokenClient(token, apiOf(enterprise));
  const calls = newCaller();
  const repository = await setUpOf(client, calls, place).repository();
  if (typeof repository !== 'object') return [];
  const on = {
    ...{ client, calls, place, clock: systemClock, defaultBranch: repository.branch },
    write: parsed.values['write'] === true,
    record: textOf(parsed, 'record'),
    say: (line: string) => console.error(line),
  };
  const findings = await checkOnGithub(on);
  if (parsed.values['scripted'] !== true || token === undefined) return findings;
  const { playSample } = await import('./doctor/scripted.ts');
  return [...findings, await playSample({ ...on, token })];
}

async function placeOf(
  named: string | undefined,
): Promise<{ place: Place; enterprise: Enterprise | undefined }> {
  const clone = named === undefined ? await lookAt(process.cwd()) : undefined;
  if (clone && 'problem' in clone) throw new Refused(`${clone.problem}, or name one by --repo owner/name`);
  const [owner, repo] = (named ?? clone?.repository ?? '').split('/');
  if (!owner || !repo)
    throw new Refused('origin of this clone is not on GitHub: name one by --repo owner/name');
  return { place: { owner, repo }, enterprise: clone?.enterprise };
}

async function lookByToken(place: Place, enterprise: Enterprise | undefined): Promise<Finding[]> {
  const { token } = await personsLogin(enterprise);
  if (token === undefined) throw new Refused('no token: set GITHUB_TOKEN, or log in by gh auth login');
  const setUp = lookAtRepository(place, token, enterprise);
  const repository = await setUp.repository();
  if (typeof repository !== 'object') return [unseen(place)];
  const { branch, page } = repository;
  const { found, config } = await configFinding(setUp);
  const { found: models, asked } = modelFinding(config);
  const label = config?.label ?? defaultLabel;
  const names = await setUp.secrets();
  const secrets = Array.isArray(names) ? names : undefined;
  const text = await setUp.file(workflowPath);
  const attested = keepsAttestations(apiOf(enterprise));
  const identity = isByIdentity(text ?? '');
  return [
    ...serverFindings(enterprise),
    ...placeFindings(place, repository, allowsFork(text)),
    ...(await actionsFindings(setUp, releaseNamed(text), identity)),
    await pullsFinding(setUp),
    ...(await workflowFindings(setUp, { label, known: secrets, asked, text, page, attested })),
    ...secretFindings(place, secrets, asked, identity),
    await labelFinding(setUp, label),
    found,
    models,
    ...(await commandFindings(setUp, config, branch)),
    ...(await variableFindings(setUp, config)),
    ...(await engineFindings(config, false)),
  ];
}

async function lookAsApp(place: Place): Promise<Finding[]> {
  const { app } = readServerSettings();
  if (!app) throw new Refused('--app needs APP_ID, PRIVATE_KEY and WEBHOOK_SECRET, as the server has them');
  const { found, installation } = await appFindings(appSetUpOf(await appClient(app), newCaller(), place));
  const here = await isolationFinding();
  if (installation === undefined) return [...found, here];
  const setUp = setUpOf(await appClient(app, installation), newCaller(), place);
  const repository = await setUp.repository();
  if (typeof repository !== 'object') return [...found, unseen(place), here];
  const { found: configuration, config } = await configFinding(setUp);
  return [
    ...found,
    ...(config?.execution === 'actions'
      ? [
          ...serverFindings(
            enterpriseAt(new URL(webOf(app.baseUrl))),
            `write execution: local in ${configPath}`,
          ),
          await jobsFinding(setUp),
        ]
      : []),
    await labelFinding(setUp, config?.label ?? defaultLabel),
    configuration,
    modelFinding(config).found,
    ...(await commandFindings(setUp, config, repository.branch)),
    ...(await engineFindings(config, config?.execution === 'local')),
    here,
  ];
}

function tell({ owner, repo }: Place, findings: readonly Finding[]): void {
  console.log(`${owner}/${repo}`);
  for (const line of findingLines(findings)) console.log(line);
  const count = findings.filter(({ state }) => state === 'missing').length;
  console.log(count === 0 ? '\nAll is well.' : `\n${count} not well.`);
}
