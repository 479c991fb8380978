// Up to where a prompt is that of other sessions too: a provider can cache so much of it apart.
import type { AtomicTask } from '../language/ast.ts';
import { boundValue } from '../language/environment.ts';
import { layOut, type Prompt } from './prompt.ts';
import type { TaskPlace } from './task-place.ts';
import type { TaskContext } from './memory/memory.ts';

/** Ascending: where what is told of this evaluation alone begins, then what is told of a round. */
export function cutsOf(
  task: AtomicTask,
  place: TaskPlace,
  { prompt, constant }: Prompt,
  context: TaskContext,
): number[] {
  const { options, program } = place.evaluator;
  const cuts: number[] = [];
  if (!options.lasting && constant === undefined) return cuts;
  for (const lasting of options.lasting ?? []) {
    const own = program.inputs.map(({ name }) => name).filter(name => !lasting.includes(name));
    const environment = place.environment.extend(own.map(name => [name, boundValue(OTHER)]));
    const other = { ...place, environment };
    cuts.push(commonLength(prompt, layOut(task, other, context).prompt));
  }
  if (constant !== undefined) cuts.push(constant);
  const lines = new Set(cuts.map(cut => lineBefore(prompt, cut)));
  return [...lines].filter(cut => cut > 0 && cut < prompt.length).sort((a, b) => a - b);
}

/** The end or the beginning of a line: what reads a prompt by its parts finds each line in one. */
const lineBefore = (prompt: string, cut: number): number =>
  cut === prompt.length || prompt[cut] === '\n' ? cut : prompt.lastIndexOf('\n', cut - 1) + 1;

/** A text that no input begins with. */
const OTHER = '\0';

function commonLength(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}
