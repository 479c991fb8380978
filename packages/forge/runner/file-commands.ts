// The files by which a step tells the runner things: variables, outputs, state, additions to PATH, its summary.
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '@echelon/ground';
import { readRegular } from '@echelon/ground/workspace';

/** Pairs that a step wrote, in order, and the reason for refusing the rest. */
interface Told {
  env: [name: string, value: string][];
  output: [name: string, value: string][];
  state: [name: string, value: string][];
  path: string[];
  summary: string;
  /** Each fails the step. */
  faults: string[];
  /** Said in the log; the step goes on as it ended. */
  complaints: string[];
}

/** The variable of each file, after `GITHUB_`. */
const names = ['ENV', 'OUTPUT', 'STATE', 'PATH', 'STEP_SUMMARY'] as const;

/** GitHub's bound of a summary, of one step. */
const longestSummary = 1024 * 1024;
/** GitHub bounds the outputs of a job to 1 MB; no file of the others is of use beyond that either. */
const longestFile = 4 * 1024 * 1024;

/** Empty files for one step, under names that no step before could prepare. Returns the variables that name them. */
export async function newCommandFiles(parent: string): Promise<Record<string, string>> {
  const folder = join(parent, randomUUID());
  await mkdir(folder, { recursive: true });
  const variables: Record<string, string> = {};
  for (const name of names) {
    const file = join(folder, name.toLowerCase());
    await writeFile(file, '', { flag: 'wx' });
    variables[`GITHUB_${name}`] = file;
  }
  return variables;
}

/** Reads what the step left in its files. Throws nothing: what is wrong with one file is a fault of the step. */
export function readCommandFiles(variables: Record<string, string>): Told {
  const told: Told = { env: [], output: [], state: [], path: [], summary: '', faults: [], complaints: [] };
  const read = (name: (typeof names)[number], most: number, use: (text: string) => void) => {
    try {
      use(readText(variables[`GITHUB_${name}`] ?? '', most) ?? '');
    } catch (error) {
      told.faults.push(
        `Unable to process file command '${name.toLowerCase()}' successfully: ${messageOf(error)}`,
      );
    }
  };
  const into = (pairs: [string, string][]) => (text: string) => {
    for (const pair of pairsOf(text)) pairs.push(pair);
  };
  read('ENV', longestFile, into(told.env));
  read('OUTPUT', longestFile, into(told.output));
  read('STATE', longestFile, into(told.state));
  read('PATH', longestFile, text => told.path.push(...text.split(/\r\n|\n/).filter(line => line !== '')));
  const before = told.faults.length;
  read('STEP_SUMMARY', longestSummary, text => {
    told.summary = text;
  });
  // Too large a summary is left out, and the step is none the worse for it.
  told.complaints.push(...told.faults.splice(before));
  return told;
}

/** The text of a regular file; undefined where there is none. Throws for a link, a folder, a pipe, and for more bytes than `most`. */
export function readText(path: string, most: number): string | undefined {
  const read = readRegular(path, most);
  if (Buffer.isBuffer(read)) return read.toString('utf8').replace(/^\ufeff/, '');
  if (read.kind === 'missing') return undefined;
  throw new Error(`It ${read.reason}.`);
}

/**
 * `NAME=VALUE`, and `NAME<<DELIMITER` with the value in the lines up to the one that is the delimiter, as GitHub's
 * runner reads them. What stands before a line that it cannot read counts: it throws when it comes there.
 */
function* pairsOf(text: string): Generator<[name: string, value: string]> {
  const all = text.split('\n');
  // After a last line feed there is no line.
  if (all.at(-1) === '') all.pop();
  for (let at = 0; at < all.length; at++) {
    const line = all[at] ?? '';
    if (line === '') continue;
    const [equals, heredoc] = [line.indexOf('='), line.indexOf('<<')];
    if (equals < 0 && heredoc < 0) throw new Error(`Invalid format '${line}'`);
    if (heredoc < 0 || (equals >= 0 && equals < heredoc)) {
      if (equals === 0) throw new Error(`Invalid format '${line}'. Name must not be empty`);
      yield [line.slice(0, equals), line.slice(equals + 1)];
      continue;
    }
    const delimiter = line.slice(heredoc + 2);
    if (heredoc === 0 || delimiter === '')
      throw new Error(`Invalid format '${line}'. Name must not be empty and delimiter must not be empty`);
    const end = all.indexOf(delimiter, at + 1);
    if (end < 0) throw new Error(`Invalid value. Matching delimiter not found '${delimiter}'`);
    yield [line.slice(0, heredoc), all.slice(at + 1, end).join('\n')];
    at = end;
  }
}
