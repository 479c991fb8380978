// What `echelon doctor` finds in a repository's workflow file, held against the one that `echelon init` writes.
import { parse } from 'yaml';
import { z } from 'zod';
import { keyName, type Provider, providers } from '../../../engine/models/provider-keys.ts';
import type { SetUp } from '../../../app/github/set-up.ts';
import { messageOf } from '../../../lib/message.ts';
import { workflowPath, worksJobs } from '../../../app/github/workflow-runs.ts';
import { filesFor } from '../init/files.ts';
import { appSecrets } from './repository.ts';
import { type Finding, finding, lacking, missing, unknown } from './finding.ts';

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
  uses: z.string().regex(/^[\w.-]+\/[\w.-]+\/\.github\/workflows\/run\.yml@./),
  if: z.string().default(''),
  permissions: permissions.optional(),
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

/**
 * The workflow on the default branch, `label` being the one that begins runs, `known` the secrets that are set, as far as
 * the token may list them, `asked` the providers of the models.
 */
export async function workflowFindings(
  setUp: SetUp,
  {
    label,
    known,
    asked,
  }: { label: string; known: readonly string[] | undefined; asked: readonly Provider[] },
): Promise<Finding[]> {
  const text = await setUp.file(workflowPath);
  if (text === undefined)
    return [
      missing('workflow', `${workflowPath} is not on the default branch: npx echelon init, and merge it`),
    ];
  if (text === 'hidden') return [unknown('workflow', 'this token may not read contents')];
  const [model] = filesFor({ test: '', label }, 'actions');
  const needed = readWorkflow(model?.text ?? '');
  const read = readWorkflow(text);
  const renew = `write ${workflowPath} anew: delete it, then npx echelon init`;
  if ('problem' in needed) throw new Error(needed.problem);
  if ('problem' in read) return [missing('workflow', `${workflowPath}: ${read.problem}. Or ${renew}`)];
  const { job, on, grants } = read;
  const events = needed.on.filter(event => !on.includes(event));
  const rights = grants === 'write-all' ? [] : lacking(words.parse(needed.grants), grants);
  const given = job.secrets;
  const needless = [
    ...providers.filter(each => !asked.includes(each)).map(keyName),
    ...Object.keys(appSecrets).filter(name => !known?.includes(name)),
  ];
  const secrets =
    given === 'inherit'
      ? []
      : secretNames(needed).filter(name => !Object.hasOwn(given, name) && !needless.includes(name));
  // The labels that a commented issue has begin nothing.
  const begins = job.if.replaceAll(/contains\(github\.event\.issue\.labels[^)]*\)/g, '');
  const isOtherLabel =
    /event\.label\.name/.test(begins) &&
    // GitHub's `==` ignores case, as its labels do.
    !begins.toLowerCase().includes(`'${label.toLowerCase().replaceAll("'", "''")}'`);
  return [
    await state(setUp),
    await version(setUp, job.uses, needed.job.uses),
    finding(
      'workflow: events',
      on.join(', '),
      events.length > 0 ? `add to \`on\`: ${events.join(', ')}` : undefined,
    ),
    finding(
      'workflow: permissions',
      'what the jobs need',
      rights.length > 0 ? `add to \`permissions\` of the job: ${rights.join(', ')}` : undefined,
    ),
    finding(
      'workflow: secrets',
      'handed on',
      secrets.length > 0
        ? `add to \`secrets\` of the job: ${secrets.map(name => `${name}: \${{ secrets.${name} }}`).join(', ')}`
        : undefined,
    ),
    finding(
      'workflow: label',
      label,
      isOtherLabel
        ? `its \`if\` asks for another label than ${label}, which the configuration names`
        : undefined,
    ),
  ];
}

/** The workflow that works an App's jobs. */
export async function jobsFinding(setUp: SetUp): Promise<Finding> {
  const what = 'workflow for jobs';
  const text = await setUp.file(workflowPath);
  if (text === 'hidden') return unknown(what, 'the App may not read contents');
  const remedy = `\`execution: actions\` needs another ${workflowPath}: ${text === undefined ? '' : 'delete this one, '}npx echelon init --app, and merge it`;
  return finding(what, workflowPath, worksJobs(text ?? '') ? undefined : remedy);
}

/** Names of the secrets that the workflow hands on which `echelon init` writes. */
const secretNames = ({ job }: Read) => (job.secrets === 'inherit' ? [] : Object.keys(job.secrets));

async function state(setUp: SetUp): Promise<Finding> {
  const found = await setUp.workflowState(workflowPath.split('/').at(-1) ?? '');
  if (found === 'hidden')
    return unknown('workflow', `${workflowPath} is there; this token may not read Actions`);
  const isOff = found !== undefined && found !== 'active';
  return finding(
    'workflow',
    `${workflowPath} on the default branch`,
    isOff ? `GitHub has it as ${found}: gh workflow enable echelon.yml` : undefined,
  );
}

/** Whether what `uses` names is there. */
async function version(setUp: SetUp, uses: string, usual: string): Promise<Finding> {
  const what = 'workflow: version';
  const [name = '', ref = ''] = uses.split(/@(.*)/s);
  const [owner = '', repo = '', ...path] = name.split('/');
  const found = await setUp.file(path.join('/'), { owner, repo, ref });
  if (found === 'hidden') return unknown(what, `this token may not read ${owner}/${repo}`);
  return finding(
    what,
    uses,
    found === undefined ? `${uses} does not exist. Write \`uses: ${usual}\`` : undefined,
  );
}
