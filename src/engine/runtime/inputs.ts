// The values that a program's parameters are given by its caller, and what is wrong with them.
import { placeOf } from '../language/problem.ts';
import { didYouMean, type Json, jsonOf } from '@echelon/ground';
import type { Task } from '../language/ast.ts';
import { readNamed } from './named-file.ts';

/** Words of one input: `name=text`, `name=@file` (its text), `name:=json`. */
export function readInputs(words: readonly string[]): { inputs: Record<string, Json>; problems: string[] } {
  const found = new Map<string, Json>();
  const problems: string[] = [];
  for (const word of words) {
    const [, name, how, text = ''] = /^([^=:\s]+)(:?=)(.*)$/s.exec(word) ?? [];
    if (name === undefined) {
      problems.push(`--input ${word}: write it as name=text, name=@file or name:=json`);
      continue;
    }
    if (found.has(name)) problems.push(`--input ${name}: is given twice`);
    const read = how === ':=' ? ofJson(text) : text.startsWith('@') ? ofFile(text.slice(1)) : { value: text };
    if ('problem' in read) problems.push(`--input ${name}: ${read.problem}`);
    else found.set(name, read.value);
  }
  return { inputs: Object.fromEntries(found), problems };
}

type Read = { value: Json } | { problem: string };

function ofJson(text: string): Read {
  const value = jsonOf(text);
  if (value !== undefined) return { value };
  return { problem: `${text.slice(0, 60)} is not JSON; quote a text, or write name=text` };
}

function ofFile(file: string): Read {
  const read = readNamed(file);
  return 'text' in read ? { value: read.text } : { problem: `${file}: ${read.problem}` };
}

/**
 * The inputs of a workflow: a JSON object, or lines of `name=text`. Nothing in them is read as a file or as JSON of
 * its own: they may hold others' text.
 */
export function readInputLines(text: string): { inputs: Record<string, Json>; problems: string[] } {
  if (text.trimStart().startsWith('{')) {
    const read = ofJson(text);
    if ('value' in read) return { inputs: read.value as Record<string, Json>, problems: [] };
    return { inputs: {}, problems: ['inputs: begins with { and is not a JSON object'] };
  }
  const found = new Map<string, Json>();
  const problems: string[] = [];
  for (const line of text.split(/\r?\n/).filter(each => each.trim() !== '')) {
    const [, name, value = ''] = /^\s*([^=\s]+)=(.*)$/.exec(line) ?? [];
    if (name === undefined)
      problems.push('inputs: a line is not name=text; give text of several lines in a JSON object');
    else if (found.has(name)) problems.push(`inputs: ${name} is given twice`);
    else found.set(name, value);
  }
  return { inputs: Object.fromEntries(found), problems };
}

/** Parameters of `program` that are not given, and inputs that it does not have. */
export function misfits(program: Task, inputs: Readonly<Record<string, Json>>): string[] {
  const parameters = program.inputs.filter(({ value }) => value.kind === 'parameter');
  const names = parameters.map(({ name }) => name);
  return [
    ...parameters
      .filter(({ name }) => !Object.hasOwn(inputs, name))
      .map(({ name, at, asked }) => {
        return `the input ${name} is missing (${placeOf(at)} ${asked ? 'reads' : 'declares'} it)`;
      }),
    ...Object.keys(inputs)
      .filter(name => !names.includes(name))
      .map(
        name =>
          `the program has no input ${name}${didYouMean(name, names)}; it has: ${names.join(', ') || 'none'}`,
      ),
  ];
}
