// What `echelon doctor` finds of the models that a configuration names: that each can be asked, and what it can do.
import { Config } from '../../../app/config/config.ts';
import { modelTables } from '../../../app/config/model-tables.ts';
import { modelsFor } from '../../../app/handlers/models-for.ts';
import { ModelFailure } from '../../../engine/models/model.ts';
import { type Provider, providers } from '../../../engine/models/provider-keys.ts';
import { type ModelRow, rowOf } from '../../../engine/models/table.ts';
import { type Finding, missing, well } from '../../finding.ts';

/** `asked`: the providers whose keys the models need. Without a configuration the defaults are looked at. */
export function modelFinding(config = Config.parse({})): { found: Finding; asked: Provider[] } {
  const what = 'models';
  try {
    const { rows } = modelTables(config);
    const names = new Set(Object.values(modelsFor({ scripted: false }, config)).flat());
    const known = [...names].map(name => [name, rowOf(name, rows)] as const);
    return {
      found: well(what, known.map(([name, row]) => `${name} (${abilities(row)})`).join('; ')),
      asked: providers.filter(each => known.some(([, { provider }]) => provider === each)),
    };
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    return { found: missing(what, error.message), asked: [] };
  }
}

const tokens = (count: number | undefined) => count?.toLocaleString('en-US') ?? 'unknown';

function abilities({ provider, window, output, tools, efforts, price }: ModelRow): string {
  return [
    provider,
    `window ${tokens(window)}`,
    `reply ${tokens(output)}`,
    tools === 'tags' ? 'tools by tags' : `${tools} tools`,
    efforts.length > 0 ? `efforts ${efforts.join(' ')}` : 'no effort',
    `$${price.input} in, $${price.output} out a million`,
  ].join(', ');
}
