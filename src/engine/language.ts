// The task language: programs read, checked, printed; it runs nothing.
export { createLibrary, emptyLibrary, type Library, type Source, type Template } from './language/library.ts';
export { printTask } from './language/print.ts';
export { formatProgram, parseProgram, readTemplate } from './language/program.ts';
export type { Flow } from './language/scope.ts';
export type { Surface } from './language/surface/surface.ts';
export { BegunSource, begunSurface, isProgramFile, surfaceOf, surfaces } from './language/surface/surface.ts';
export type { FurtherTools, Tool } from './language/tool.ts';
export { bindTool, noFurtherTools, serverMark, shellTime, toolInputs, ToolRefusal } from './language/tool.ts';
export { SOURCE_LIMIT } from './language/tree.ts';
export {
  productTemplates,
  readTemplates,
  templatesPath,
  TemplatesRefused,
} from './runtime/commit-templates.ts';
