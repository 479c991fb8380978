// A job of a workflow file as a plain value: one with steps, or one that calls a workflow.
import type { Json } from '@echelon/ground';
import { conditionProblem } from './expressions.ts';
import {
  type Field,
  fieldsOf,
  itemsOf,
  jsonOf,
  type Reading,
  textOf,
  textsOf,
  type Written,
} from './written.ts';
import { type Permissions, readPermissions } from './permissions.ts';
import type { Place, StepSpec } from './planned-job.ts';
import { type ConcurrencySpec, readConcurrency, readDefaults } from './workflow-keys.ts';
import { stepFault } from '../runner/action-reference.ts';

const texts = [
  'id',
  'name',
  'if',
  'uses',
  'run',
  'shell',
  'working-directory',
  'continue-on-error',
  'timeout-minutes',
] as const;

/** Contexts that a step's condition may name. */
const contexts = 'github inputs vars needs strategy matrix steps job runner env'.split(' ');

function readStep(reading: Reading, written: Written): StepSpec {
  const fields = reading.fields(written, 'a step', [...texts, 'with', 'env']);
  const step: StepSpec = {
    with: textsOf(fields['with']?.value),
    env: textsOf(fields['env']?.value),
    at: written.at,
  };
  for (const key of texts) {
    const field = fields[key];
    if (field) step[key] = textOf(field.value);
  }
  const { if: condition } = step;
  const problem = condition === undefined ? undefined : conditionProblem(condition, contexts, true);
  if (problem !== undefined) reading.refuse(fields['if']?.value.at ?? written.at, problem);
  const fault = stepFault(step, {});
  if (fault !== undefined) reading.refuse((fields['uses'] ?? fields['shell'])?.value.at ?? written.at, fault);
  return step;
}

/** Texts are templates, but for `if`, a condition. */
export interface JobSpec {
  id: string;
  name: string | undefined;
  needs: { id: string; at: Place }[];
  if: string | undefined;
  strategy: StrategySpec;
  permissions: Permissions | undefined;
  /** The job's access to caches: read, write, write-only or none. */
  cacheMode?: string;
  concurrency: ConcurrencySpec | undefined;
  work: StepsSpec | CallingSpec;
  at: Place;
}

/** Values whose texts are templates. */
interface StrategySpec {
  matrix: Json | undefined;
  failFast: Json;
  maxParallel: Json | undefined;
}

export interface StepsSpec {
  kind: 'steps';
  /** A label or a list of such, with templates. */
  runsOn: Json;
  steps: StepSpec[];
  outputs: Record<string, string>;
  env: Record<string, string>;
  defaults: Record<string, string>;
  timeoutMinutes: Json;
  continueOnError: Json;
}

export interface CallingSpec {
  kind: 'call';
  uses: { text: string; at: Place };
  with: { name: string; value: Json; at: Place }[];
  secrets: 'inherit' | { name: string; value: string; at: Place }[];
}

const common = ['name', 'needs', 'if', 'strategy', 'permissions', 'cache-mode', 'concurrency'];
const ofSteps = ['runs-on', 'steps', 'outputs', 'env', 'defaults', 'timeout-minutes', 'continue-on-error'];
const ofCall = ['uses', 'with', 'secrets'];
/** Six hours, GitHub's for a hosted runner. */
const defaultTimeoutMinutes = 360;

export function readJob(reading: Reading, id: string, { at, value }: Field): JobSpec {
  if (!/^[a-z_][\w-]*$/i.test(id)) reading.refuse(at, `"${id}" is no id of a job`);
  const calls = fieldsOf(value).has('uses');
  const where = calls ? 'a job that calls a workflow' : 'a job';
  const fields = reading.fields(value, where, [...common, ...(calls ? ofCall : ofSteps)]);
  const { needs, if: condition, permissions, name } = fields;
  if (condition) checkCondition(reading, condition, ['github', 'inputs', 'vars', 'needs']);
  return {
    id,
    name: name && textOf(name.value),
    needs: needs ? itemsOf(needs.value).map(item => ({ id: textOf(item), at: item.at })) : [],
    if: condition && textOf(condition.value),
    strategy: readStrategy(reading, fields['strategy']),
    permissions: permissions && readPermissions(permissions.value),
    ...(fields['cache-mode'] && { cacheMode: textOf(fields['cache-mode'].value) }),
    concurrency: readConcurrency(reading, fields['concurrency']?.value),
    work: calls ? readCalling(fields, at) : readSteps(reading, fields, at),
    at,
  };
}

/** Refuses a condition that cannot be read. */
function checkCondition(reading: Reading, { value }: Field, contexts: string[]): void {
  const problem = conditionProblem(textOf(value), contexts, false);
  if (problem !== undefined) reading.refuse(value.at, problem);
}

function readStrategy(reading: Reading, field: Field | undefined): StrategySpec {
  const fields = field
    ? reading.fields(field.value, '"strategy"', ['matrix', 'fail-fast', 'max-parallel'])
    : {};
  return {
    matrix: fields['matrix'] && jsonOf(fields['matrix'].value),
    failFast: fields['fail-fast'] ? jsonOf(fields['fail-fast'].value) : true,
    maxParallel: fields['max-parallel'] && jsonOf(fields['max-parallel'].value),
  };
}

function readSteps(reading: Reading, fields: Partial<Record<string, Field>>, at: Place): StepsSpec {
  const { 'runs-on': runsOn, steps, 'timeout-minutes': timeout, 'continue-on-error': lenient } = fields;
  if (!runsOn) reading.refuse(at, 'the job has no "runs-on"');
  for (const label of runsOn ? itemsOf(runsOn.value) : [])
    if (!textOf(label).includes('${{') && !isOurLabel(textOf(label)))
      reading.refuse(label.at, noSuchRunner(textOf(label)));
  return {
    kind: 'steps',
    runsOn: runsOn ? jsonOf(runsOn.value) : '',
    steps: steps ? itemsOf(steps.value).map(step => readStep(reading, step)) : [],
    outputs: textsOf(fields['outputs']?.value),
    env: textsOf(fields['env']?.value),
    defaults: readDefaults(reading, fields['defaults']?.value),
    timeoutMinutes: timeout ? jsonOf(timeout.value) : defaultTimeoutMinutes,
    continueOnError: lenient ? jsonOf(lenient.value) : false,
  };
}

/** Labels of runners that this machine stands in for. */
export const isOurLabel = (label: string): boolean => /^ubuntu-[\w.-]+$/.test(label);

export const noSuchRunner = (label: string): string =>
  `the forge's runner stands in for ubuntu-..., not for "${label}"`;

function readCalling(fields: Partial<Record<string, Field>>, at: Place): CallingSpec {
  const { uses, secrets } = fields;
  const given = (field: Field | undefined) => (field ? [...fieldsOf(field.value)] : []);
  return {
    kind: 'call',
    uses: { text: uses ? textOf(uses.value) : '', at: uses?.value.at ?? at },
    with: given(fields['with']).map(([name, each]) => ({ name, value: jsonOf(each.value), at: each.at })),
    secrets:
      secrets?.value.value === 'inherit'
        ? 'inherit'
        : given(secrets).map(([name, each]) => ({ name, value: textOf(each.value), at: each.at })),
  };
}
