// Actions that are a program for Node: their manifest, their inputs as variables, what they do before, in and after a step.
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { messageOf } from '@echelon/ground';
import { readText } from './file-commands.ts';
import { StepFailed, type StepRun } from './step.ts';

const Text = z.union([z.string(), z.number(), z.boolean()]).transform(String);

const Manifest = z.object({
  name: z.string().default(''),
  inputs: z
    .record(z.string(), z.object({ default: Text.nullish(), required: z.boolean().nullish() }).nullable())
    .nullish(),
  runs: z.object({
    using: z.string(),
    main: z.string().optional(),
    pre: z.string().optional(),
    post: z.string().optional(),
    'pre-if': Text.optional(),
    'post-if': Text.optional(),
  }),
});

/** Versions that this Node stands in for. */
const runtimes = /^node(20|24)$/;
const longestManifest = 512 * 1024;

export interface NodeAction {
  folder: string;
  inputs: Record<string, string | undefined>;
  main: string;
  pre: string | undefined;
  post: string | undefined;
  preIf: string;
  postIf: string;
}

/** Reads the manifest of an action. Throws, in a sentence, where there is none or another kind than Node's. */
export async function readAction(folder: string, name: string): Promise<NodeAction> {
  const text =
    readText(join(folder, 'action.yml'), longestManifest) ??
    readText(join(folder, 'action.yaml'), longestManifest);
  if (text === undefined) throw new Error(`${name} has no action.yml.`);
  let manifest: z.infer<typeof Manifest>;
  try {
    manifest = Manifest.parse(parse(text));
  } catch (error) {
    throw new Error(`The action.yml of ${name} cannot be read: ${messageOf(error)}`, { cause: error });
  }
  const { runs } = manifest;
  if (!runtimes.test(runs.using) || runs.main === undefined)
    throw new Error(
      `${name} runs with "${runs.using}", which is not supported here: only node20 and node24 are.`,
    );
  const inputs = Object.entries(manifest.inputs ?? {}).map(([input, about]) => [
    input.toLowerCase(),
    about?.default ?? undefined,
  ]);
  return {
    folder,
    inputs: Object.fromEntries(inputs),
    main: runs.main,
    pre: runs.pre,
    post: runs.post,
    preIf: runs['pre-if'] ?? 'always()',
    postIf: runs['post-if'] ?? 'always()',
  };
}

/** Runs one of the action's programs. */
export async function runNodeAction(step: StepRun, action: NodeAction, program: string): Promise<void> {
  const unknown = Object.keys(step.inputs).filter(name => !(name in action.inputs));
  if (unknown.length > 0)
    step.warn(
      `Unexpected input(s) '${unknown.join("', '")}', valid inputs are ['${Object.keys(action.inputs).join("', '")}']`,
    );
  const env: Record<string, string> = {
    ACTIONS_RUNTIME_URL: `${step.state.host.site}/_services/pipelines/`,
    ACTIONS_RESULTS_URL: `${step.state.host.site}/_services/results/`,
    ACTIONS_RUNTIME_TOKEN: step.state.runtimeToken,
  };
  for (const [name, fallback] of Object.entries(action.inputs))
    env[variableOf(name)] = step.inputs[name] ?? (fallback === undefined ? '' : step.render(fallback));
  for (const name of unknown) env[variableOf(name)] = step.inputs[name] ?? '';
  const code = await step.run(
    [process.execPath, join(action.folder, program)],
    step.state.folders.workspace,
    { env },
  );
  if (code !== 0) throw new StepFailed(`The action ended with exit code ${code}.`);
}

const variableOf = (input: string): string => `INPUT_${input.replaceAll(' ', '_').toUpperCase()}`;
