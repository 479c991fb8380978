// What `echelon doctor` finds of the programs that `engines` names.
import type { Config } from '../../../app/config/config.ts';
import { engineOnPath, notOnPath } from '../../../engine/runtime/engines/launch.ts';
import { enginePrograms } from '../../../engine/runtime/engines/programs.ts';
import { run } from '../init/programs.ts';
import { type Finding, finding, unknown } from '../../finding.ts';

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
