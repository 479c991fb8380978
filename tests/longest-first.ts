// The order of the test files: those that take longest begin first, so that no worker is left with one at the end.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Folders of `tests/`, and files of them, that take more than ten seconds, longest first; large files of the rest follow. */
const longest = [
  'crash',
  'dialogue/questions.test.ts',
  'dialogue/engineers.test.ts',
  'dialogue/money.test.ts',
  'doors/cli',
  'engine/sandbox',
  'dialogue',
  'attack',
  'limits',
  'engine/reasoning/tags',
  'doors',
  'forge',
  'workspace',
];

const place = ({ moduleId }: TestSpecification) => {
  const index = longest.findIndex(name => moduleId.startsWith(join(import.meta.dirname, name)));
  return index < 0 ? longest.length : index;
};

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const gone = longest.filter(name => !existsSync(join(import.meta.dirname, name)));
    if (gone.length > 0)
      throw new Error(`tests/longest-first.ts names what is not there: ${gone.join(', ')}`);
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}
