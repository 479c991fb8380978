// Commands in a project's workflow files: the tests that its CI runs, and the steps that set up an agent's machine.
import { z } from 'zod';
import { parseStrictYaml } from '../../config/strict-yaml.ts';
import type { Guess } from '../../comments/view.ts';
import type { ProjectFiles } from './project-files.ts';
import { installCommand, plainCommands, testCommand } from './test-runners.ts';

const bounds = { bytes: 64 * 1024, parts: 12_000, message: 200, remedy: '' };
/** Workflow files that are read. */
const MAX_WORKFLOWS = 12;

/** GitHub's field, which holds text or is not read: an expression in it is text as well. */
const text = z.string().optional().catch(undefined);
const Step = z.looseObject({
  run: text,
  uses: text,
  name: text,
  'working-directory': text,
});
type Step = z.infer<typeof Step>;

const Job = z.looseObject({ 'runs-on': text, steps: z.array(Step).default([]) });
type Job = z.infer<typeof Job>;

const Workflow = z.looseObject({
  on: z
    .union([
      z.string().transform(event => [event]),
      z.array(z.string()),
      z.record(z.string(), z.unknown()).transform(Object.keys),
    ])
    .default([]),
  jobs: z.record(z.string(), z.unknown()).default({}),
});

interface Workflow {
  on: string[];
  jobs: [id: string, job: Job][];
  hasDefaults: boolean;
}

async function workflowAt(files: ProjectFiles, path: string): Promise<Workflow | undefined> {
  const read = parseStrictYaml(await files.read(path), Workflow, bounds);
  if ('problems' in read) return undefined;
  const { on, jobs, ...rest } = read.value;
  const known = Object.entries(jobs).flatMap(([id, job]) => {
    const { data } = Job.safeParse(job);
    return data ? [[id, data] satisfies [string, Job]] : [];
  });
  return { on, jobs: known, hasDefaults: 'defaults' in rest };
}

interface CiTests {
  /** The line as it stands there. */
  line: string;
  source: string;
  /** Commands of the same job before it that install something; empty where one of them cannot be read. */
  installs: string[];
}

/** The first line that runs tests, in a workflow for pushes or pull requests, with nothing around it that this machine lacks. */
export async function ciTests(files: ProjectFiles): Promise<CiTests | undefined> {
  for (const path of workflowsOf(files)) {
    const workflow = await workflowAt(files, path);
    if (!workflow?.on.some(event => event === 'push' || event === 'pull_request')) continue;
    if (workflow.hasDefaults) continue;
    for (const [id, job] of workflow.jobs) {
      const found = testsOf(job, files);
      if (found) return { ...found, source: `${path}, job ${id}` };
    }
  }
  return undefined;
}

/** Those that are named for tests first. */
function workflowsOf({ paths }: ProjectFiles): string[] {
  const rank = (path: string) => Number(!/(?:^|[^a-z])(?:ci|tests?)(?:[^a-z]|$)/i.test(path));
  return [...paths]
    .filter(path => /^\.github\/workflows\/[^/]+\.ya?ml$/.test(path))
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
    .slice(0, MAX_WORKFLOWS);
}

function testsOf(job: Job, files: ProjectFiles): Omit<CiTests, 'source'> | undefined {
  const elsewhere = ['if', 'container', 'services', 'defaults'].some(key => key in job);
  if (elsewhere || /^(?:windows|macos)/.test(job['runs-on'] ?? '')) return undefined;
  const installs: string[] = [];
  let isWhole = true;
  for (const step of job.steps) {
    const conditional = ['if', 'env', 'working-directory', 'shell', 'continue-on-error'].some(
      key => key in step,
    );
    const lines = conditional ? undefined : plainCommands(step.run ?? '');
    isWhole &&= lines !== undefined || !/\b(?:install|sync|ci)\b/.test(step.run ?? '');
    for (const line of lines ?? []) {
      if (testCommand(line, '') !== undefined && hasItsFile(line, files))
        return { line, installs: isWhole ? installs : [] };
      const install = installCommand(line);
      if (install) installs.push(install);
    }
  }
  return undefined;
}

/** A makefile or a wrapper may be written by a step before. */
function hasItsFile(line: string, { paths }: ProjectFiles): boolean {
  if (/^make /.test(line)) return ['GNUmakefile', 'makefile', 'Makefile'].some(name => paths.has(name));
  const program = /^\.\/(\S+)/.exec(line)?.[1];
  return program === undefined || paths.has(program);
}

/**
 * GitHub's own convention for agents: the job `copilot-setup-steps`. Steps that `use` an action, hold an expression or a
 * condition, or want root cannot run in the sandbox: they are left out by name.
 * https://docs.github.com/en/copilot/how-tos/use-copilot-agents/coding-agent/customize-the-agent-environment
 */
export async function copilotSetup(files: ProjectFiles): Promise<Guess | undefined> {
  const path = ['yml', 'yaml']
    .map(end => `.github/workflows/copilot-setup-steps.${end}`)
    .find(each => files.paths.has(each));
  const workflow = path === undefined ? undefined : await workflowAt(files, path);
  const job = workflow?.jobs.find(([id]) => id === 'copilot-setup-steps')?.[1];
  if (path === undefined || !job) return undefined;
  const taken = job.steps.map(step => ({ step, command: commandOf(step) }));
  const commands = taken.flatMap(({ command }) => command ?? []);
  const without = taken.flatMap(({ step, command }) => (command === undefined ? nameOf(step) : []));
  return {
    command: commands.length > 1 ? ['set -e', ...commands].join('\n') : (commands[0] ?? ''),
    source: [path, ...(without.length > 0 ? [`without ${without.join(', ')}`] : [])].join(', '),
  };
}

function commandOf(step: Step): string | undefined {
  const { run, 'working-directory': folder = '.' } = step;
  if (run === undefined || 'if' in step || 'env' in step || !runsInSandbox(run)) return undefined;
  if (!/^(?!-)[\w./-]+$/.test(folder)) return undefined;
  const script = run.trim();
  return folder === '.' ? script : `(cd ${folder}\n${script}\n)`;
}

/** Neither an expression of Actions nor a program that wants root or a daemon. */
export const runsInSandbox = (script: string): boolean =>
  !/\$\{\{|GITHUB_(?:ENV|PATH|OUTPUT)|\b(?:sudo|apt|apt-get|apk|dnf|brew|docker|systemctl)\b/.test(script);

/** A checkout is there already. */
const nameOf = ({ uses, name, run = '' }: Step): string[] =>
  uses?.startsWith('actions/checkout') ? [] : [uses ?? name ?? run.trim().split('\n', 1)[0]!.slice(0, 60)];
