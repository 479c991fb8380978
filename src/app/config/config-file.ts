// A repository's configuration: of a text, or at a commit, where what has not changed is not read again.
import type { Mirror } from '@echelon/ground/workspace';
import { knownAs } from '../../engine/models.ts';
import { type Caps, withinCaps } from './caps.ts';
import { Config, configPath } from './config.ts';
import { isRow } from './model-tables.ts';
import {
  type ConfigProblem,
  maxYamlBytes,
  parseStrictYaml,
  type StrictYaml,
  tooLarge,
} from './strict-yaml.ts';

/**
 * The configuration within the operator's caps, or everything that is wrong with it. An empty text is a
 * configuration. Never throws.
 */
export function parseConfig(
  text: string,
  caps: Caps = {},
): { config: Config } | { problems: ConfigProblem[] } {
  const read = parseStrictYaml(text, Config);
  if ('problems' in read) return read;
  const { config, problems } = withinCaps(read, caps);
  for (const model of Object.keys(config.prices)) problems.push(...againstKnown(read, 'prices', model));
  for (const [model, given] of Object.entries(config.models))
    if (isRow(given)) problems.push(...againstKnown(read, 'models', model));
  return problems.length > 0 ? { problems } : { config };
}

/** Problem of an entry for a model that the product's table has. */
export function againstKnown(
  { problem }: Pick<StrictYaml<unknown>, 'problem'>,
  place: 'prices' | 'models',
  model: string,
): ConfigProblem[] {
  const known = knownAs(model);
  const what = place === 'prices' ? 'the price of' : 'what holds for';
  const words = `${what} ${known} is known, and is not changed here. Take it out`;
  return known === undefined ? [] : [problem([place, model], words)];
}

export type ReadConfig = (mirror: Mirror, commit: string) => Promise<ReturnType<typeof parseConfig>>;

/** Files that are kept read; the one that was read first goes first. */
const MOST_KEPT = 200;

/** A reader for all repositories of an installation. A commit without the file has the defaults. */
export function configReader(caps: Caps): ReadConfig {
  const kept = new Map<string, ReturnType<typeof parseConfig>>();
  return async (mirror, commit) => {
    const file = await mirror.find(commit, configPath);
    const known = kept.get(file?.oid ?? '');
    if (known) return known;
    const found = file && (await mirror.object(file.oid, maxYamlBytes));
    const read =
      file && !found
        ? { problems: [tooLarge(file.size)] }
        : parseConfig(found?.bytes.toString('utf8') ?? '', caps);
    const oldest = kept.keys().next();
    if (kept.size >= MOST_KEPT && !oldest.done) kept.delete(oldest.value);
    kept.set(file?.oid ?? '', read);
    return read;
  };
}
