// The examples of docs/task-language.md: each is checked, validated, and comes to what the page says.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createLibrary } from '../../../src/engine/language/library.ts';
import { formatProblem } from '../../../src/engine/language/problem.ts';
import { formatProgram, parseProgram, readTemplate } from '../../../src/engine/language/program.ts';
import { bindTool, toolInputs, type ToolName } from '../../../src/engine/language/tool.ts';
import { evaluating, failed } from '../tasks/surroundings.ts';
import { refusedBySchema } from './schema.ts';

const page = readFileSync('docs/task-language.md', 'utf8');

/** What an example is played with, and what comes of it. */
const Played = z.strictObject({
  inputs: z.record(z.string(), z.json()).default({}),
  replies: z.record(z.string(), z.union([z.string(), z.array(z.string())])).default({}),
  scripts: z
    .record(z.string(), z.object({ exit_code: z.int(), stdout: z.string(), stderr: z.string() }).partial())
    .default({}),
  /** By task: what it is prompted with. */
  asked: z.record(z.string(), z.array(z.string())).default({}),
  result: z.record(z.string(), z.json()).optional(),
  error: z.record(z.string(), z.json()).optional(),
  finished: z.array(z.string()).optional(),
});

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
  const {
    inputs,
    replies,
    scripts,
    asked,
    result: expected,
    error,
    finished,
  } = Played.parse(JSON.parse(played!.text));
  const { result, requests } = evaluating(
    program!,
    inputs,
    (task, n) => {
      const reply = replies[task];
      const one = typeof reply === 'string' ? reply : reply?.[n];
      if (one === undefined) throw new Error(`no reply of ${task} for the time ${n + 1}`);
      return one;
    },
    {
      library,
      tools: (Object.keys(toolInputs) as ToolName[]).map(name => bindTool(name, async () => '')),
      script: async ({ command }) => {
        const outcome = scripts[command];
        if (!outcome) throw new Error(`the example does not say how ${command} ends`);
        const { exit_code = 0, stdout = '', stderr = '' } = outcome;
        return { exit_code, stdout, stderr, timed_out: false };
      },
    },
  );
  if (error) {
    const found = await failed(result);
    expect(found.detail).toMatchObject(error);
    if (finished) expect(found.notes.steps?.map(({ step }) => step)).toEqual(finished);
  } else expect(await result).toMatchObject(expected!);
  expect(new Set(requests.map(({ task }) => task))).toEqual(new Set(Object.keys(replies)));
  for (const [name, prompts] of Object.entries(asked))
    expect(requests.filter(({ task }) => task === name).map(({ prompt }) => prompt)).toEqual(prompts);
});

test('links within the page lead somewhere', () => {
  const anchors = new Set(
    [...page.matchAll(/^#+ (.*)$/gm)].map(match => match[1]!.toLowerCase().replaceAll(' ', '-')),
  );
  const links = [...page.matchAll(/\]\(#([^)]*)\)/g)].map(match => match[1]!);
  expect(links.filter(link => !anchors.has(link))).toEqual([]);
});
