// Up to where a prompt is that of other sessions too: a provider can cache so much of it apart.
import type { AtomicTask } from '../language/ast.ts';
import { boundValue, type Environment } from '../language/environment.ts';
import { layOut, type Prompt } from './prompt.ts';
import type { Evaluator, TaskPlace } from './task-place.ts';
import type { TaskContext } from './task-context.ts';

/** Ascending: where what is told of this evaluation alone begins, then what is told of a round. */
export function cutsOf(
  task: AtomicTask,
  place: TaskPlace,
  { prompt, constant }: Prompt,
  context: TaskContext,
  { options, program }: Evaluator,
): number[] {
  const cuts = new Set<number>();
  if (options.lasting) {
    const own = program.inputs.map(({ name }) => name).filter(name => !options.lasting?.includes(name));
    const other = { ...place, environment: changed(place.environment, own) };
    cuts.add(commonLength(prompt, layOut(task, other, context).prompt));
  }
  if (constant !== undefined) cuts.add(constant);
  return [...cuts].filter(cut => cut > 0 && cut < prompt.length).sort((a, b) => a - b);
}

/** A text that no input begins with. */
const OTHER = '\0';

const changed = (environment: Environment, names: readonly string[]): Environment =>
  environment.extend(names.map(name => [name, boundValue(OTHER)]));

function commonLength(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}
