// The templates that a commit holds: those below .github/echelon/, in either surface.
import { expect, test } from 'vitest';
import { createLibrary } from '../../../src/engine/language/library.ts';
import { readTemplates } from '../../../src/engine/runtime/commit-templates.ts';
import { repository } from '../../ground/workspace/fixture.ts';

test('templates in XML and in S-expressions override those of their names', async () => {
  await using repo = await repository({
    '.github/echelon/roles/greet.task': '(task greet (description "Say hello."))',
    '.github/echelon/part.xml': '<task name="part"><description>Say goodbye.</description></task>',
    '.github/echelon/notes.md': '(task greet)',
    'greet.task': '(task greet (description "elsewhere"))',
  });
  const own = await readTemplates(repo.mirror, repo.base);
  expect(own.map(({ file }) => file)).toEqual([
    '.github/echelon/part.xml',
    '.github/echelon/roles/greet.task',
  ]);
  const product = ['greet', 'part'].map(name => ({
    file: `prompts/${name}.xml`,
    text: `<task name="${name}"><description>x</description></task>`,
  }));
  const { library, problems } = createLibrary(own, { outer: createLibrary(product).library });
  expect(problems).toEqual([]);
  expect(library.templates().map(({ name, file }) => [name, file])).toEqual([
    ['greet', '.github/echelon/roles/greet.task'],
    ['part', '.github/echelon/part.xml'],
  ]);
});
