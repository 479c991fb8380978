// A place in a program's source, and a problem found there.

/** Line and column count from 1; a column counts UTF-16 units, as editors do. */
export interface Position {
  file: string;
  line: number;
  column: number;
}

export interface Problem extends Position {
  severity: 'error' | 'warning';
  message: string;
}

/** Takes a problem found while reading; reading goes on afterwards. */
export type Report = (at: Position, message: string, severity?: Problem['severity']) => void;

/** `file:line:column message`; a warning says that it is one. */
export function formatProblem({ file, line, column, severity, message }: Problem): string {
  return `${file}:${line}:${column} ${severity === 'warning' ? 'warning: ' : ''}${message}`;
}
