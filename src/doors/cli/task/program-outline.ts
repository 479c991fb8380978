// A program as people look at it before it runs: its tasks, one in another, and the names that each of them reads.
import { innerTasks, type Position, type Task, type Value } from '../../../engine/texts.ts';
import type { Flow } from '../../../engine/language.ts';
import { placeholders, readsFrom, type TemplateText } from '../../../engine/engine.ts';
import { oneLine } from '../../progress.ts';

/** A name that is read, as written, and the place of the task that binds it; none: the run does, or the task itself. */
interface Read {
  name: string;
  from?: Pick<Position, 'file' | 'line' | 'column'>;
}

/** A task of a program. All of it is the program's own words: nothing here is neutralised. */
export interface Outline {
  /** Its role in the parent task: `step 2`, `inner`, `evaluator`; empty for the program itself. */
  role: string;
  type: Task['type'];
  /** Of an atomic task. */
  subtype?: string;
  name?: string;
  line: number;
  column: number;
  /** Names read by its own texts and values, each once, without those that its nested tasks read. */
  reads: Read[];
  tasks: Outline[];
}

export function outlineOf(task: Task, flows: readonly Flow[], role = ''): Outline {
  const { line, column } = task.at;
  return {
    ...{ role, type: task.type, ...(task.type === 'atomic' && { subtype: task.subtype }) },
    ...(task.name !== undefined && { name: task.name }),
    ...{ line, column, reads: readsOf(task).map(name => readIn(task, name, flows)) },
    tasks: innerTasks(task).map(inner => outlineOf(inner, flows, roleOf(inner, task))),
  };
}

function readIn(task: Task, name: string, flows: readonly Flow[]): Read {
  const flow = flows.find(each => each.to === task && readsFrom(name, each.name));
  if (!flow) return { name };
  const { file, line, column } = flow.from.at;
  return { name, from: { file, line, column } };
}

function roleOf(inner: Task, of: Task): string {
  if (inner === of.onFailure) return 'on failure';
  if (inner === of.candidates?.script) return 'script for each candidate';
  if (inner === of.candidates?.evaluator) return 'evaluator of the candidates';
  const input = of.inputs.find(({ value }) => value.kind === 'task' && value.task === inner);
  if (input) return `input ${input.name}`;
  switch (of.type) {
    case 'sequential':
      return `step ${of.steps.indexOf(inner) + 1}`;
    case 'map':
      return inner === of.inner ? 'for each element' : 'the list';
    case 'reduce':
      if (inner === of.inner) return 'for each element';
      if (inner === of.reduction) return 'reduction';
      return of.initial.kind === 'task' && of.initial.task === inner ? 'first accumulator' : 'the list';
    case 'director-evaluator':
      if (inner === of.director) return 'director';
      return inner === of.script ? 'script' : 'evaluator';
    case 'cond':
      return inner === of.otherwise ? 'else' : `case ${of.cases.findIndex(({ task }) => task === inner) + 1}`;
    case 'call':
      return boundIn(of.args, inner, 'argument');
    case 'let':
      return inner === of.body ? 'body' : boundIn(of.binds, inner, 'binding');
    default:
      return 'body';
  }
}

const boundIn = (values: readonly { name: string; value: Value }[], inner: Task, word: string): string =>
  `${word} ${values.find(({ value }) => value.kind === 'task' && value.task === inner)?.name ?? ''}`;

function readsOf(task: Task): string[] {
  const values = task.inputs.flatMap(({ value }) => (value.kind === 'parameter' ? [] : [value]));
  const texts: (TemplateText | undefined)[] = [];
  const names: string[] = [];
  if (task.type === 'atomic') {
    texts.push(task.system, task.instructions, task.description, task.expectedOutput, task.criteria);
    if (task.inputSource) names.push(task.inputSource.name);
  } else if (task.type === 'script') texts.push(task.command);
  else if (task.type === 'map') values.push(task.over);
  else if (task.type === 'reduce') values.push(...(task.over ? [task.over] : []), task.initial);
  else if (task.type === 'director-evaluator') texts.push(task.maxRounds);
  else if (task.type === 'call') {
    names.push(task.ref.name);
    values.push(...task.args.map(({ value }) => value));
  } else if (task.type === 'let') values.push(...task.binds.map(({ value }) => value));
  else if (task.type === 'cond') names.push(...task.cases.flatMap(({ reads }) => reads.map(pathOf)));
  for (const value of values) {
    if (value.kind === 'binding') names.push(value.from.name);
    else if (value.kind === 'text') texts.push(value.text);
  }
  const placed = texts.flatMap(text => (text ? placeholders(text).map(({ name }) => name) : []));
  return [...new Set([...names, ...placed])];
}

const pathOf = ({ name, path }: { name: string; path: readonly (string | number)[] }): string =>
  path.reduce<string>((all, step) => (typeof step === 'number' ? `${all}[${step}]` : `${all}.${step}`), name);

const labelOf = ({ role, type, subtype, name }: Outline): string => {
  const kind = subtype === undefined || subtype === 'standard' ? type : `${type} ${subtype}`;
  return oneLine(`${role === '' ? '' : `${role}: `}${name === undefined ? '' : `${name} `}(${kind})`);
};

/** A tree, one line for each task, with what it reads behind an arrow. */
export function outlineText(outline: Outline, first = '', others = ''): string {
  const names = outline.reads.map(({ name }) => name);
  const reads = names.length === 0 ? '' : `  <- ${oneLine(names.join(', '))}`;
  const last = outline.tasks.length - 1;
  const inner = outline.tasks.map((task, at) =>
    outlineText(task, `${others}${at === last ? '└─ ' : '├─ '}`, `${others}${at === last ? '   ' : '│  '}`),
  );
  return [`${first}${labelOf(outline)}${reads}`, ...inner].join('\n');
}

/**
 * A Mermaid flowchart: an arrow leads from each task to those in it, a dotted one from who binds a name to who reads it.
 * `flows` are of the program of which this is the outline.
 */
export function outlineMermaid(outline: Outline, program?: Task, flows: readonly Flow[] = []): string {
  const lines = ['flowchart TD'];
  const ids = new Map<Task | undefined, string>();
  const add = (task: Outline, of?: Task): string => {
    const id = `t${lines.length}`;
    const reads =
      task.reads.length === 0 ? '' : `<br/>reads ${inMermaid(task.reads.map(({ name }) => name).join(', '))}`;
    lines.push(`  ${id}["${inMermaid(labelOf(task))}${reads}"]`);
    ids.set(of, id);
    const within = of ? innerTasks(of) : [];
    for (const [at, inner] of task.tasks.entries()) lines.push(`  ${id} --> ${add(inner, within[at])}`);
    return id;
  };
  add(outline, program);
  const arrows = new Set<string>();
  for (const { name, from, to } of flows) {
    const [binds, reads] = [ids.get(from), ids.get(to)];
    if (binds && reads) arrows.add(`  ${binds} -.->|"${inMermaid(name)}"| ${reads}`);
  }
  return [...lines, ...arrows].join('\n');
}

/** Characters that could end a label, begin markup or name a character are written by their number. */
const inMermaid = (text: string): string =>
  oneLine(text).replace(/[^\p{L}\p{N} ,.:()_-]/gu, char => `#${char.codePointAt(0)};`);
