// Files of cases beside programs: `note.test.json` or `note.test.yaml` has one case, or a list of cases, of `note.xml` or `note.task`.
import { existsSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { z } from 'zod';
import { parseStrictYaml, type YamlBounds } from '../../../app/config.ts';
import { type Problem, readNamed } from '../../../engine/texts.ts';
import { isProgramFile, surfaces } from '../../../engine/language.ts';
import { Case, type CaseProblem } from '../../../engine/parts.ts';

const ending = /\.test\.(?:json|ya?ml)$/;
export const isCaseFile = (name: string): boolean => ending.test(name);

const bounds: YamlBounds = {
  bytes: 2 ** 20,
  parts: 50_000,
  message: 1000,
  remedy: 'Part it into several files',
};

/** A case, and the place of a problem of it. */
export interface FiledCase {
  name: string;
  given: Case;
  problem(of: CaseProblem): Problem;
}

export interface CaseFile {
  file: string;
  /** The program that they are of. */
  program: string;
  cases: FiledCase[];
  /** Problems of the file itself, which keep all its cases from running. */
  problems: Problem[];
}

/** The case file, or those of the program, that is named. `problem`: it is not there, or has none. */
export function caseFilesOf(path: string): string[] | { problem: string } {
  if (isCaseFile(path)) return [path];
  if (!existsSync(path)) return { problem: `${path}: not found` };
  const base = isProgramFile(path) ? path.slice(0, -extname(path).length) : path;
  const beside = ['json', 'yaml', 'yml'].map(each => `${base}.test.${each}`).filter(each => existsSync(each));
  return beside.length > 0 ? beside : { problem: `${path}: has no cases; write them into ${base}.test.json` };
}

/** Never throws. */
export function readCaseFile(file: string): CaseFile {
  const base = file.replace(ending, '');
  const program =
    surfaces.map(surface => `${base}.${surface}`).find(each => existsSync(each)) ?? `${base}.xml`;
  const refused = (problems: Omit<Problem, 'file' | 'severity'>[]): CaseFile => ({
    ...{ file, program, cases: [] },
    problems: problems.map(each => ({ severity: 'error', file, ...each })),
  });
  const read = readNamed(file);
  if ('problem' in read) return refused([{ line: 1, column: 1, message: read.problem }]);
  const { text } = read;
  // The file's beginning tells a list from a single case. Problems of the other form would help nobody.
  const isList = /^(?:\s|#.*|---)*(?:\[|-\s)/.test(text);
  const parsed = isList
    ? parseStrictYaml(text, z.array(Case).min(1), bounds)
    : parseStrictYaml(text, Case, bounds);
  if ('problems' in parsed) return refused(parsed.problems);
  const cases = [parsed.value].flat().map(
    (given, at): FiledCase => ({
      name: given.name ?? (isList ? `case ${at + 1}` : basename(file).replace(ending, '')),
      given,
      problem: ({ path, message }) => {
        const place = parsed.problem([...(isList ? [at] : []), ...path], '');
        const where = path.length > 0 ? `${path.join('.')}: ` : '';
        return { severity: 'error', file, ...place, message: `${where}${message}` };
      },
    }),
  );
  return { file, program, cases, problems: [] };
}
