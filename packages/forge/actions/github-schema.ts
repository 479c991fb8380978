// GitHub's own check of a workflow file: keys, types, activity types, and where which context may be named.
import { registerHooks } from 'node:module';
import type { Problem } from './written.ts';

let loaded: Promise<typeof import('@actions/workflow-parser')> | undefined;

/** Loaded when a workflow is first read. The package imports JSON files without saying so, which Node refuses. */
function parser() {
  loaded ??= (async () => {
    const hooks = registerHooks({
      load: (url, context, next) =>
        /\/@actions\/workflow-parser\/.*\.json$/.test(url)
          ? next(url, { ...context, importAttributes: { ...context.importAttributes, type: 'json' } })
          : next(url, context),
    });
    try {
      return await import('@actions/workflow-parser');
    } finally {
      hooks.deregister();
    }
  })();
  return loaded;
}

/** GitHub has it since 2026-09-10; the parser's version 0.3.61 does not. Elsewhere than in a job the forge refuses it. */
const notKnownYet = "Unexpected value 'cache-mode'";

/** What GitHub finds wrong with the text, in the order of the file. */
export async function schemaProblems(file: string, text: string): Promise<Problem[]> {
  const { NoOperationTraceWriter, parseWorkflow } = await parser();
  const { context } = parseWorkflow({ name: file, content: text }, new NoOperationTraceWriter());
  return context.errors
    .getErrors()
    .filter(({ rawMessage }) => rawMessage !== notKnownYet)
    .map(({ rawMessage, range }) => ({
      at: { file, line: range?.start.line ?? 1, column: range?.start.column ?? 1 },
      message: rawMessage,
    }));
}
