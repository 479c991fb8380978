// A workflow file as a plain value. What the runner cannot carry out is refused here, with its place.
import { type JobSpec, readJob } from './job-spec.ts';
import {
  type Field,
  fieldsOf,
  Reading,
  readWritten,
  textOf,
  textsOf,
  WorkflowError,
  type Problem,
} from './written.ts';
import { type Permissions, readPermissions } from './permissions.ts';
import { readTriggers, type Triggers } from './trigger-spec.ts';
import { type ConcurrencySpec, readConcurrency, readDefaults } from './workflow-keys.ts';
import { registerHooks } from 'node:module';

let loaded: Promise<typeof import('@actions/workflow-parser')> | undefined;

/** Loaded when a workflow is first read. The package imports JSON files without saying so, which Node refuses. */
function parser() {
  loaded ??= (async () => {
    const hooks = registerHooks({
      load: (url, context, next) =>
        /\/@actions\/workflow-parser\/.*\.json$/.test(url)
          ? next(url, { ...context, importAttributes: { ...context.importAttributes, type: 'json' } })
          : next(url, context),
    });
    try {
      return await import('@actions/workflow-parser');
    } finally {
      hooks.deregister();
    }
  })();
  return loaded;
}

/** GitHub has it since 2026-09-10; the parser's version 0.3.61 does not. Elsewhere than in a job the forge refuses it. */
const notKnownYet = "Unexpected value 'cache-mode'";

/** Problems that GitHub finds in the text, in the order of the file. */
export async function schemaProblems(file: string, text: string): Promise<Problem[]> {
  const { NoOperationTraceWriter, parseWorkflow } = await parser();
  const { context } = parseWorkflow({ name: file, content: text }, new NoOperationTraceWriter());
  return context.errors
    .getErrors()
    .filter(({ rawMessage }) => rawMessage !== notKnownYet)
    .map(({ rawMessage, range }) => ({
      at: { file, line: range?.start.line ?? 1, column: range?.start.column ?? 1 },
      message: rawMessage,
    }));
}

/** Texts are templates. */
export interface WorkflowFile {
  path: string;
  name: string | undefined;
  runName: string | undefined;
  on: Triggers;
  permissions: Permissions | undefined;
  env: Record<string, string>;
  defaults: Record<string, string>;
  concurrency: ConcurrencySpec | undefined;
  jobs: JobSpec[];
}

const keys = ['name', 'run-name', 'on', 'permissions', 'env', 'defaults', 'concurrency', 'jobs'];

/** Reads a workflow file. Throws WorkflowError with all that is wrong with it, or not supported. */
export async function readWorkflow(path: string, text: string): Promise<WorkflowFile> {
  const written = readWritten(path, text);
  const problems = await schemaProblems(path, text);
  if (problems.length > 0) throw new WorkflowError(problems);
  const reading = new Reading();
  const fields = reading.fields(written, 'a workflow', keys);
  const jobs = fields['jobs'] ? [...fieldsOf(fields['jobs'].value)] : [];
  const file: WorkflowFile = {
    path,
    name: optional(fields['name']),
    runName: optional(fields['run-name']),
    on: readTriggers(reading, fields['on']?.value),
    permissions: fields['permissions'] && readPermissions(fields['permissions'].value),
    env: textsOf(fields['env']?.value),
    defaults: readDefaults(reading, fields['defaults']?.value),
    concurrency: readConcurrency(reading, fields['concurrency']?.value),
    jobs: jobs.map(([id, field]) => readJob(reading, id, field)),
  };
  checkNeeds(reading, file.jobs);
  if (reading.problems.length > 0)
    throw new WorkflowError(
      reading.problems.sort((a, b) => a.at.line - b.at.line || a.at.column - b.at.column),
    );
  return file;
}

const optional = (field: Field | undefined) => field && textOf(field.value);

/** Each need is a job of the file, and none needs itself, however far around. */
function checkNeeds(reading: Reading, jobs: readonly JobSpec[]): void {
  const byId = new Map(jobs.map(job => [job.id.toLowerCase(), job]));
  const needs = (job: JobSpec) => job.needs.flatMap(({ id }) => byId.get(id.toLowerCase()) ?? []);
  for (const { id, needs: named } of jobs)
    for (const need of named)
      if (!byId.has(need.id.toLowerCase()))
        reading.refuse(need.at, `job "${id}" needs "${need.id}", which is no job of this file`);
  const reaches = (from: JobSpec, to: JobSpec, seen = new Set<JobSpec>()): boolean =>
    needs(from).some(each => each === to || (!seen.has(each) && reaches(each, to, seen.add(each))));
  for (const job of jobs)
    if (reaches(job, job)) reading.refuse(job.at, `job "${job.id}" needs itself, by way of what it needs`);
}
