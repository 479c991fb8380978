// `<task type="director-evaluator">`: a director works, a script runs, an evaluator judges, until it is content.
import type { DirectorEvaluatorTask } from '../ast.ts';
import { isSetting } from '../names.ts';
import { textOf } from '../scalars.ts';
import { optional, type Reader, required, takeAttributes } from '../element-schema.ts';
import { placeholders, type TemplateText } from '../text.ts';
import { kind } from './common.ts';
import { atomicOf, scriptElement } from './task-slot.ts';

/** Rounds when the program does not say. */
const ROUNDS = '5';

const maxRounds: Reader<TemplateText> = {
  read: (element, { report }) => {
    takeAttributes(element, {}, report);
    const found = textOf(element, report);
    const [setting] = placeholders(found);
    const words = found.parts[0];
    const good =
      found.parts.length === 1 &&
      (setting ? isSetting(setting.name) : /^([1-9]|[1-4]\d|50)$/.test(`${words}`));
    if (!good)
      report(
        element.at,
        `<max_rounds> is a whole number from 1 to 50, or one setting of the run such as {{rounds}}`,
      );
    return found;
  },
};

export const directorEvaluator = kind(
  {
    director: required(atomicOf('director')),
    script: optional(scriptElement),
    evaluator: optional(atomicOf('evaluator')),
    max_rounds: optional(maxRounds),
  },
  (parts, common): DirectorEvaluatorTask => ({
    ...common,
    type: 'director-evaluator',
    director: parts.director,
    script: parts.script,
    evaluator: parts.evaluator,
    maxRounds: parts.max_rounds ?? { parts: [ROUNDS], at: common.at },
  }),
);
