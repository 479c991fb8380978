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
}

const root = join(import.meta.dirname, 'directives');

/** All of them, by name. */
export const directives = (): Directive[] => readdirSync(root).sort().map(read);

function read(id: string): Directive {
  const folder = join(root, id);
  const text = (file: string) => readFileSync(join(folder, file), 'utf8');
  const [heading = '', ...body] = text('directive.md').split('\n');
  const about = About.parse(JSON.parse(text('about.json')));
  return { ...about, id, folder, title: heading.replace(/^# /, ''), body: body.join('\n').trim() };
}
