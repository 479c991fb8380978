// Messages of a workflow's step to its runner: outputs, summary, annotations. Values are others' text.
import { randomUUID } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { error, setOutput, setSecret } from '@actions/core';
import { messageOf } from '@echelon/ground';
import { keyName, providers } from '../../engine/models/provider-keys.ts';
import { fencedOff } from '../../engine/texts.ts';

/** Outputs of a job hold 1 MB altogether, counted as UTF-16. */
const LONGEST_OUTPUT = 400_000;

export interface Annotation {
  message: string;
  /** Of a file of the repository. */
  at?: { file: string; line: number; column: number };
}

export function sayProblem({ message, at }: Annotation): void {
  error(message, at && { file: at.file, startLine: at.line, startColumn: at.column });
}

/** Lines between the two are no commands to the runner; nobody else knows the word that ends it. */
export function withoutCommands(): { begin: string; end: string } {
  const word = randomUUID();
  return { begin: `::stop-commands::${word}`, end: `::${word}::` };
}

/**
 * Carries out what prints others' text: nothing of it, nor of what it throws, commands the runner. All of it goes to
 * standard output, since a runner reads the two streams in no order. What is told is an annotation, and is in the summary.
 */
export async function quietly(
  mask: (text: string) => string,
  work: (tell: (problem: string) => void) => Promise<number>,
): Promise<number> {
  const quiet = withoutCommands();
  const problems: string[] = [];
  const tell = (problem: string) => {
    problems.push(mask(problem));
    console.log(mask(problem));
  };
  console.log(quiet.begin);
  try {
    return await work(tell);
  } catch (error) {
    tell(messageOf(error));
    return 1;
  } finally {
    console.log(quiet.end);
    for (const message of problems) sayProblem({ message });
    if (problems.length > 0) await addSummary(`### What went wrong\n\n${fencedOff(problems.join('\n'))}\n`);
  }
}

/** The step's secrets. The runner masks them in its log, too. */
export function secretsOfStep(env: NodeJS.ProcessEnv): string[] {
  const names = ['INPUT_TOKEN', 'INPUT_PULLS_TOKEN', ...providers.map(keyName), 'ECHELON_STATE_KEY'];
  const secrets = names.flatMap(name => env[name]?.split(/[\s,]+/).filter(Boolean) ?? []);
  if (env['GITHUB_ACTIONS'] === 'true') secrets.forEach(setSecret);
  return secrets;
}

/** For the runner that named a file for them; the library would print them where there is none. */
export function setOutputs(outputs: Readonly<Record<string, string>>): void {
  if (!process.env['GITHUB_OUTPUT']) return;
  for (const [name, value] of Object.entries(outputs)) setOutput(name, value);
}

/** For the runner that named a file for it. The library's own remembers the first one. */
export async function addSummary(text: string): Promise<void> {
  if (process.env['GITHUB_STEP_SUMMARY']) await appendFile(process.env['GITHUB_STEP_SUMMARY'], text);
}

/** The beginning of a text that is too long for an output, with a note. */
export function cutForOutput(text: string): string {
  if (text.length <= LONGEST_OUTPUT) return text;
  return `${text.slice(0, LONGEST_OUTPUT).toWellFormed()}\n[${text.length - LONGEST_OUTPUT} characters are left out]`;
}

export const fitsOutput = (text: string) => text.length <= LONGEST_OUTPUT;
