// The most that a run of a program can come to: each task with all that may follow from it.
import type {
  AtomicTask,
  CallTask,
  Candidates,
  DirectorEvaluatorTask,
  FunctionTask,
  Input,
  Limits,
  MapTask,
  ReduceTask,
  Task,
} from '../../language/ast.ts';
import type { Bound, Environment } from '../../language/environment.ts';
import type { Library } from '../../language/library.ts';
import { settingsFrame } from '../../language/preceding.ts';
import type { Position } from '../../language/problem.ts';
import { MEMORY_TASK } from '../ask.ts';
import { functionOf, MOST_CALLS } from '../call.ts';
import { maxRounds } from '../director-evaluator.ts';
import { boundFunction, MOST_ELEMENTS } from '../inputs.ts';
import { createLedger, type Ledger, leftFor } from '../ledger.ts';
import { budgetOf, limitsWithin } from '../limits.ts';
import { candidatesIn } from '../match.ts';
import { MOST_ASKED } from '../memory/choose.ts';
import { beyond, reachable, rightsIn } from '../rights.ts';
import { isSubtask, MOST_LEVELS, MOST_SUBTASKS } from '../subtask.ts';
import { type Given, givenTo, nameOf } from '../task-place.ts';
import { programOf } from '../template-programs.ts';
import { elementsOf, type Known } from './elements.ts';
import { atMost, inTurn, type Most, nothing, oneOf, sideBySide, times } from './most.ts';
import { mostInPlaceOf, mostOfSession, type Surroundings } from './sessions.ts';

export type { Known };

/** What nothing but a limit of the language bounds: a list that only a run knows, a function that calls itself. */
export interface OpenEnd {
  kind: 'list' | 'recursion';
  /** Of the task. */
  name: string;
  at: Position;
  /** Elements, or calls within one another, at most. */
  most: number;
  /** Model calls of each element; undefined: of a call it depends on how deep it is. */
  each: number | undefined;
}

export interface WorstCase {
  /** What the program itself says, every part of it at its limits. */
  written: Most;
  /** With what a run may add: what is done in the place of tasks that failed, and what directors ask for. */
  added: Most;
  openEnds: OpenEnd[];
}

/** Throws TaskError VALIDATION_ERROR for a template that cannot be read, and Error for a model that is none. */
export function worstCase(known: Known, around: Surroundings): WorstCase {
  const ends = new Map<Task, OpenEnd>();
  const written = walk(known, around, { adds: false, found: (task, end) => ends.set(task, end) });
  const added = walk(known, around, { adds: true, found: () => {} });
  return { written, added, openEnds: [...ends.values()] };
}

/** Where a task stands: what bounds it that is around it. */
interface Place {
  /** Functions alone. */
  environment: Environment;
  given: Given;
  ledger: Ledger | undefined;
  recovers: boolean;
  calls: number;
  /** The functions whose calls it is in. */
  within: readonly FunctionTask[];
  subtasks: number;
  choosing: boolean;
}

interface Walking {
  /** Whether what a run may add counts. */
  adds: boolean;
  found: (task: Task, end: OpenEnd) => void;
}

