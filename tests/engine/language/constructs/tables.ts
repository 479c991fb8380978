// All tables, by their construct.
import { atomic } from './atomic.ts';
import { conds } from './cond.ts';
import { contexts } from './context.ts';
import { directorEvaluators } from './director-evaluator.ts';
import { failures } from './failures.ts';
import { functions } from './functions.ts';
import { inputs } from './inputs.ts';
import { lets } from './let.ts';
import { libraries } from './library.ts';
import { limits } from './limits.ts';
import { maps } from './map.ts';
import { outputs } from './outputs.ts';
import { reduces } from './reduce.ts';
import { refs } from './ref.ts';
import type { Row } from './row.ts';
import { scripts } from './scripts.ts';
import { sequential } from './sequential.ts';
import { substitution } from './substitution.ts';
import { subtypes } from './subtypes.ts';
import { tools } from './tools.ts';
import { values } from './values.ts';

export const constructs: Record<string, Row[]> = {
  atomic,
  subtypes,
  sequential,
  map: maps,
  reduce: reduces,
  script: scripts,
  'director-evaluator': directorEvaluators,
  'function and call': functions,
  cond: conds,
  let: lets,
  ref: refs,
  inputs,
  substitution,
  outputs,
  values,
  failure: failures,
  'context management': contexts,
  limits,
  tools,
  library: libraries,
};
