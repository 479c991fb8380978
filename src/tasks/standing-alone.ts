// A task of a program as a program of its own, so that it can be shown and replaced.
import type { AtomicTask, Input } from '../language/ast.ts';
import type { Environment } from '../language/environment.ts';
import { settingNames } from '../language/names.ts';
import { placeholders } from '../language/text.ts';

/** `task` with the names that it reads as its parameters: the bindings of `environment`, its own inputs among them. */
export function standingAlone(task: AtomicTask, environment: Environment): AtomicTask {
  const texts = [task.description, task.system, task.instructions, task.expectedOutput, task.criteria];
  const read = texts.flatMap(each => (each ? placeholders(each).map(({ name }) => name) : []));
  const source = task.inputSource ? [task.inputSource.name] : [];
  const names = new Set([...read, ...source].flatMap(path => boundName(path, environment) ?? []));
  for (const name of settingNames) names.delete(name);
  const inputs = [...names].map(
    (name): Input => ({ name, at: task.at, value: { kind: 'parameter' }, stdin: false }),
  );
  return { ...task, inputs };
}

/** The longest bound name that `path` begins with, as in `Environment.resolve`. */
function boundName(path: string, environment: Environment): string | undefined {
  if (environment.get(path)) return path;
  for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1))
    if (environment.get(path.slice(0, dot))) return path.slice(0, dot);
  return undefined;
}