function walk(known: Known, around: Surroundings, { adds, found }: Walking): Most {
  const { library, options, remembers } = around;
  const settings = settingsFrame(options.settings);
  const rights = rightsIn(known.program);
  const ofTasks = new Map<Task, Map<string, Most>>();
  const root: Place = {
    environment: settings,
    given: {},
    ledger: undefined,
    recovers: adds,
    calls: 0,
    within: [],
    subtasks: 0,
    choosing: false,
  };
  return mostOf(known.program, root);

  /** As `run` of the evaluator goes: the budget around all, the limits around the task itself, then what runs instead. */
  function mostOf(task: Task, at: Place): Most {
    const limits = limitsWithin(task);
    const within = {
      ...at,
      ledger: limited(task, limits, at.ledger),
      recovers: at.recovers && !task.disableReparsing,
    };
    const own = atMost(inputsAnd(task, within), limits);
    const instead = task.onFailure ? mostOf(task.onFailure, at) : nothing;
    return atMost(inTurn([own, instead]), budgetOf(task));
  }

  function inputsAnd(task: Task, at: Place): Most {
    const inputs = task.inputs.map(({ value }) => mostOfValue(value, at));
    return inTurn([
      sideBySide(inputs),
      task.candidates ? mostOfCandidates(task, task.candidates, at) : mostOfOnce(task, at),
    ]);
  }

  function mostOfCandidates(task: Task, candidates: Candidates, at: Place): Most {
    const { count, script, evaluator } = candidates;
    const given = (n: number): Given => ({ ...at.given, ...givenTo(candidates, n) });
    return inTurn([
      sideBySide(Array.from({ length: count }, (_, n) => mostOfOnce(task, { ...at, given: given(n) }))),
      script ? times(count, mostOf(script, at)) : nothing,
      evaluator ? mostOf(evaluator, { ...at, given: {} }) : nothing,
    ]);
  }

  function mostOfOnce(task: Task, at: Place): Most {
    switch (task.type) {
      case 'atomic':
        return mostOfAtomic(task, at);
      case 'script':
      case 'function':
        return nothing;
      case 'sequential':
        return mostOfSteps(task.steps, at);
      case 'map':
        return mostOfMap(task, at);
      case 'reduce':
        return mostOfReduce(task, at);
      case 'director-evaluator':
        return mostOfRounds(task, at);
      case 'call':
        return mostOfCall(task, at);
      case 'cond': {
        const branches = [...task.cases.map(each => each.task), task.otherwise].filter(each => !!each);
        return oneOf(branches.map(each => mostOf(each, at)));
      }
      case 'let':
        return inTurn([...task.binds.map(({ value }) => mostOfValue(value, at)), mostOf(task.body, at)]);
    }
  }

  function mostOfValue(value: Input['value'], at: Place): Most {
    return value.kind === 'task' ? mostOf(value.task, at) : nothing;
  }

  function mostOfAtomic(task: AtomicTask, at: Place): Most {
    const isOwn = library.subtypes[task.subtype]?.own === true;
    const canRecover = at.recovers && !isOwn && library.find('reparse') !== undefined;
    return inTurn([
      mostOfContext(task, at),
      mostOfSession(task, at, around),
      canRecover ? mostInPlaceOf(task, at, around) : nothing,
    ]);
  }

  /** Files are chosen for a session that does not inherit all that is around it. */
  function mostOfContext({ context }: AtomicTask, at: Place): Most {
    if (!remembers || at.choosing || context.inherit === 'full') return nothing;
    return times(MOST_ASKED, mostOfOwn(MEMORY_TASK, { ...at, choosing: true }));
  }

  /** One of the evaluator's own tasks. */
  function mostOfOwn(name: string, at: Place): Most {
    const template = library.find(name);
    if (!template) return nothing;
    return mostOf(programOf(template, library), { ...at, given: {}, environment: settings, recovers: false });
  }

  function mostOfSteps(steps: readonly Task[], at: Place): Most {
    let { environment } = at;
    const each = steps.map(step => {
      if (step.type !== 'function') return mostOf(step, { ...at, environment });
      environment = environment.extend([[step.name, boundFunction(step, environment)]]);
      return nothing;
    });
    return inTurn(each);
  }

  function mostOfMap(task: MapTask, at: Place): Most {
    const inner = mostOf(task.inner, at);
    return inTurn([mostOfValue(task.over, at), times(lengthOf(task, inner), inner, task.parallel)]);
  }

  function mostOfReduce(task: ReduceTask, at: Place): Most {
    const each = inTurn([mostOf(task.inner, at), mostOf(task.reduction, at)]);
    const values = [...(task.over ? [task.over] : []), task.initial];
    return inTurn([...values.map(value => mostOfValue(value, at)), times(lengthOf(task, each), each)]);
  }

  function lengthOf(task: MapTask | ReduceTask, each: Most): number {
    const length = elementsOf(task, known);
    if (length !== undefined) return length;
    tell(task, { kind: 'list', most: MOST_ELEMENTS, each: each.calls });
    return MOST_ELEMENTS;
  }

  function tell(task: Task, end: Pick<OpenEnd, 'kind' | 'most' | 'each'>): void {
    if (end.each !== 0) found(task, { ...end, name: nameOf(task), at: task.at });
  }

  function mostOfRounds(task: DirectorEvaluatorTask, at: Place): Most {
    const rounds = maxRounds(task, settings);
    const judges = [task.evaluator, ...(adds ? evaluatorsOf(library) : [])].filter(each => !!each);
    const scripts = [task.script, ...(adds ? scriptsOf(library) : [])].filter(each => !!each);
    const round = inTurn([
      mostOf(task.director, at),
      adds ? mostOfOwn('matching', at) : nothing,
      oneOf(scripts.map(each => mostOf(each, at))),
      oneOf(judges.map(each => mostOf(each, at))),
    ]);
    return inTurn([times(rounds, round), adds ? mostOfSubtasks(rounds, at) : nothing]);
  }

  /** The last round asks for none: nobody would read what came of it. */
  function mostOfSubtasks(rounds: number, at: Place): Most {
    const count = Math.min(MOST_SUBTASKS, rounds - 1);
    if (count < 1 || at.subtasks >= MOST_LEVELS) return nothing;
    const within = { ...at, environment: settings, subtasks: at.subtasks + 1 };
    const each = candidatesIn(library).flatMap(candidate => {
      const { program } = candidate;
      if (!isSubtask(candidate) || beyond(rights, reachable(program, undefined, library)).length > 0)
        return [];
      return [once(program, within, () => mostOf(program, within))];
    });
    return times(count, inTurn([mostOfOwn('matching', at), oneOf(each)]));
  }

  function mostOfCall(task: CallTask, at: Place): Most {
    const args = sideBySide(task.args.map(({ value }) => mostOfValue(value, at)));
    const closure = functionOf(task, at.environment, { library, settings });
    if (!closure || at.calls >= MOST_CALLS) return args;
    const { task: called, environment } = closure;
    if (at.within.includes(called)) tell(task, { kind: 'recursion', most: MOST_CALLS, each: undefined });
    const itself: [string, Bound][] = [[task.ref.name, boundFunction(called, environment)]];
    const within: Place = {
      ...at,
      environment: environment.extend(itself),
      calls: at.calls + 1,
      within: [...at.within, called],
      ledger: limited(called, called.limits, at.ledger),
    };
    return inTurn([
      args,
      atMost(
        once(called, within, () => mostOf(called.body, within)),
        called.limits,
      ),
    ]);
  }

  /** As calls of one function multiply, each is worked out once for each place that makes a difference. */
  function once(
    task: Task,
    { calls, subtasks, recovers, choosing, given, ledger }: Place,
    make: () => Most,
  ): Most {
    const known = ofTasks.get(task) ?? new Map<string, Most>();
    ofTasks.set(task, known);
    const key = JSON.stringify([calls, subtasks, recovers, choosing, given, leftFor(ledger)]);
    const most = known.get(key) ?? make();
    known.set(key, most);
    return most;
  }
}

const limited = (task: Task, limits: Partial<Limits>, around: Ledger | undefined): Ledger | undefined =>
  Object.values(limits).every(limit => limit === undefined)
    ? around
    : createLedger(around, { name: nameOf(task), limits });

const evaluatorsOf = (library: Library): Task[] =>
  candidatesIn(library).flatMap(({ program }) =>
    program.type === 'atomic' && program.subtype === 'evaluator' ? [program] : [],
  );

const scriptsOf = (library: Library): Task[] =>
  candidatesIn(library).flatMap(({ program }) => (program.type === 'script' ? [program] : []));
