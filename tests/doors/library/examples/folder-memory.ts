// Says of the tests what the index cannot see, and asks which files a task needs.
import type { RelevantContext, Tasks } from 'echelon';

export async function contextFor(tasks: Tasks, taskText: string): Promise<RelevantContext> {
  const index = await tasks.getGlobalIndex();
  const isTest = (path: string) => path.endsWith('.test.ts');
  await tasks.updateGlobalIndex(
    index.map(entry => (isTest(entry.path) ? { ...entry, metadata: 'slow: needs a database' } : entry)),
  );
  const context = await tasks.getRelevantContextFor({ taskText });
  // Out of the files of that context those that are needed once the first step has said this.
  return await tasks.getRelevantContextFor({
    taskText: `Mend it: ${taskText}`,
    inheritedContext: context,
    previousOutputs: 'Nobody has reproduced it.',
  });
}
