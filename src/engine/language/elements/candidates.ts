// `<candidates n="3">`: independent tries of a task, of which the best is taken.
import { type AtomicTask, type Candidates, type Output, type Task, tasksTried } from '../ast.ts';
import {
  many,
  optional,
  type Reader,
  type Reading,
  takeAttributes,
  takeChildren,
} from '../element-schema.ts';
import type { Report } from '../problem.ts';
import { numberElement, plainName } from '../scalars.ts';
import { isBuiltIn, toolInputs } from '../tool.ts';
import { atomicOf, scriptElement } from './task-slot.ts';

/** All of them run side by side, and all are paid for. */
const MOST = 10;

const slots = {
  model: many(plainName),
  temperature: many(numberElement(0, 2, false)),
  script: optional(scriptElement),
  evaluator: optional(atomicOf('standard')),
};

/** Outputs of the evaluator, which need not be declared. */
const verdict: readonly Output[] = [
  { name: 'best', type: 'number', nullable: false },
  { name: 'why', type: 'string', nullable: true },
];

export const candidates: Reader<Candidates> = {
  read: (element, reading) => {
    const { report } = reading;
    const { n } = takeAttributes(element, { n: 'required' }, report);
    const count = n !== undefined && /^\d{1,3}$/.test(n) ? Number(n) : 0;
    const isCount = count >= 2 && count <= MOST;
    if (n !== undefined && !isCount)
      report(
        element.attributes.get('n')?.at ?? element.at,
        `n is a whole number from 2 to ${MOST}, not "${n.slice(0, 60)}"`,
      );
    const { model, temperature, script, evaluator } = takeChildren(element, slots, reading);
    if (isCount)
      for (const [name, given] of [
        ['model', model],
        ['temperature', temperature],
      ] as const)
        if (given.length > count)
          report(element.at, `${given.length} times <${name}> for ${count} candidates`);
    if (evaluator) declareVerdict(evaluator, reading);
    return { at: element.at, count, models: model, temperatures: temperature, script, evaluator };
  },
};

function declareVerdict(evaluator: AtomicTask, { report, broken }: Reading): void {
  if (broken.has(evaluator)) return;
  for (const { name, type, nullable } of verdict) {
    const found = evaluator.outputs.find(each => each.name === name);
    if (!found) evaluator.outputs.push({ name, type, nullable });
    else if (found.type !== type)
      report(evaluator.at, `the evaluator of candidates gives <output name="${name}" type="${type}"/>`);
  }
}

/**
 * Reports what no try could do without disturbing the others: they share one checkout. What a function does that is
 * called in it is found when the program runs.
 */
export function checkCandidates(task: Task, report: Report): void {
  if (task.type === 'atomic' && task.model !== undefined && (task.candidates?.models.length ?? 0) > 0)
    report(task.at, 'no candidate would have the <model> that is given here: the task names its own');
  for (const each of tasksTried(task)) {
    const name = each.name ?? each.type;
    if (each.type === 'script')
      report(each.at, `the script ${name} would run in the one checkout of all candidates: ${remedy}`);
    if (each.type !== 'atomic') continue;
    const changing = each.tools.filter(tool => isBuiltIn(tool) && !toolInputs[tool].readOnly);
    if (changing.length > 0)
      report(
        each.at,
        `${changing.join(', ')} of ${name} would change the one checkout of all candidates: ${remedy}`,
      );
  }
}

const remedy = 'have the candidates say what is to be done, and do it in a step after them';
