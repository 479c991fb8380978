// `<task type="script">`: an external command.
import type { ScriptTask } from '../ast.ts';
import { textElement } from '../scalars.ts';
import { required } from '../element-schema.ts';
import { kind } from './common.ts';

export const script = kind(
  { command: required(textElement) },
  (parts, common, _element, { report }): ScriptTask => {
    let stdin: string | undefined;
    for (const { name, at, stdin: isStdin } of common.inputs) {
      if (isStdin && stdin !== undefined)
        report(at, `one input can be standard input: "${stdin}" is, so "${name}" cannot be`);
      if (isStdin) stdin ??= name;
      else if (name !== '' && !/^[A-Za-z_]\w*$/.test(name))
        report(at, `"${name}" cannot name an environment variable: it has letters, digits and _ only`);
    }
    return { ...common, type: 'script', command: parts.command };
  },
);
