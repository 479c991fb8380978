// Holds the pages to the code by name: the files that they name are there, and so are the glossary's names.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const code = globSync('{src,packages,tests,action,prompts}/**/*.{ts,js,xml,xsd,json}');
const pages = [...globSync('*.md'), ...globSync('{docs,src,packages,examples,.github}/**/*.md')];

/** True for our own files: a path below the root, beside the page, or the end of a path of the code. */
const isThere = (name: string, page: string) =>
  existsSync(name) || existsSync(join(dirname(page), name)) || code.some(path => path.endsWith(`/${name}`));

test.each(pages)('the files that %s names are there', page => {
  const text = readFileSync(page, 'utf8');
  const sources = [...text.matchAll(/`([\w./-]+\.(?:ts|xml|xsd))`/g)].map(match => match[1]!);
  const folders = [...text.matchAll(/`((?:src|tests|docs|prompts|action)\/[\w./-]+)`/g)].map(
    match => match[1]!,
  );
  const links = [...text.matchAll(/\]\(([\w./-]+)(?:#[\w-]+)?\)/g)].map(match =>
    join(dirname(page), match[1]!),
  );
  expect([...sources, ...folders, ...links].filter(name => !isThere(name, page))).toEqual([]);
});

const glossary = readFileSync('docs/glossary.md', 'utf8');

test('the glossary says each word once', () => {
  const words = [...glossary.matchAll(/^\*\*(.+)\.\*\*/gm)].map(match => match[1]!);
  expect(words.length).toBeGreaterThan(40);
  expect(words.length).toBeLessThanOrEqual(60);
  expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([]);
});

test('what the glossary names in the code is declared there', () => {
  const source = globSync('{src,packages}/**/*.ts')
    .map(path => readFileSync(path, 'utf8'))
    .join('\n');
  const names = [...glossary.matchAll(/\(`(\w+)`\)/g)].map(match => match[1]!);
  expect(names.length).toBeGreaterThan(30);
  expect(
    names.filter(
      name =>
        !new RegExp(`^export .*\\b(?:function\\*?|const|class|interface|type) ${name}\\b`, 'm').test(source),
    ),
  ).toEqual([]);
});
