// Finds the tasks of the library that fit a request: by a model where one answers, else by their words.
import { jsonOf } from '@echelon/ground';
import { z } from 'zod';
import type { Task } from '../language/ast.ts';
import type { Library, Template } from '../language/library.ts';
import { nothingSpent, type Spent, TaskError } from '../language/result.ts';
import { templateText } from '../language/print.ts';
import type { Ask } from './ask.ts';
import { programOf } from './template-programs.ts';
import { rank } from './memory/narrow.ts';

export interface Match {
  template: Template;
  /** In 0..1. */
  score: number;
  /** Type of its root: `atomic`, `function`, ... */
  taskType: string;
}

export interface Candidate {
  template: Template;
  program: Task;
}

/** Matches that are given at most. */
const MOST = 5;

/** A task has to fit a request this well before it is run for it: any shared word gives a score. */
export const LEAST_SCORE = 0.2;

/** Characters of a template that a model is told. */
const MOST_SHOWN = 600;

/**
 * The templates of `library` that fit `query`, a request in words or a task (of which only the node itself counts,
 * not what is around or in it), best first, at most 5; equal scores in the library's order. Only those that `among`
 * accepts. `ask` gives the library's `matching` task a model; without it, and when that fails, full-text search
 * answers. A template with errors is left out, and so are the evaluator's own tasks. Where `ask` journals, so is the
 * choice.
 */
export async function findMatchingTasks(
  query: string | Task,
  { library, ask, among = () => true }: { library: Library; ask?: Ask; among?: (each: Candidate) => boolean },
  most = MOST,
): Promise<{ matches: Match[]; spent: Spent }> {
  const request = typeof query === 'string' ? query : ownWords(query);
  const candidates = candidatesIn(library).filter(among);
  // The journal keeps it: where a model fails, another time would choose something else.
  const choose = async () => {
    const asked = await askModel(request, candidates, library, ask);
    const found =
      asked.scored ?? rank(candidates, ({ program }) => ownWords(program), request, candidates.length);
    const best = found
      .sort((a, b) => b.score - a.score || candidates.indexOf(a.item) - candidates.indexOf(b.item))
      .slice(0, Math.max(0, Math.min(most, MOST)))
      .map(({ item: { template }, score }) => ({ name: template.name, score }));
    return { best, spent: asked.spent };
  };
  const { best, spent } = ask?.keep ? await ask.keep('chosen', choose) : await choose();
  const matches = best.flatMap(({ name, score }) => {
    const template = library.find(name);
    return template ? [{ template, score, taskType: template.type }] : [];
  });
  return { matches, spent };
}

/** The templates that can be asked for, in the library's order. */
export const candidatesIn = (library: Library): Candidate[] =>
  readableIn(library).filter(
    ({ program }) => !(program.type === 'atomic' && library.subtypes[program.subtype]?.own === true),
  );

/** All templates without errors, in the library's order. */
const readableIn = (library: Library): Candidate[] =>
  library.templates().flatMap(template => {
    const program = readable(template, library);
    return program ? [{ template, program }] : [];
  });

function readable(template: Template, library: Library): Task | undefined {
  try {
    return programOf(template, library);
  } catch (error) {
    if (error instanceof TaskError) return undefined;
    throw error;
  }
}

/** The words of a task on itself; placeholders stand as they are written. */
const ownWords = (task: Task): string => `${task.name ?? ''}\n\n${about(task)}`.trim();

function about(task: Task): string {
  const texts = [task.description, task.type === 'atomic' ? task.instructions : undefined];
  return texts.flatMap(each => (each ? [templateText(each)] : [])).join('\n\n');
}

interface Scored {
  item: Candidate;
  score: number;
}

/** `scored` is undefined where no model answers, or none was needed. */
async function askModel(
  request: string,
  candidates: readonly Candidate[],
  library: Library,
  ask: Ask | undefined,
): Promise<{ scored: Scored[] | undefined; spent: Spent }> {
  if (!ask || candidates.length === 0 || !library.find('matching'))
    return { scored: undefined, spent: nothingSpent };
  const tasks = candidates.map(({ template, program }) => ({
    name: template.name,
    type: template.type,
    about: about(program).slice(0, MOST_SHOWN),
  }));
  try {
    const { outputs, content, notes } = await ask('matching', { request, tasks }, 'matching');
    // Of an answer that has it as its text.
    const list = jsonOf(content.slice(content.indexOf('['), content.lastIndexOf(']') + 1));
    return { scored: read(outputs['matches'] ?? list, candidates), spent: notes.dataUsage };
  } catch (error) {
    if (!(error instanceof TaskError)) throw error;
    return { scored: undefined, spent: error.notes.dataUsage };
  }
}

const answer = z.array(z.unknown());
const entry = z.object({ name: z.string(), score: z.number() });

/** Names that are none of the candidates' are dropped, scores brought within 0..1; a score of 0 fits nothing. */
function read(output: unknown, candidates: readonly Candidate[]): Scored[] | undefined {
  const list = answer.safeParse(output);
  if (!list.success) return undefined;
  const scored = new Map<Candidate, number>();
  for (const each of list.data) {
    const { data } = entry.safeParse(each);
    const item = data && candidates.find(({ template }) => template.name === data.name);
    if (item && !scored.has(item)) scored.set(item, Math.min(1, Math.max(0, data.score)));
  }
  return [...scored].filter(([, score]) => score > 0).map(([item, score]) => ({ item, score }));
}
