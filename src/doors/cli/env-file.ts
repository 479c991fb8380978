// Variables of a file, which only the command line names: the folder that a command is started in may be somebody else's,
// and its `.env` would send the person's key to an address of its own.
import { existsSync } from 'node:fs';
import { messageOf } from '@echelon/ground';
import { readOptions } from './options.ts';

/** Not `--env-file`: Node takes that for its own, wherever it stands. */
export const envFileOption = {
  type: 'string',
  value: 'file',
  help: 'variables from this file; what is set already goes before it',
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
