// The operator's caps, from variables of the environment and from the file that ECHELON_CONFIG names.
import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import { messageOf } from '@echelon/ground';
import { type Cap, type CapName, type Caps, CapValues } from '../../app/config/caps.ts';
import { againstKnown } from '../../app/config/config-file.ts';
import { Prices } from '../../app/config/values.ts';
import { type ConfigProblem, maxYamlBytes, parseStrictYaml, tooLarge } from '../../app/config/strict-yaml.ts';

const OperatorFile = z.strictObject({ caps: CapValues.prefault({}), prices: Prices });

const variables: { readonly [name in CapName]-?: string } = {
  budget: 'ECHELON_MAX_BUDGET',
  max_parallel: 'ECHELON_MAX_PARALLEL',
  rounds: 'ECHELON_MAX_ROUNDS',
  runs_per_hour: 'ECHELON_MAX_RUNS_PER_HOUR',
};

/** A variable goes before the file. Throws an Error with every problem, each in a line that says where it is. */
export function readCaps(env: NodeJS.ProcessEnv): Caps {
  const caps: { [name in CapName]?: Cap } = {};
  const problems: string[] = [];
  const path = env['ECHELON_CONFIG']?.trim();
  const file = path ? readFile(path) : { values: {}, prices: {} };
  if ('problems' in file) problems.push(...file.problems);
  for (const name of Object.keys(variables) as CapName[]) {
    const variable = variables[name];
    const text = env[variable]?.trim();
    const inFile = 'problems' in file ? undefined : file.values[name];
    if (!text) {
      if (inFile !== undefined) caps[name] = { most: inFile, by: `caps.${name} of its configuration` };
      continue;
    }
    const read = CapValues.shape[name].safeParse(/^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN);
    if (read.success && read.data !== undefined) caps[name] = { most: read.data, by: variable };
    else problems.push(`${variable}: ${text} is not possible; it is ${range[name]}`);
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return 'problems' in file || Object.keys(file.prices).length === 0
    ? caps
    : { ...caps, prices: file.prices };
}

const range: { readonly [name in CapName]-?: string } = {
  budget: 'an amount of USD from 0.01 to 100000',
  max_parallel: 'a whole number from 1 to 20',
  rounds: 'a whole number from 1 to 20',
  runs_per_hour: 'a whole number from 1 to 1000',
};

interface Operators {
  values: { [name in CapName]?: number | undefined };
  prices: Prices;
}

function readFile(path: string): Operators | { problems: string[] } {
  let text: string;
  try {
    const { size } = statSync(path);
    if (size > maxYamlBytes) return { problems: [`${path}: ${tooLarge(size).message}`] };
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return { problems: [`ECHELON_CONFIG: ${messageOf(error)}`] };
  }
  const read = parseStrictYaml(text, OperatorFile);
  const told = (problems: readonly ConfigProblem[]) => ({
    problems: problems.map(({ line, column, message }) => `${path}:${line}:${column} ${message}`),
  });
  if ('problems' in read) return told(read.problems);
  const known = Object.keys(read.value.prices).flatMap(model => againstKnown(read, 'prices', model));
  if (known.length > 0) return told(known);
  return { values: read.value.caps, prices: read.value.prices };
}
