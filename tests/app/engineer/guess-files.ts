// A project's files as values, for the guesses.
import { type ProjectFiles, projectFiles } from '../../../src/app/engineer/project/project-files.ts';

export const filesOf = (files: Record<string, string>): ProjectFiles =>
  projectFiles(Object.keys(files), async path => files[path] ?? '');
