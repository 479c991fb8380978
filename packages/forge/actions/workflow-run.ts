// Carries a run out: its jobs as their needs allow, each combination of a matrix, and the workflows that jobs call.
import { messageOf, present } from '@echelon/ground';
import { ExpressionError, holds, render } from './expressions.ts';
import type { CallingSpec, JobSpec } from './job-spec.ts';
import { permissionsOf } from './loaded-workflow.ts';
import { contextsOf, expand, inputsOfCall } from './plan-job.ts';
import {
  cancelled,
  type Combination,
  type Frame,
  type JobNode,
  mostJobs,
  type Outcome,
  outcomesJson,
  tellEnd,
  together,
} from './run-frame.ts';
import { type Enter, runSteps } from './run-steps.ts';
import { slots } from './concurrency-groups.ts';
import { evaluateTree } from './matrix.ts';
import type { Contexts } from './planned-job.ts';
import type { ConcurrencySpec } from './workflow-keys.ts';

/** Does the work in the group that is asked for, if any; undefined when the group had no place for it. */
async function inGroup(
  frame: Frame,
  spec: ConcurrencySpec | undefined,
  contexts: Contexts,
  work: (frame: Frame) => Promise<Outcome>,
): Promise<Outcome | undefined> {
  if (!spec) return work(frame);
  const name = render(spec.group, { contexts });
  if (frame.held.includes(name.toLowerCase()))
    throw new ExpressionError(
      `The concurrency group "${name}" is held by what calls this: it would wait for itself`,
    );
  const cancelInProgress = evaluateTree(spec.cancelInProgress, { contexts });
  const rules = { cancelInProgress: String(cancelInProgress) === 'true', queue: spec.queue };
  const another = new AbortController();
  const signal = AbortSignal.any([frame.signal, another.signal]);
  const inside = { ...frame, signal, held: [...frame.held, name.toLowerCase()] };
  const waiting = { signal: frame.signal, cancel: () => another.abort() };
  return frame.port.groups.within(name, rules, waiting, () => work(inside));
}

/** Carries a workflow out and returns what came of it; `outputs` are those of `on.workflow_call`. */
export async function runWorkflow(frame: Frame): Promise<Outcome> {
  const { file } = frame.workflow;
  const contexts = { github: frame.github, inputs: frame.inputs, vars: frame.vars };
  const outcome = await inGroup(frame, file.concurrency, contexts, async inside => {
    const nodes = new Map<string, Promise<[JobNode, Outcome]>>();
    const start = (spec: JobSpec): Promise<[JobNode, Outcome]> => {
      const begun = nodes.get(spec.id) ?? follow(spec);
      nodes.set(spec.id, begun);
      return begun;
    };
    const follow = async (spec: JobSpec): Promise<[JobNode, Outcome]> => {
      const wanted = spec.needs.map(need => need.id.toLowerCase());
      const before = await Promise.all(
        file.jobs.filter(each => wanted.includes(each.id.toLowerCase())).map(start),
      );
      const needs = new Map(before.map(([need, result]) => [need.spec.id, result]));
      const ancestors = new Map([...before.flatMap(([need]) => [...need.ancestors]), ...needs]);
      const node: JobNode = { spec, needs, ancestors };
      return [node, await runJob(inside, node)];
    };
    const done = await Promise.all(file.jobs.map(start));
    const jobs = outcomesJson(new Map(done.map(([node, result]) => [node.spec.id, result])));
    const outputs = [...(file.on.call?.outputs ?? [])].map(([name, template]) => [
      name,
      render(template, { contexts: { ...contexts, jobs } }),
    ]);
    return { ...together(done.map(([, result]) => result)), outputs: Object.fromEntries(outputs) };
  });
  return outcome ?? cancelled;
}

