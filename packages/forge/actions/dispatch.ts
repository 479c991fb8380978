// Dispatching a workflow: what GitHub asks of the ref and the inputs, and the run that comes of it.
import { z } from 'zod';
import { type JsonObject, messageOf } from '@echelon/ground';
import { typedInputs } from './plan-job.ts';
import { readWorkflow } from './workflow-file.ts';
import { fileAt } from './workflow-files.ts';
import { queueRun } from './workflow-changes.ts';
import { ApiError } from '../errors.ts';
import { repositoryJson } from '../repositories/repository-json.ts';
import { simpleUser } from '../apps/users.ts';
import { parse, type WriteCall } from '../route.ts';
import { findRef } from '../repositories/repository-rows.ts';
import type { Workflow, WorkflowRun } from './workflow-rows.ts';
import { commitOf } from '../repositories/commit-routes.ts';

/** GitHub's limits of a dispatch: inputs, and characters of all of them. */
const mostInputs = 25;
const longestInputs = 65_535;

const body = z.object({
  ref: z.string(),
  inputs: z.record(z.string(), z.json()).default({}),
  return_run_details: z.boolean().default(false),
});

/** Queues a run of the workflow. */
export async function dispatch(
  call: WriteCall,
  workflow: Workflow,
): Promise<{ run: WorkflowRun; wantsDetails: boolean }> {
  const { core, repository, by } = call;
  const { ref, inputs, return_run_details } = parse(call, 'WorkflowDispatch', body);
  const branch = ref.replace(/^refs\/(heads|tags)\//, '');
  const sha = await commitOf(call, branch);
  if (sha === undefined) throw new ApiError(422, `No ref found for: ${ref}`);
  const text = await fileAt(call.folder, sha, workflow.path);
  if (text === undefined || !/\bworkflow_dispatch\b/.test(text))
    throw new ApiError(422, "Workflow does not have 'workflow_dispatch' trigger");
  if (workflow.state === 'disabled_manually')
    throw new ApiError(422, "Cannot trigger a 'workflow_dispatch' on a disabled workflow");
  if (Object.keys(inputs).length > mostInputs)
    throw new ApiError(422, `you may only define up to ${mostInputs} inputs`);
  if (JSON.stringify(inputs).length > longestInputs) throw new ApiError(422, 'inputs are too large.');
  const isTag = findRef(core, repository.id, `refs/heads/${branch}`) === undefined;
  const full = `refs/${isTag ? 'tags' : 'heads'}/${branch}`;
  const given = Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]),
  );
  const run = await queueRun(call, workflow, {
    event: 'workflow_dispatch',
    payload: {
      inputs: given,
      ref: full,
      workflow: workflow.path,
      repository: repositoryJson(core, repository),
      sender: simpleUser(core, by.user),
    },
    title: workflow.name,
    branch,
    ref: full,
    sha,
    headSha: sha,
    // Without a runner nothing reads the file: what it is given is shown as it is.
    inputs: core.runsWorkflows ? await checkedInputs(workflow.path, text, given) : inputs,
  });
  return { run, wantsDetails: return_run_details };
}

/** The inputs by the types that the file gives them; 422 for what it does not take. */
async function checkedInputs(path: string, text: string, given: JsonObject): Promise<JsonObject> {
  const refuse = (message: string) => new ApiError(422, message);
  const { on } = await readWorkflow(path, text).catch((error: unknown) => {
    throw refuse(messageOf(error));
  });
  if (!on.dispatch) throw refuse("Workflow does not have 'workflow_dispatch' trigger");
  const known = on.dispatch;
  const unknown = Object.keys(given).filter(name => !known.has(name));
  if (unknown.length > 0) throw refuse(`Unexpected inputs provided: ${JSON.stringify(unknown)}`);
  for (const [name, { required, default: usual }] of known)
    if (required && usual === undefined && !Object.hasOwn(given, name))
      throw refuse(`Required input '${name}' not provided`);
  try {
    return typedInputs(known, given, usual => usual);
  } catch (error) {
    throw refuse(messageOf(error));
  }
}
