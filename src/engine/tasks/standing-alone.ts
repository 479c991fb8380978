// A task of a program as a program of its own, so that it can be shown and replaced.
import { type AtomicTask, type Input, textsOf } from '../language/ast.ts';
import type { Environment } from '../language/environment.ts';
import { settingNames } from '../language/names.ts';
import { longestBound, placeholders } from '../language/text.ts';

/** `task` with the names that it reads as its parameters: the bindings of `environment`, its own inputs among them. */
export function standingAlone(task: AtomicTask, environment: Environment): AtomicTask {
  const read = textsOf(task).flatMap(each => placeholders(each).map(({ name }) => name));
  const source = task.inputSource ? [task.inputSource.name] : [];
  const bound = (path: string) => longestBound(path, name => environment.get(name))?.name ?? [];
  const names = new Set([...read, ...source].flatMap(bound));
  for (const name of settingNames) names.delete(name);
  const inputs = [...names].map(
    (name): Input => ({ name, at: task.at, value: { kind: 'parameter' }, stdin: false }),
  );
  return { ...task, inputs };
}
