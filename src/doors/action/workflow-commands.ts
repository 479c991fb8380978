// How a step of a workflow speaks to its runner: outputs, summary, commands on stdout. Values are others' text.
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';

/** Outputs of a job hold 1 MB altogether, counted as UTF-16. */
const LONGEST_OUTPUT = 400_000;

export interface Problem {
  message: string;
  /** Of a file of the repository. */
  at?: { file: string; line: number; column: number };
}

/** A `::error::` line that is one line whatever the message holds. */
export function errorCommand({ message, at }: Problem): string {
  const place = at ? ` file=${property(at.file)},line=${at.line},col=${at.column}` : '';
  return `::error${place}::${data(message)}`;
}

export const warningCommand = (message: string) => `::warning::${data(message)}`;
export const maskCommand = (secret: string) => `::add-mask::${data(secret)}`;

/** Lines between the two are no commands to the runner; nobody else knows the word that ends it. */
export function withoutCommands(): { begin: string; end: string } {
  const word = randomUUID();
  return { begin: `::stop-commands::${word}`, end: `::${word}::` };
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** The text of GITHUB_OUTPUT for these outputs. The delimiter is random, so that no value can end itself. */
export function outputText(outputs: Readonly<Record<string, string>>): string {
  return Object.entries(outputs)
    .map(([name, value]) => {
      const delimiter = `echelon_${randomUUID()}`;
      return `${name}<<${delimiter}\n${value}\n${delimiter}\n`;
    })
    .join('');
}

/** Appends to the file that the runner named; without one (no runner) nothing is written. */
export function appendToRunner(file: string | undefined, text: string): void {
  if (file) appendFileSync(file, text);
}

/** The beginning of a text that is too long for an output, with a note. */
export function cutForOutput(text: string): string {
  if (text.length <= LONGEST_OUTPUT) return text;
  return `${text.slice(0, LONGEST_OUTPUT).toWellFormed()}\n[${text.length - LONGEST_OUTPUT} characters are left out]`;
}

export const fitsOutput = (text: string) => text.length <= LONGEST_OUTPUT;
