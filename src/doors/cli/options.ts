// Options of the command line, checked together: every problem is named at once, with the nearest option.
import { parseArgs } from 'node:util';
import { didYouMean, messageOf } from '@echelon/ground';
import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

export interface OptionSpec {
  type: 'string' | 'boolean';
  /** Shown in help: what the value is, and what the option does. */
  value?: string;
  help: string;
  /** Values it may take. */
  one?: readonly string[];
  /** May be given several times; its values are in `lists`. */
  many?: boolean;
}

export interface Parsed {
  values: Record<string, string | true | undefined>;
  /** Of each option that may be given several times: its values in their order, possibly none. */
  lists: Record<string, string[]>;
  positionals: string[];
  problems: string[];
}

/** Reads `argv` by the table. Never throws; what is wrong is in `problems`, one sentence each. */
export function readOptions(argv: string[], table: Readonly<Record<string, OptionSpec>>): Parsed {
  const problems: string[] = [];
  const values: Parsed['values'] = {};
  const lists: Parsed['lists'] = {};
  for (const [name, { many }] of Object.entries(table)) if (many) lists[name] = [];
  const positionals: string[] = [];
  const { tokens } = parseArgs({
    args: argv,
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: Object.fromEntries(Object.entries(table).map(([name, { type }]) => [name, { type }])),
  });
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const spec = Object.hasOwn(table, token.name) ? table[token.name] : undefined;
    const near = spec ? '' : didYouMean(token.name, Object.keys(table)).replace(/"([^"]+)"/, '--$1');
    if (!spec) problems.push(`unknown option ${token.rawName}${near}`);
    else if (spec.type === 'boolean') {
      if (token.value !== undefined) problems.push(`--${token.name} takes no value`);
      values[token.name] = true;
    } else if (
      token.value === undefined ||
      (!token.inlineValue && token.value.startsWith('--')) ||
      // It would mean the present folder.
      (token.value === '' && ['file', 'folder', 'path'].includes(spec.value ?? ''))
    )
      problems.push(`--${token.name} needs a value: ${spec.value ?? 'text'}`);
    else if (values[token.name] !== undefined) problems.push(`--${token.name} is given twice`);
    else if (spec.one && !spec.one.includes(token.value))
      problems.push(
        `${token.name === 'model' ? 'unknown model' : `--${token.name} cannot be`} ${token.value}; it is one of ${spec.one.join(', ')}`,
      );
    else if (spec.many) lists[token.name]!.push(token.value);
    else values[token.name] = token.value;
  }
  return { values, lists, positionals, problems };
}

/** The text that was given for an option; undefined where none was. */
export function textOf({ values }: Parsed, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

/** The options as lines of help. */
export function optionsHelp(table: Readonly<Record<string, OptionSpec>>): string {
  const rows = Object.entries(table).map(([name, { value, help, one }]) => {
    const shown = one ? `<${one.join('|')}>` : value ? `<${value}>` : '';
    return [`  --${name}${shown ? ` ${shown}` : ''}`, help] as const;
  });
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return rows.map(([left, help]) => `${left.padEnd(width)}${help}`).join('\n');
}

// Variables of a file, which only the command line names: the folder that a command is started in may be somebody else's,
// and its `.env` would send the person's key to an address of its own.

/** Not `--env-file`: Node takes that for its own, wherever it stands. */
export const envFileOption = {
  type: 'string',
  value: 'file',
  help: 'reads variables from this file; the environment overrides it',
} as const;

/** Takes them up, before anything reads one. Throws where the file cannot be read. */
export function takeEnvFile(argv: string[]): void {
  const file = readOptions(argv, { env: envFileOption }).values['env'];
  if (typeof file !== 'string') {
    if (existsSync('.env')) console.error('.env is not read; --env .env takes its variables up');
    return;
  }
  try {
    process.loadEnvFile(file);
  } catch (error) {
    throw new Error(`--env ${file}: ${messageOf(error)}`);
  }
}

// The folder that a verb of `echelon task` works on.

/** Help of --folder where it is only the library that is sought there. */
export const libraryFolder = 'folder whose .github/echelon/ is used (default: here)';

/** The folder that --folder names, absolute (default: here); a sentence in `problems` where there is none. */
export function folderOf(given: Parsed, problems: string[]): string | undefined {
  const named = textOf(given, 'folder');
  const folder = resolve(named ?? '.');
  if (isFolder(folder)) return folder;
  problems.push(`--folder ${named ?? '.'}: there is no such folder`);
  return undefined;
}

/** False also where a part of the path is a file. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // Not there, or not to be looked at: no folder to work in.
    return false;
  }
}

// Files that options name and that are to be made: `--record` and `--trace`. Nothing that is there is written over.

export const recordOption = {
  type: 'string',
  value: 'file',
  help: "records the models' replies in a new file, for --script",
} as const satisfies OptionSpec;

export const traceOption = {
  type: 'string',
  value: 'file',
  help: 'writes prompts, replies and tool calls to a new file, as OpenTelemetry JSON lines',
} as const satisfies OptionSpec;

/** Its absolute path, or undefined where none was named; a sentence in `problems` where it is there already, or has no folder. */
export function newFile(
  option: '--record' | '--trace',
  file: string | undefined,
  problems: string[],
): string | undefined {
  if (file === undefined) return undefined;
  const path = resolve(file);
  if (existsSync(path)) problems.push(`${option} ${file}: is there already; name a new file`);
  else if (!existsSync(dirname(path)))
    problems.push(`${option} ${file}: there is no folder ${dirname(file)}`);
  return path;
}
