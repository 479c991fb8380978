// Findings of `echelon doctor` in a repository's workflow file, compared with the one that `echelon init` writes.
import { parse } from 'yaml';
import { z } from 'zod';
import { messageOf } from '@echelon/ground';
import { keyName, type Provider, providers } from '../../../engine/models/provider-keys.ts';
import { type Look, type SetUp, workflowFile, workflowPath, worksJobs } from '../../../app/set-up.ts';
import { byIdentity, isByIdentity } from '../init/identity.ts';
import { filesFor, unreleased } from '../init/files.ts';
import { ownCommand } from '../own-command.ts';
import { type Finding, finding, lacking, missing, type Problem, unknown } from '../../finding.ts';
import { enableInFork } from './settings.ts';
import { versionFindings } from './release.ts';
import { appSecrets } from './repository.ts';

const words = z.record(z.string(), z.string());
const permissions = z.union([words, z.enum(['read-all', 'write-all']), z.null()]);

const Workflow = z.looseObject({
  on: z.union([
    z.string().transform(event => [event]),
    z.array(z.string()),
    z.record(z.string(), z.unknown()).transform(Object.keys),
  ]),
  permissions: permissions.optional(),
  jobs: z.record(z.string(), z.unknown()),
});

const Job = z.looseObject({
  uses: z.string().regex(/^[\w.-]+\/[\w.-]+\/\.github\/workflows\/run(?:-identity)?\.yml@./),
  if: z.string().default(''),
  permissions: permissions.optional(),
  with: z.record(z.string(), z.unknown()).default({}),
  secrets: z.union([z.literal('inherit'), z.record(z.string(), z.unknown())]).default({}),
});

interface Read {
  on: string[];
  /** The job that calls the shared workflow. */
  job: z.infer<typeof Job>;
  grants: Record<string, string> | 'write-all';
}

