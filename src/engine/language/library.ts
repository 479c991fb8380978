// The task library: templates by name, as `ref`, `call` and matching find them.
import { createHash } from 'node:crypto';
import { didYouMean } from '@echelon/ground';
import type { TemplateRef } from './ast.ts';
import { type Problem, problemOf, type Report } from './problem.ts';
import { standardSubtypes, type Subtype } from './subtypes.ts';
import { type FurtherTools, noFurtherTools } from './tool.ts';
import type { Element } from './element.ts';
import { canonicalForm } from './shorthand.ts';
import { readTree } from './tree.ts';

/** A registered task: the root element of one source, under its `name`. */
export interface Template extends TemplateRef {
  /** Name of the file, as positions and messages show it. */
  file: string;
  source: string;
  /** The root's type: `atomic`, `function`, ... */
  type: string;
  element: Element;
}

export interface Source {
  file: string;
  text: string;
}

export interface Library {
  /** The template of the name; undefined where there is none. */
  find(name: string): Template | undefined;
  /** Throws RangeError, with the nearest names, where there is none. */
  get(name: string): Template;
  /** All templates, in the order they were registered: those of the outermost library first. */
  templates(): readonly Template[];
  readonly subtypes: Readonly<Record<string, Subtype>>;
  readonly tools: FurtherTools;
}

/** Names that programs can use besides the `sources`: those of `outer`, and further ones. */
interface Surroundings {
  outer?: Library;
  subtypes?: Readonly<Record<string, Subtype>>;
  /** Default: those of `outer`. */
  tools?: FurtherTools;
}

/**
 * A library of `sources`. One in `outer` of the same name is overridden; a second one in `sources` is a problem,
 * as is a source whose root has no name. The programs themselves are checked when they are read.
 */
export function createLibrary(
  sources: readonly Source[],
  { outer = emptyLibrary, subtypes = {}, tools = outer.tools }: Surroundings = {},
): { library: Library; problems: Problem[] } {
  const problems: Problem[] = [];
  const own = new Map<string, Template>();
  const report: Report = (at, message, kind = 'error') => problems.push(problemOf(at, message, kind));
  for (const { file, text } of sources) {
    const { root, unfinished } = readTree(text, file, report);
    if (!root || unfinished.length > 0) continue;
    const element = canonicalForm(root);
    const name = element.attributes.get('name');
    const first = name && own.get(name.value);
    if (element.name !== 'task') report(element.at, `the root element is <task>, not <${element.name}>`);
    else if (!name?.value) report(element.at, 'a template needs a name: give its root the attribute name');
    else if (first) report(name.at, `a second task "${name.value}"; the first is in ${first.file}`);
    else own.set(name.value, templateOf(file, text, name.value, element));
  }
  return { library: libraryOf(own, outer, { ...outer.subtypes, ...subtypes }, tools), problems };
}

function templateOf(file: string, source: string, name: string, element: Element): Template {
  const type = element.attributes.get('type')?.value ?? 'atomic';
  const digest = createHash('sha256').update(source).digest('hex').slice(0, 16);
  return { name, file, source, type, element, digest };
}

/** The names of a function's parameters, as its template declares them. */
export function parametersOf({ element }: Template): string[] {
  return childElements(element, 'parameters')
    .flatMap(each => childElements(each, 'parameter'))
    .flatMap(each => each.attributes.get('name')?.value ?? []);
}

function childElements(element: Element, name: string): Element[] {
  return element.children.filter(child => child.kind === 'element').filter(child => child.name === name);
}

function libraryOf(
  own: ReadonlyMap<string, Template>,
  outer: Library | undefined,
  subtypes: Record<string, Subtype>,
  tools: FurtherTools,
): Library {
  const find = (name: string) => own.get(name) ?? outer?.find(name);
  const templates = () => [
    ...(outer?.templates() ?? []).map(template => own.get(template.name) ?? template),
    ...[...own.values()].filter(({ name }) => !outer?.find(name)),
  ];
  return {
    find,
    get(name) {
      const found = find(name);
      if (found) return found;
      const near = didYouMean(
        name,
        templates().map(template => template.name),
      );
      throw new RangeError(`no task is registered as "${name}"${near}`);
    },
    templates,
    subtypes,
    tools,
  };
}

/** Knows the language's own subtypes and tools, and no template. */
export const emptyLibrary: Library = libraryOf(new Map(), undefined, { ...standardSubtypes }, noFurtherTools);
