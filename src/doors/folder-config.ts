// What a folder's `.github/echelon.yml` says to programs that run in it: models, prices, and the settings of the run.
import { type Config, configPath } from '../app/config/config.ts';
import { sessionSettings } from '../app/config/model-tables.ts';
import { parseConfig } from '../app/config/config-file.ts';
import { readFolderFile } from '../engine/runtime/folder-files.ts';

/** Bytes of a configuration that are read. */
const MAX_FILE = 256 * 1024;

/** The configuration of `folder`; everything has a default. Throws an Error with every problem as file:line:column. */
export function readTaskConfig(folder: string): Config {
  return parsed(readFolderFile(folder, configPath, MAX_FILE) ?? '');
}

/** What holds where there is no file. */
export const defaultTaskConfig = (): Config => parsed('');

function parsed(text: string): Config {
  const read = parseConfig(text);
  if ('config' in read) return read.config;
  throw new Error(
    read.problems.map(({ line, column, message }) => `${configPath}:${line}:${column} ${message}`).join('\n'),
  );
}

/** What the configuration says of how programs run: the names that a `<command>` may read are those of the engineer's. */
export const programSettings = (config: Config) => ({
  settings: { test_command: config.test ?? '', rounds: String(config.rounds) },
  reasoning: sessionSettings(config),
  warnAt: config.limits.warn_at,
});