/** The parts of the file that matter here, or why they cannot be had. */
function readWorkflow(text: string): Read | { problem: string } {
  try {
    const read = Workflow.safeParse(parse(text));
    if (!read.success) return { problem: z.prettifyError(read.error) };
    const job = Object.values(read.data.jobs).flatMap(each => Job.safeParse(each).data ?? [])[0];
    if (!job) return { problem: 'no job calls the shared workflow run.yml' };
    const said = job.permissions === undefined ? read.data.permissions : job.permissions;
    const grants = said === 'write-all' ? said : typeof said === 'object' ? (said ?? {}) : {};
    return { on: read.data.on, job, grants };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

/** `owner/name@ref` of the release that the workflow calls, or the one that `echelon init` would write. */
export function releaseNamed(text: Look<string>): string {
  const read = readWorkflow(text ?? '');
  const uses = 'job' in read ? read.job.uses : `${unreleased.owner}/${unreleased.name}/@${unreleased.commit}`;
  return uses.replace(/^([^/]+\/[^/]+)\/[^@]*/, '$1');
}

/** True if the workflow allows runs in a fork. */
export function allowsFork(text: Look<string>): boolean {
  const read = readWorkflow(text ?? '');
  return 'job' in read && read.job.with['allow_fork'] === true;
}

interface Looked {
  /** The one that begins runs. */
  label: string;
  /** Secrets that are set, as far as the token may list them. */
  known: readonly string[] | undefined;
  /** Providers of the models. */
  asked: readonly Provider[];
  /** Of the workflow on the default branch. */
  text: Look<string>;
  page: string;
  attested: boolean;
}

export async function workflowFindings(
  setUp: SetUp,
  { label, known, asked, text, page, attested }: Looked,
): Promise<Finding[]> {
  const byInit = `${ownCommand()} init, and merge its pull request`;
  if (text === undefined)
    return [missing('workflow', `${workflowPath} is not on the default branch`, byInit)];
  if (text === 'hidden') return [unknown('workflow', 'this token may not read contents')];
  const identity = isByIdentity(text);
  const [model] = filesFor({ test: '', label }, { way: 'actions', release: unreleased, identity });
  const needed = readWorkflow(model?.text ?? '');
  const read = readWorkflow(text);
  if ('problem' in needed) throw new Error(needed.problem);
  if ('problem' in read) {
    const fix = `git rm ${workflowPath} && git commit -m 'Renew the workflow' && git push, then ${byInit}`;
    return [missing('workflow', `${workflowPath}: ${read.problem}`, fix)];
  }
  const { job, on, grants } = read;
  const events = needed.on.filter(event => !on.includes(event));
  const given = job.secrets;
  const rights = grants === 'write-all' ? [] : lacking(words.parse(needed.grants), grants);
  if (identity && byIdentity(text) !== text && !rights.includes(shows)) rights.push(shows);
  const needless = [
    ...providers.filter(each => !asked.includes(each)).map(keyName),
    // One that is stored all the same goes first.
    ...(identity ? providers.map(keyName).filter(name => !known?.includes(name)) : []),
    ...Object.keys(appSecrets).filter(name => !known?.includes(name)),
  ];
  const ours = needed.job.secrets === 'inherit' ? [] : Object.keys(needed.job.secrets);
  const secrets = ours.filter(
    name => given !== 'inherit' && !Object.hasOwn(given, name) && !needless.includes(name),
  );
  // The labels that a commented issue has begin nothing.
  const begins = job.if.replaceAll(/contains\(github\.event\.issue\.labels[^)]*\)/g, '');
  const isOtherLabel =
    /event\.label\.name/.test(begins) &&
    // GitHub's `==` ignores case, as its labels do.
    !begins.toLowerCase().includes(`'${label.toLowerCase().replaceAll("'", "''")}'`);
  return [
    await state(setUp, page),
    ...(await versionFindings(setUp, job.uses, text, attested)),
    point('events', on.join(', '), events, 'add to `on`'),
    point('permissions', 'what the jobs need', rights, 'add to `permissions` of each job that calls Echelon'),
    point(
      'secrets',
      'handed on',
      secrets,
      'add to `secrets` of the job',
      name => `${name}: \${{ secrets.${name} }}`,
    ),
    finding('workflow: label', label, isOtherLabel ? otherLabel(label) : undefined),
  ];
}

/** The workflow that works an App's jobs. */
export async function jobsFinding(setUp: SetUp): Promise<Finding> {
  const what = 'workflow for jobs';
  const text = await setUp.file(workflowPath);
  if (text === 'hidden') return unknown(what, 'the App may not read contents');
  const fix = `${text === undefined ? '' : `git rm ${workflowPath} && git commit -m 'Renew the workflow' && git push, then `}${ownCommand()} init --app, and merge its pull request`;
  const detail = `\`execution: actions\` needs another ${workflowPath}`;
  return finding(what, workflowPath, worksJobs(text ?? '') ? undefined : { detail, fix });
}

async function state(setUp: SetUp, page: string): Promise<Finding> {
  const found = await setUp.workflowState(workflowFile);
  if (found === 'hidden')
    return unknown('workflow', `${workflowPath} is there; this token may not read Actions`);
  const isOff = found !== undefined && found !== 'active';
  const fix =
    found === 'disabled_fork'
      ? enableInFork(page)
      : `gh workflow enable ${workflowFile} --repo ${setUp.here.owner}/${setUp.here.repo}`;
  return finding(
    'workflow',
    `${workflowPath} on the default branch`,
    isOff ? { detail: `GitHub has it as ${found}`, fix } : undefined,
  );
}

const shows = 'id-token: write';

/** `lacks`: what is to be added; `written`: how it stands in the file. */
function point(
  what: string,
  found: string,
  lacks: readonly string[],
  change: string,
  written = (name: string) => name,
): Finding {
  const fix = `in ${workflowPath} ${change}: ${lacks.map(written).join(', ')}`;
  return finding(
    `workflow: ${what}`,
    found,
    lacks.length > 0 ? { detail: `lacks ${lacks.join(', ')}`, fix } : undefined,
  );
}

const otherLabel = (label: string): Problem => ({
  detail: `its \`if\` asks for another label than ${label}, which the configuration names`,
  fix: `in ${workflowPath} write '${label}' into its \`if\` in place of the other label`,
});
