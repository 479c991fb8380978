// Steps with `run`: the script in a file, given to its shell.
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PlannedJob, StepSpec } from '../actions/planned-job.ts';
import { shellFault, shells, unnamed } from './action-reference.ts';
import { StepFailed, type StepRun } from './step.ts';

/** The work of a `run` step. */
export function scriptWork(
  spec: StepSpec,
  defaults: PlannedJob['defaults'],
): (step: StepRun) => Promise<void> {
  return async step => {
    const script = step.render(spec.run ?? '');
    const shell = step.render(spec.shell ?? defaults.shell ?? '');
    const fault = shellFault(shell);
    if (fault !== undefined) throw new StepFailed(fault);
    const folder = join(
      step.state.folders.workspace,
      step.render(spec['working-directory'] ?? defaults['working-directory'] ?? ''),
    );
    const command = shell === '' ? unnamed : (shells[shell] ?? unnamed);
    describe(step, script, [...command, '{0}'].join(' '));
    const file = join(step.state.folders.temp, `${randomUUID()}.sh`);
    await writeFile(file, script, { flag: 'wx' });
    const code = await step.run([...command, file], folder);
    if (code !== 0) throw new StepFailed(`Process completed with exit code ${code}.`);
  };
}

function describe(step: StepRun, script: string, shell: string): void {
  const lines = script.trimEnd().split('\n');
  step.write(`##[group]Run ${script.trimStart().split('\n')[0] ?? ''}`);
  for (const line of lines) step.write(`\u001b[36;1m${line}\u001b[0m`);
  step.write(`shell: ${shell}`);
  step.write('##[endgroup]');
}
