// A workflow file with all that it calls, however deep, read and checked before anything runs.
import type { CallingSpec, JobSpec } from './job-spec.ts';
import { defaultPermissions, excessOf, type Permissions } from './permissions.ts';
import type { Place } from './planned-job.ts';
import { type Problem, WorkflowError } from './written.ts';
import { readWorkflow, type WorkflowFile } from './workflow-file.ts';

/** Origin of a workflow file. `repository` is `owner/name`. */
interface Origin {
  repository: string;
  sha: string;
  path: string;
}

export interface LoadedWorkflow {
  file: WorkflowFile;
  origin: Origin;
  /** By the id of the calling job. */
  called: ReadonlyMap<string, LoadedWorkflow>;
}

/** Finds a file at a branch, tag or commit of a repository; undefined where there is none. */
export type FindFile = (
  repository: string,
  ref: string,
  path: string,
) => Promise<{ sha: string; text: string } | undefined>;

/** A call of a file by `owner/name/path@ref`, and the commit that the ref was. */
interface Reference {
  path: string;
  ref: string;
  sha: string;
}

/** GitHub's limits: levels of workflows, the first one included, and different files called in a run. */
const mostLevels = 10;
const mostCalled = 50;

interface Loading {
  root: Origin;
  find: FindFile;
  references: Reference[];
  called: Set<string>;
}

interface Loader {
  find: FindFile;
  /** Permissions that the repository grants a workflow without its own. */
  granted?: Permissions;
  /** References of an earlier attempt, which mean the same commits again. */
  known?: readonly Reference[];
}

/** Loads a workflow and what it calls. `./` is the repository and commit of `root`, `$/` those of the file. Throws WorkflowError. */
export async function loadWorkflow(
  root: Origin,
  text: string,
  { find, granted = defaultPermissions, known = [] }: Loader,
): Promise<{ workflow: LoadedWorkflow; references: Reference[] }> {
  const pinned: FindFile = (repository, ref, path) => {
    const same = known.find(each => each.path === `${repository}/${path}@${ref}`);
    return find(repository, same?.sha ?? ref, path);
  };
  const loading: Loading = { root, find: pinned, references: [], called: new Set() };
  const workflow = await load(loading, root, text, 1);
  const problems = permissionProblems(workflow, granted, false);
  if (problems.length > 0) throw new WorkflowError(problems);
  return { workflow, references: loading.references };
}

async function load(
  loading: Loading,
  origin: Origin,
  text: string,
  level: number,
  caller?: CallingSpec,
): Promise<LoadedWorkflow> {
  const file = await readWorkflow(origin.path, text);
  if (caller) checkCall(caller, file);
  const called = new Map<string, LoadedWorkflow>();
  for (const { id, work } of file.jobs) {
    if (work.kind !== 'call') continue;
    called.set(id, await follow(loading, origin, work, level + 1));
  }
  return { file, origin, called };
}

const remote = /^([\w.-]+\/[\w.-]+)\/(\.github\/workflows\/[^/@]+\.ya?ml)@(.+)$/;
const local = /^(\$|\.)\/(\.github\/workflows\/[^/@]+\.ya?ml)$/;

async function follow(
  loading: Loading,
  from: Origin,
  caller: CallingSpec,
  level: number,
): Promise<LoadedWorkflow> {
  const { text, at } = caller.uses;
  const refuse = (message: string) => new WorkflowError([{ at, message }]);
  const [, sigil, path] = local.exec(text) ?? [];
  const [, repository, elsewhere, ref] = remote.exec(text) ?? [];
  const place = sigil === '$' ? from : loading.root;
  const wanted =
    path !== undefined
      ? { repository: place.repository, ref: place.sha, path }
      : repository !== undefined && elsewhere !== undefined && ref !== undefined
        ? { repository, ref, path: elsewhere }
        : undefined;
  if (!wanted)
    throw refuse(`"${text}" is no workflow: $/, ./ or owner/name/ before .github/workflows/, and @ref`);
  if (level > mostLevels) throw refuse(`workflows call each other more than ${mostLevels} levels deep`);
  const found = await loading.find(wanted.repository, wanted.ref, wanted.path);
  if (!found) throw refuse(`"${text}" was not found`);
  const origin: Origin = { repository: wanted.repository, sha: found.sha, path: wanted.path };
  if (path === undefined) loading.references.push({ path: text, ref: wanted.ref, sha: found.sha });
  loading.called.add(`${origin.repository}/${origin.path}@${origin.sha}`);
  if (loading.called.size > mostCalled) throw refuse(`a run calls more than ${mostCalled} workflows`);
  return load(loading, origin, found.text, level, caller);
}

/** Checks that the call passes exactly the inputs and secrets that the called workflow declares. */
function checkCall({ uses, with: given, secrets }: CallingSpec, called: WorkflowFile): void {
  const problems: Problem[] = [];
  const refuse = (at: Place, message: string) => problems.push({ at, message });
  const { call } = called.on;
  if (!call) throw new WorkflowError([{ at: uses.at, message: `${uses.text} has no "on.workflow_call"` }]);
  for (const { name, at } of given)
    if (!call.inputs.has(name)) refuse(at, `${uses.text} has no input "${name}"`);
  for (const [name, { required, default: usual }] of call.inputs)
    if (required && usual === undefined && !given.some(each => each.name === name))
      refuse(uses.at, `${uses.text} needs the input "${name}"`);
  if (secrets !== 'inherit') {
    for (const { name, at } of secrets)
      if (!call.secrets.has(name)) refuse(at, `${uses.text} has no secret "${name}"`);
    for (const [name, required] of call.secrets)
      if (required && !secrets.some(each => each.name === name))
        refuse(uses.at, `${uses.text} needs the secret "${name}"`);
  }
  if (problems.length > 0) throw new WorkflowError(problems);
}

/** Permissions of a job's token: its own, or its file's, or else all that was granted. */
export const permissionsOf = (job: JobSpec, file: WorkflowFile, granted: Permissions): Permissions =>
  job.permissions ?? file.permissions ?? granted;

/** Jobs of called workflows that ask for more than the job that calls grants. */
function permissionProblems(
  { file, called }: LoadedWorkflow,
  granted: Permissions,
  isCalled: boolean,
): Problem[] {
  return file.jobs.flatMap(job => {
    const asked = permissionsOf(job, file, granted);
    const excess = isCalled ? excessOf(asked, granted) : undefined;
    if (excess !== undefined) return [{ at: job.at, message: `the nested job '${job.id}' ${excess}` }];
    const inner = called.get(job.id);
    return inner ? permissionProblems(inner, asked, true) : [];
  });
}
