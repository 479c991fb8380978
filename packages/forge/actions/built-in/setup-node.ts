// actions/setup-node: the Node that is there, in front of PATH.
import { dirname } from 'node:path';
import { StepFailed, type StepRun } from '../step.ts';
import { inputsOf } from './inputs.ts';

/** Fails for a version of which this Node is none; `lts/*`, `node` and the like take what is there. */
export async function setupNode(step: StepRun): Promise<void> {
  const inputs = inputsOf(step, {
    'node-version': '',
    'check-latest': 'false',
    'package-manager-cache': 'false',
  });
  const wanted = /^v?(\d+)(\.(x|\d+)){0,2}$/.exec(inputs['node-version'])?.[1];
  const [major] = process.versions.node.split('.');
  if (wanted !== undefined && wanted !== major)
    throw new StepFailed(`Node ${inputs['node-version']} is asked for; this runner has ${process.version}.`);
  step.state.path.unshift(dirname(process.execPath));
  step.setOutput('node-version', process.version);
  step.write(`Node ${process.version} is there.`);
}
