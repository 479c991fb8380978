// The files that a repository holds for Echelon: the workflow, and a configuration that names what can be set.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configPath, defaultLabel } from '../../../app/config.ts';
import { workflowPath } from '../../../app/set-up.ts';
import { byIdentity } from './identity.ts';
import { product, type Release } from '../product-repository.ts';
import type { Clone } from './look.ts';

export interface NewFile {
  path: string;
  text: string;
}

/** `app`: events come to a server, and a workflow is needed only where it works the jobs. */
export type Way = 'actions' | 'app' | 'app with its jobs on actions';

/** Stands in the files of this folder, which are linted as they are. */
export const unreleased: Release = { ...product, commit: '0'.repeat(40) };

export interface Wanted {
  way: Way;
  release: Release;
  /** Works a repository that is a fork. */
  fork?: boolean;
  /** Its jobs show the models' providers whose they are, in the place of stored keys. */
  identity?: boolean;
}

export const filesFor = (clone: Pick<Clone, 'test' | 'label'>, wanted: Wanted): NewFile[] => [
  ...(wanted.way === 'app' ? [] : [{ path: workflowPath, text: workflow(clone.label, wanted) }]),
  { path: configPath, text: configuration(clone) },
];

const own = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');

function workflow(label: string, wanted: Wanted): string {
  if (wanted.way !== 'actions') return asWanted(own('echelon-app.yml'), wanted);
  const text = own('echelon.yml').replaceAll(`'${defaultLabel}'`, () => `'${label.replaceAll("'", "''")}'`);
  return asWanted(text, wanted);
}

/** The text of a workflow with what is wished added, which calls the release. */
export function asWanted(text: string, { way, release, fork, identity }: Wanted): string {
  const placed = fork && way === 'actions' ? allowingFork(text) : text;
  return pinned((identity ? byIdentity(placed) : undefined) ?? placed, release);
}

/** The text of a workflow with the release's commit in each `uses` of Echelon's workflows, and its tag behind it. */
const pinned = (text: string, { owner, name, tag, commit }: Release): string =>
  text.replace(
    /(\buses: ["']?)[\w.-]+\/[\w.-]+(\/\.github\/workflows\/(?:run|jobs|check)(?:-identity)?\.yml)@[^\s"']*(["']?).*/g,
    (_all, uses: string, path: string, quote: string) =>
      `${uses}${owner}/${name}${path}@${commit}${quote} # ${tag}`,
  );

/** The text of a workflow that may run in a fork. */
const allowingFork = (text: string): string =>
  /^ +allow_fork: true\b/m.test(text)
    ? text
    : text.replace(
        /^( +)secrets:$/m,
        '$1with:\n$1  allow_fork: true # this repository is a fork\n$1secrets:',
      );

const configuration = ({ test }: Pick<Clone, 'test'>) => `\
# yaml-language-server: $schema=https://raw.githubusercontent.com/echelon-org/echelon/v0/docs/echelon.schema.json
# Every key has a default; an empty file works. All of them: https://github.com/echelon-org/echelon/blob/v0/docs/configuration.md

# The command that judges the work. ${test ? 'Guessed from this repository.' : 'None was recognised: without one an evaluator judges the diff alone.'}
${test ? `test: ${JSON.stringify(test)}` : '# test: npm test'}

# Limit of a run's cost (USD), its layers and engineers together.
budget:
  total: 10

# Issues that are worked side by side.
# max_parallel: 3

# Hosts that tests and engineers' commands may reach: none, registries, a list of host names, or all.
# network: none
`;
