// The directives that models are scored on: a title and a body, a small repository, and tests that no model sees.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const About = z.strictObject({
  language: z.string(),
  /** A command that ends with 0 where the toolchain is there. */
  needs: z.string(),
  /** The project's own tests, and the hidden ones, which are in its folder `hidden` then. */
  test: z.string(),
  hidden: z.string(),
});

export interface Directive extends z.infer<typeof About> {
  id: string;
  title: string;
  body: string;
  /** Holds `project`, `hidden`, and `solution`: files that make the hidden tests pass where they lie over the project's. */
  folder: string;
  project: string;
  /** The project is somebody's own: what is delivered is laid over it, and nothing hidden is run. */
  own: boolean;
}

/** A directive for somebody's own project; the first line of the text is its title. Throws for a path that cannot be read. */
export function ownDirective(project: string, file: string): Directive {
  const text = readFileSync(file, 'utf8').trim();
  const title = (text.split('\n', 1)[0] ?? '').replace(/^#+ /, '').slice(0, MAX_TITLE);
  const about = { language: 'any', needs: 'true', test: '', hidden: '' };
  return { ...about, id: 'own', title, body: text, folder: project, project, own: true };
}

/** Characters; GitHub takes 256. */
const MAX_TITLE = 120;

const root = join(import.meta.dirname, 'directives');

/** All of them, by name. */
export const directives = (): Directive[] => readdirSync(root).sort().map(read);

function read(id: string): Directive {
  const folder = join(root, id);
  const text = (file: string) => readFileSync(join(folder, file), 'utf8');
  const [heading = '', ...body] = text('directive.md').split('\n');
  const about = About.parse(JSON.parse(text('about.json')));
  const said = { title: heading.replace(/^# /, ''), body: body.join('\n').trim() };
  return { ...about, ...said, id, folder, project: join(folder, 'project'), own: false };
}
