// The examples of docs/task-language.md: each is checked, validated, and comes to what the page says.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Task } from '../../../src/engine/language/ast.ts';
import { createLibrary } from '../../../src/engine/language/library.ts';
import { formatProblem } from '../../../src/engine/language/problem.ts';
import { formatProgram, parseProgram, readTemplate } from '../../../src/engine/language/program.ts';
import { Case } from '../../../src/engine/runtime/cases/case.ts';
import { playCase } from '../../../src/engine/runtime/cases/play-case.ts';
import { present } from '../../../packages/ground/lib/present.ts';
import { refusedBySchema } from './schema.ts';
import { reasoning } from '../runtime/reasoning.ts';

const page = readFileSync('docs/task-language.md', 'utf8');

interface Fence {
  language: string;
  file: string;
  text: string;
  heading: string;
}

const fences: Fence[] = [...page.matchAll(/^```(\w+) ?(.*)\n([\s\S]*?)^```$/gm)].map(match => ({
  language: match[1]!,
  file: match[2]!,
  text: match[3]!,
  heading:
    page
      .slice(0, match.index)
      .match(/^#+ (.*)$/gm)
      ?.at(-1) ?? '',
}));
const isProgram = ({ language }: Fence) => language === 'xml' || language === 'task';
const templates = fences.filter(fence => isProgram(fence) && fence.file !== '');
const { library, problems: libraryProblems } = createLibrary(templates);
const examples = fences.flatMap((fence, index) =>
  isProgram(fence) && fence.file === ''
    ? [{ source: fence.text, heading: fence.heading, played: fences[index + 1] }]
    : [],
);

const problemsOf = async (program: Task, given: unknown) => {
  const { problems } = await playCase(program, Case.parse(given), {
    ...{ library, models: name => name ?? 'any-model', signal: new AbortController().signal },
    ...{ settings: { test_command: 'npm test', rounds: '5' }, reasoning: reasoning },
  });
  return problems;
};

test('every element of the language stands in an example', () => {
  const schema = readFileSync('prompts/task.xsd', 'utf8');
  const elements = new Set([...schema.matchAll(/<xs:element name="(\w+)"/g)].map(match => match[1]!));
  const whole = fences.map(({ text }) => text).join('');
  expect(elements.size).toBeGreaterThan(40);
  expect([...elements].filter(element => !new RegExp(`<${element}[\\s/>]`).test(whole))).toEqual([]);
});

test('the templates of the page are good', () => {
  expect(libraryProblems).toEqual([]);
  for (const template of library.templates()) {
    expect(readTemplate(template, library).problems.map(formatProblem)).toEqual([]);
    expect(refusedBySchema(template.source)).toBeUndefined();
  }
});

test.each(examples)('$heading: $source', async ({ source, played }) => {
  const { program, problems } = parseProgram(source, 'example.xml', library);
  expect(problems.map(formatProblem)).toEqual([]);
  expect(refusedBySchema(formatProgram(source, 'example', 'xml').text ?? '')).toBeUndefined();
  expect(played?.language).toBe('json');
  expect(await problemsOf(program!, JSON.parse(played!.text))).toEqual([]);
});

test('the cases of the page are good, and its table has every key of a case', async () => {
  const release = parseProgram(present(examples[0], 'the first example').source, 'release-note.xml', library);
  const cases = fences.filter(({ language }) => language === 'yaml').flatMap(({ text }) => parse(text));
  expect(cases).toHaveLength(2);
  for (const each of cases)
    expect(await problemsOf(present(release.program, 'release-note'), each)).toEqual([]);
  const rows = page.slice(page.indexOf('## Testing a program')).matchAll(/^\| `(\w+)` \|/gm);
  expect([...rows].map(([, key]) => key)).toEqual(Object.keys(Case.shape));
});

test('links within the page lead somewhere', () => {
  const anchors = new Set(
    [...page.matchAll(/^#+ (.*)$/gm)].map(match => match[1]!.toLowerCase().replaceAll(' ', '-')),
  );
  const links = [...page.matchAll(/\]\(#([^)]*)\)/g)].map(match => match[1]!);
  expect(links.filter(link => !anchors.has(link))).toEqual([]);
});
