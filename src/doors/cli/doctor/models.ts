// Findings of `echelon doctor` about the configured models and engines: access and abilities.
import { Config, modelTables } from '../../../app/config.ts';
import { modelsFor } from '../../../app/set-up.ts';
import type { ModelRow } from '../../../engine/models.ts';
import { engineOnPath, enginePrograms, ModelFailure, notOnPath, rowOf } from '../../../engine/models.ts';
import { type Provider, providers } from '../../../engine/models/provider-keys.ts';
import { type Finding, missing, well, finding, unknown } from '../../finding.ts';
import { run } from '../init/programs.ts';

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

/** One finding a program; none where the configuration names none. `here`: engineers work on this machine. */
export async function engineFindings(
  { engines }: Pick<Config, 'engines'> = { engines: [] },
  here: boolean,
): Promise<Finding[]> {
  const programs = engines.flatMap(name => (name === 'native' ? [] : [enginePrograms[name]]));
  return await Promise.all(
    programs.map(async engine => {
      const what = `engine ${engine.name}`;
      if (!here)
        return unknown(
          what,
          `runners of the workflow install it where the variable says how: gh variable set ECHELON_ENGINE_SETUP --body '${engine.install}'`,
        );
      const path = engineOnPath(engine, process.env['PATH'] ?? '');
      if (path === undefined) return finding(what, '', notOnPath(engine));
      const { code, out, why } = await run(path, ['--version'], { cwd: '/' });
      return finding(
        what,
        `${path}, ${out.split('\n')[0]}`,
        code === 0 ? undefined : `${path} does not start: ${why}`,
      );
    }),
  );
}
