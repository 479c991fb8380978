// The order of the test files: those that take longest begin first, so that no worker is left with one at the end.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Folders of `tests/`, and files of them, that take more than ten seconds, longest first; large files of the rest follow.
 * What fills a worker's memory comes late: a process that is large takes longer to start another one.
 */
const longest = [
  'crash',
  'dialogue/command-table.test.ts',
  'dialogue/questions.test.ts',
  'dialogue/engineers.test.ts',
  'doors/cli',
  'dialogue',
  'attack',
  'app/engineer',
  'app/run',
  'stories',
  'doors',
  'forge',
  'ground',
  'layers',
  'engine/sandbox',
  'limits',
  'engine/reasoning/tags',
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
