// What `uses` of a step means.

/** What the forge does by itself, whatever the ref. */
const builtInNames = [
  'checkout',
  'upload-artifact',
  'download-artifact',
  'setup-node',
  'cache/restore',
  'cache/save',
  'create-github-app-token',
] as const;
export type BuiltInName = (typeof builtInNames)[number];

export type ActionReference =
  | { kind: 'built-in'; name: BuiltInName }
  /** `./path`: in the job's checkout, at the time of the step. */
  | { kind: 'local'; path: string }
  /** `$/path`: in the repository of the workflow file, at its commit. */
  | { kind: 'self'; path: string }
  /** `owner/name/path@ref`. */
  | { kind: 'repository'; repository: string; path: string; ref: string };

/** Reads `uses`; a sentence where it is not supported. */
export function readReference(uses: string): ActionReference | string {
  const local = /^(\.|\$)(?:\/(.*))?$/.exec(uses);
  if (local) {
    const path = local[2] ?? '';
    if (path.split('/').includes('..')) return `"${uses}" leads out of its repository.`;
    return { kind: local[1] === '$' ? 'self' : 'local', path };
  }
  if (uses.startsWith('docker://')) return "containers are not supported by the forge's runner";
  const [, owner, name, path = '', ref] = /^([\w.-]+)\/([\w.-]+)((?:\/[^@]+)?)@(.+)$/.exec(uses) ?? [];
  if (owner === undefined || name === undefined || ref === undefined || path.split('/').includes('..'))
    return `"${uses}" is no action: write owner/name@ref, ./path or $/path.`;
  const builtIn = builtInNames.find(each => owner === 'actions' && each === name + path);
  if (builtIn) return { kind: 'built-in', name: builtIn };
  if (owner === 'actions')
    return `"${uses}" is not built in; of actions/ there are ${builtInNames.join(', ')}.`;
  return { kind: 'repository', repository: `${owner}/${name}`, path: path.slice(1), ref };
}