/** Decides whether a job runs, and runs each combination of it. */
async function runJob(frame: Frame, node: JobNode): Promise<Outcome> {
  const { spec } = node;
  const contexts = contextsOf(frame, node);
  const outcomes = [...node.ancestors.values()];
  const status = (isCancelled: boolean) => ({
    success: !isCancelled && outcomes.every(each => each.result === 'success'),
    failure: outcomes.some(each => each.result === 'failure'),
    cancelled: isCancelled,
  });
  const goesOn = (isCancelled: boolean) => holds(spec.if, { contexts, status: status(isCancelled) });
  const plain = spec.name?.includes('${{') ? spec.id : (spec.name ?? spec.id);
  const change = { key: frame.keyPrefix + spec.id, name: frame.namePrefix + plain };
  // A job that is still wanted by its condition is not cancelled with the rest.
  const own = new AbortController();
  const abort = () => {
    if (!isWanted(() => goesOn(true))) own.abort();
  };
  try {
    if (!goesOn(frame.signal.aborted)) {
      const result = frame.signal.aborted ? 'cancelled' : 'skipped';
      await tellEnd(frame, change, result);
      return { result, outputs: {}, fresh: outcomes.some(each => each.fresh) };
    }
    frame.signal.addEventListener('abort', abort);
    const isAfresh = [...node.needs.values()].some(each => each.fresh);
    const inside = { ...frame, signal: own.signal, kept: isAfresh ? new Map() : frame.kept };
    return await runCombinations(inside, node);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    await tellEnd(frame, change, 'failure', error.message);
    return { result: 'failure', outputs: {}, fresh: true };
  } finally {
    frame.signal.removeEventListener('abort', abort);
  }
}

/** A condition that cannot be evaluated any more keeps nothing going. */
function isWanted(goesOn: () => boolean): boolean {
  try {
    return goesOn();
  } catch (error) {
    if (error instanceof ExpressionError) return false;
    throw error;
  }
}

async function runCombinations(frame: Frame, node: JobNode): Promise<Outcome> {
  const { combinations, failFast, maxParallel } = expand(frame, node);
  frame.left.jobs -= combinations.length;
  if (frame.left.jobs < 0) throw new ExpressionError(`A run has at most ${mostJobs} jobs here`);
  const failed = new AbortController();
  const inside = { ...frame, signal: AbortSignal.any([frame.signal, failed.signal]) };
  const room = slots(maxParallel);
  const outputs: Record<string, string> = {};
  const all = await Promise.all(
    combinations.map(async each => {
      const outcome = await runCombination(inside, each, work => room.within(inside.signal, work));
      // Of the same output the last one that has it counts, as on GitHub.
      for (const [name, text] of Object.entries(outcome.outputs)) if (text !== '') outputs[name] = text;
      if (outcome.result === 'failure' && failFast) failed.abort();
      return outcome;
    }),
  );
  return { ...together(all), outputs };
}

async function runCombination(
  frame: Frame,
  combination: Combination,
  room: (work: () => Promise<Outcome>) => Promise<Outcome | undefined>,
): Promise<Outcome> {
  const { spec } = combination.node;
  const enter: Enter = run =>
    room(async () => {
      const outcome = await inGroup(frame, spec.concurrency, combination.contexts, run);
      return outcome ?? cancelled;
    });
  try {
    if (spec.work.kind === 'steps') return await runSteps(frame, combination, spec.work, enter);
    const { work } = spec;
    let began = false;
    const outcome = await enter(inside => {
      began = true;
      return runCall(inside, combination, work);
    });
    if (!began) await tellEnd(frame, combination, 'cancelled');
    return outcome ?? cancelled;
  } catch (error) {
    // A job that cannot be planned, or whose executor broke, fails; the others go on.
    await tellEnd(frame, combination, 'failure', messageOf(error));
    return { result: 'failure', outputs: {}, fresh: true };
  }
}

/** Carries out the workflow that a job calls. */
async function runCall(frame: Frame, combination: Combination, work: CallingSpec): Promise<Outcome> {
  const { spec } = combination.node;
  const workflow = present(frame.workflow.called.get(spec.id), 'the called workflow');
  const inputs = inputsOfCall(workflow.file.on.call?.inputs ?? new Map(), work.with, combination);
  const { secrets: given } = work;
  const secrets = (token: string): Record<string, string> => {
    const known = frame.secrets(token);
    if (given === 'inherit') return known;
    const contexts = { ...combination.contexts, secrets: { ...known, GITHUB_TOKEN: token } };
    return Object.fromEntries(given.map(({ name, value }) => [name, render(value, { contexts })]));
  };
  return runWorkflow({
    ...frame,
    workflow,
    keyPrefix: `${combination.key} / `,
    namePrefix: `${combination.name} / `,
    inputs,
    secrets,
    granted: permissionsOf(spec, frame.workflow.file, frame.granted),
    cacheMode: spec.cacheMode ?? frame.cacheMode,
  });
}
