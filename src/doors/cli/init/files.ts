// The files that a repository holds for Echelon: the workflow, and a configuration that names what can be set.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configPath, defaultLabel } from '../../../app/config/config.ts';
import { workflowPath } from '../../../app/github/workflow-runs.ts';
import type { Clone } from './look.ts';

export interface NewFile {
  path: string;
  text: string;
}

/** `app`: events come to a server, and a workflow is needed only where it works the jobs. */
export type Way = 'actions' | 'app' | 'app with its jobs on actions';

export const filesFor = (clone: Pick<Clone, 'test' | 'label'>, way: Way): NewFile[] => [
  ...(way === 'app'
    ? []
    : [{ path: workflowPath, text: way === 'actions' ? workflow(clone.label) : own('echelon-app.yml') }]),
  { path: configPath, text: configuration(clone) },
];

const own = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');

/** The workflow for a repository whose runs this label begins. */
const workflow = (label: string): string =>
  own('echelon.yml').replaceAll(`'${defaultLabel}'`, () => `'${label.replaceAll("'", "''")}'`);

const configuration = ({ test }: Pick<Clone, 'test'>) => `\
# yaml-language-server: $schema=https://raw.githubusercontent.com/echelon-org/echelon/v0/docs/echelon.schema.json
# Every key has a default; an empty file works. All of them: https://github.com/echelon-org/echelon/blob/v0/docs/configuration.md

# The command that judges the work. ${test ? 'Guessed from this repository.' : 'None was recognised: without one an evaluator judges the diff alone.'}
${test ? `test: ${JSON.stringify(test)}` : '# test: npm test'}

# What a run may cost (USD), its layers and engineers together.
budget:
  total: 10

# Issues that are worked side by side.
# max_parallel: 3

# Hosts that tests and engineers' commands may reach: none, registries, a list of host names, or all.
# network: none
`;
