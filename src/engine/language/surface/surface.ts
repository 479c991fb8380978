// The two ways to write a program: XML and S-expressions, and how they are told apart.

/** `task`: S-expressions, after the ending of their files. */
export const surfaces = ['xml', 'task'] as const;
export type Surface = (typeof surfaces)[number];

/** Whether a file holds a program, by its name: those of a folder that do are found by it. */
export const isProgramFile = (file: string): boolean => /\.(?:xml|task)$/.test(file);

/** What the surface is of what begins as a program does; undefined: it does not. */
export function begunSurface(source: string): Surface | undefined {
  const begin = /\S/.exec(source)?.[0];
  if (begin === '<') return 'xml';
  return begin === '(' || begin === ';' ? 'task' : undefined;
}

/** By what the source begins with; where that says nothing by the name of its file. */
export const surfaceOf = (source: string, file = ''): Surface =>
  begunSurface(source) ?? (file.endsWith('.task') ? 'task' : 'xml');
