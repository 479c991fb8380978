// Turns a job of a workflow file, whose needs are done, into jobs that can be carried out.
import { isObject, type Json, type JsonObject } from '@echelon/ground';
import { evaluateTemplate, ExpressionError, render } from './expressions.ts';
import { isOurLabel, noSuchRunner, type StepsSpec } from './job-spec.ts';
import { permissionsOf } from './loaded-workflow.ts';
import { evaluateTree, expandMatrix, suffixOf } from './matrix.ts';
import type { PlannedJob } from './planned-job.ts';
import { type Combination, type Frame, type JobNode, outcomesJson } from './run-frame.ts';
import type { InputSpec } from './trigger-spec.ts';

interface Expanded {
  combinations: Combination[];
  failFast: boolean;
  maxParallel: number;
}

/** The contexts of a job before its matrix is expanded. */
export const contextsOf = (frame: Frame, node: JobNode) => ({
  github: frame.github,
  inputs: frame.inputs,
  vars: frame.vars,
  needs: outcomesJson(node.needs),
});

/** The combinations of a job's matrix; one for a job without. Throws ExpressionError. */
export function expand(frame: Frame, node: JobNode): Expanded {
  const { spec } = node;
  const contexts = contextsOf(frame, node);
  const { matrix, failFast, maxParallel } = spec.strategy;
  const valued = (template: Json) => evaluateTree(template, { contexts });
  const rows: (JsonObject | null)[] = matrix === undefined ? [null] : expandMatrix(valued(matrix));
  const most = maxParallel === undefined ? rows.length : Number(valued(maxParallel));
  if (!(most >= 1)) throw new ExpressionError(`"max-parallel" is ${most}, and has to be 1 at least`);
  const strategy = {
    'fail-fast': valued(failFast) === true,
    'job-total': rows.length,
    'max-parallel': most,
  };
  const keys = new Set<string>();
  const combinations = rows.map((row, index) => {
    const inside = { ...contexts, matrix: row, strategy: { ...strategy, 'job-index': index } };
    const suffix = row ? suffixOf(row) : '';
    const name = render(spec.name ?? spec.id, { contexts: inside });
    const key = frame.keyPrefix + spec.id + suffix;
    // A name with an expression tells the combinations apart itself. GitHub shows at most 100 characters.
    const shown = spec.name?.includes('${{') ? name : name + suffix;
    return {
      node,
      key: keys.has(key) ? `${key} #${index + 1}` : keys.add(key) && key,
      name: frame.namePrefix + (shown.length > 100 ? `${shown.slice(0, 97)}...` : shown),
      contexts: inside,
    };
  });
  return { combinations, failFast: strategy['fail-fast'], maxParallel: most };
}

/** The labels that a job asks for. Throws ExpressionError where this machine stands in for none of them. */
export function labelsOf({ contexts }: Combination, { runsOn }: StepsSpec): string[] {
  const value = evaluateTree(runsOn, { contexts });
  const labels = (Array.isArray(value) ? value : [value]).map(String);
  const other = labels.find(label => !isOurLabel(label));
  if (other !== undefined || labels.length === 0) throw new ExpressionError(noSuchRunner(other ?? ''));
  return labels;
}

/** The job as it is handed to who carries it out. Throws ExpressionError. */
export function planJob(
  frame: Frame,
  { node: { spec }, key, name, contexts }: Combination,
  work: StepsSpec,
  token: string,
): PlannedJob {
  const { file, origin } = frame.workflow;
  const base = {
    ...contexts,
    github: { ...frame.github, token, job: spec.id },
    secrets: { ...frame.secrets(token), GITHUB_TOKEN: token },
  };
  const rendered = (texts: Record<string, string>, env: JsonObject) =>
    Object.fromEntries(
      Object.entries(texts).map(([each, text]) => [each, render(text, { contexts: { ...base, env } })]),
    );
  const outer = rendered(file.env, {});
  const own = rendered(work.env, outer);
  const env = { ...outer, ...own };
  const timeoutMinutes = Number(evaluateTree(work.timeoutMinutes, { contexts: base }));
  if (!(timeoutMinutes > 0)) throw new ExpressionError(`"timeout-minutes" is no number above 0`);
  return {
    key,
    name,
    contexts: { ...base, env },
    permissions: { ...permissionsOf(spec, file, frame.granted) },
    cacheMode: spec.cacheMode ?? frame.cacheMode,
    env: [outer, own],
    defaults: { ...rendered(file.defaults, env), ...rendered(work.defaults, env) },
    steps: work.steps,
    outputs: work.outputs,
    timeoutMinutes,
    origin,
  };
}

const absent = { string: '', choice: '', number: 0, boolean: false };

/**
 * The inputs of a call or a dispatch by their types; one that is not given has its default, or its type's. Throws
 * ExpressionError for a value of another type.
 */
export function typedInputs(
  specs: ReadonlyMap<string, InputSpec>,
  given: JsonObject,
  defaultOf: (template: Json) => Json,
): JsonObject {
  return Object.fromEntries(
    [...specs].map(([name, { type, default: usual, options }]) => {
      const value = given[name] ?? (usual === undefined ? absent[type] : defaultOf(usual));
      const wrong = new ExpressionError(`The input "${name}" is no ${type}: ${JSON.stringify(value)}`);
      if (isObject(value) || Array.isArray(value)) throw wrong;
      if (type === 'boolean') {
        if (String(value) !== 'true' && String(value) !== 'false') throw wrong;
        return [name, String(value) === 'true'];
      }
      if (type === 'number') {
        if (String(value).trim() === '' || Number.isNaN(Number(value))) throw wrong;
        return [name, Number(value)];
      }
      if (type === 'choice' && options.length > 0 && value !== '' && !options.includes(String(value)))
        throw wrong;
      return [name, value === null ? '' : String(value)];
    }),
  );
}

/** Inputs that a job passes to the workflow that it calls. Throws ExpressionError. */
export function inputsOfCall(
  specs: ReadonlyMap<string, InputSpec>,
  given: readonly { name: string; value: Json }[],
  { contexts }: Combination,
): JsonObject {
  const values = given.map(({ name, value }) => [name, evaluateTree(value, { contexts })]);
  return typedInputs(specs, Object.fromEntries(values), template =>
    typeof template === 'string' ? evaluateTemplate(template, { contexts }) : template,
  );
}
