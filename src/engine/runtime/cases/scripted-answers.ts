// Answers of a case to what is no model: tools, commands, a person. Each is used up, and what nobody scripted is told.
import { ToolRefusal } from '../../language/tool.ts';
import type { Case, CaseProblem } from './case.ts';
import { shown } from './expect.ts';

interface Answers<T> {
  /** The next answer for the name; undefined, and a problem, where there is none. `asked` says what for. */
  take(name: string, asked: string): T | undefined;
  /** Of those that nobody asked for. */
  left(): CaseProblem[];
}

/** `kind` is where they stand in the case. A list is played in its order, one answer each time. */
export function scriptedAnswers<T>(
  kind: 'tools' | 'scripts',
  given: Readonly<Record<string, T | readonly T[]>>,
  problems: CaseProblem[],
): Answers<T> {
  const used = new Map<string, number>();
  return {
    take(name, asked) {
      const listed = Object.hasOwn(given, name) ? given[name] : undefined;
      const at = used.get(name) ?? 0;
      const answer = Array.isArray(listed) ? (listed as readonly T[])[at] : (listed as T | undefined);
      if (answer === undefined) {
        const why = listed === undefined ? 'the case does not say' : `the case says only ${at} times`;
        problems.push({
          path: listed === undefined ? [] : [kind, name],
          message: `${why} what comes of ${asked}`,
        });
      } else used.set(name, at + 1);
      return answer;
    },
    left: () =>
      Object.entries(given).flatMap(([name, listed]): CaseProblem[] => {
        const taken = used.get(name) ?? 0;
        if (!Array.isArray(listed))
          return taken > 0 ? [] : [{ path: [kind, name], message: `nobody asked for it` }];
        if (taken >= listed.length) return [];
        return [{ path: [kind, name, taken], message: `${taken} of ${listed.length} were asked for` }];
      }),
  };
}

/** A tool that answers as the case says. */
export const toolOf =
  (name: string, answers: Answers<string>) =>
  async (input: unknown): Promise<string> => {
    const answer = answers.take(name, `the tool ${name} with ${shown(JSON.parse(JSON.stringify(input)))}`);
    if (answer === undefined) throw new ToolRefusal('nothing answers here');
    return answer;
  };

/** A command that ends as the case says. */
export const commandOf =
  (answers: Answers<Outcome>) =>
  async ({ command }: { command: string }) => {
    const outcome = answers.take(command, `the command ${shown(command)}`);
    const { exit_code = outcome ? 0 : 127, stdout = '', stderr = '', timed_out = false } = outcome ?? {};
    return { exit_code, stdout, stderr, timed_out };
  };

type Outcome = Extract<Case['scripts'][string], { exit_code?: unknown }>;
