// The configuration of a repository, and the operator's caps.
export { type Cap, type CapName, type Caps, CapValues } from './config/caps.ts';
export { againstKnown, configReader, parseConfig } from './config/config-file.ts';
export { Config, configPath, defaultLabel } from './config/config.ts';
export { modelTables, sessionSettings } from './config/model-tables.ts';
export type { ConfigProblem, YamlBounds } from './config/strict-yaml.ts';
export { maxYamlBytes, parseStrictYaml, tooLarge } from './config/strict-yaml.ts';
export { Prices } from './config/values.ts';
