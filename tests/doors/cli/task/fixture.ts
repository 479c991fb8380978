// Programs, scripts of replies and temporary folders for the tests of `echelon task`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ScriptReply } from '../../../../src/engine/models/script.ts';
import { type Files, writeFiles } from '../../../ground/workspace/fixture.ts';

export interface TaskFolder extends Disposable {
  path: string;
  at(name: string): string;
}

/** A folder with these files; removed at the end of the scope. */
export async function taskFolder(files: Files = {}): Promise<TaskFolder> {
  const path = mkdtempSync(join(tmpdir(), 'echelon-task-test-'));
  await writeFiles(path, files);
  return {
    path,
    at: name => join(path, name),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

export const script = (...replies: ScriptReply[]) => JSON.stringify({ version: 1, replies });

/** Greets `who`, then says how many letters the greeting has. */
export const greeting = `<task type="sequential" name="greeting">
  <inputs><input name="who"/></inputs>
  <steps>
    <task name="greet"><description>Greet {{who}}</description></task>
    <task name="count">
      <description>Count the letters of: {{greet}}</description>
      <output name="letters" type="number"/>
    </task>
  </steps>
</task>
`;

export const counted = (content: string, letters: number) =>
  `<result status="COMPLETE"><content>${content}</content><output name="letters">${letters}</output></result>`;

export const greets = script(
  { for: 'greet', text: 'Hello Ada' },
  { for: 'count', text: counted('Eight', 8) },
);
