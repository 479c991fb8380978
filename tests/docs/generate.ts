// Makes the parts of the pages that the code says: `npm run docs` writes them, `--check` names what is not as made.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type CommandName, table as commands } from '../../src/app/commands/table.ts';
import { Config } from '../../src/app/config/config.ts';
import { main } from '../../src/doors/cli/cli.ts';
import { idNames } from '../../src/engine/models/provider-keys.ts';
import { commandTable, type OutcomeName, type Page, pages as pagesOfRun } from '../dialogue/command-table.ts';
import { withMadeParts } from './made-parts.ts';

const root = join(import.meta.dirname, '../..');
const schemaPath = 'docs/echelon.schema.json';
const pages = ['docs/configuration.md', 'docs/commands.md', 'docs/cli.md'];

/** As far as this file looks into a JSON Schema. */
interface Schema {
  title?: string;
  description?: string;
  type?: string;
  enum?: readonly unknown[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
}

export function configSchema(): Schema {
  const schema = z.toJSONSchema(Config, { io: 'input', unrepresentable: 'any' });
  return { ...schema, title: 'Echelon: .github/echelon.yml' } as Schema;
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const row = (...cells: string[]) => `| ${cells.map(cell).join(' | ')} |`;
const table = (head: string[], rows: string[][]) =>
  [row(...head), `|${'---|'.repeat(head.length)}`, ...rows.map(each => row(...each))].join('\n');
const code = (value: unknown) => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;

/** Values of a key, in words. */
function kindOf({ title, type, enum: values, minimum, maximum }: Schema): string {
  if (title) return title;
  if (values) return values.map(code).join(', ');
  if (type === 'boolean') return 'true, false';
  if (type === 'string') return 'text';
  if (minimum === undefined || maximum === undefined) throw new Error(`no words for ${type}`);
  return `${minimum.toLocaleString('en')} to ${maximum.toLocaleString('en')}`;
}

interface Key {
  path: string;
  schema: Schema;
  description: string;
}

/** Each key that has a value of its own. */
function keysOf(path: string, schema: Schema, description = schema.description ?? ''): Key[] {
  const { title, properties, additionalProperties: any } = schema;
  const below = (name: string) => (path === '' ? name : `${path}.${name}`);
  if (properties && (path === '' || !title))
    return Object.entries(properties).flatMap(([name, each]) =>
      keysOf(below(name), each, each.description ?? description),
    );
  if (typeof any === 'object') return keysOf(below('<name>'), any, description);
  return [{ path, schema, description }];
}

/** The keys as a table. */
function configurationPart(schema: Schema): string {
  const rows = keysOf('', schema).map(({ path, schema: of, description }) => [
    code(path),
    kindOf(of),
    of.default === undefined ? '' : code(of.default),
    // A list too long for a cell stands in the schema only.
    description.replace(/`[^`]{500,}`/, '[the list](echelon.schema.json)'),
  ]);
  return table(['key', 'type', 'default', 'meaning'], rows);
}

/** Output of `echelon <argv> --help`. */
async function helpOf(argv: string): Promise<string> {
  const said: string[] = [];
  const { log } = console;
  console.log = (text: string) => void said.push(text);
  try {
    const code = await main([...argv.split(' ').filter(Boolean), '--help']);
    if (code !== 0) throw new Error(`nothing is made as "help ${argv}": there is no such command`);
  } finally {
    console.log = log;
  }
  return said.join('\n');
}

/** The help as `echelon` prints it; with `base`, without the options that this other command has as well. */
async function helpPart(argv: string, base?: string): Promise<string> {
  const optionOf = (line: string) => /^ {2}(--\S+)/.exec(line)?.[1];
  const others = base === undefined ? [] : (await helpOf(base)).split('\n').map(optionOf);
  const known = new Set(['--help', ...others]);
  const lines = (await helpOf(argv)).split('\n').filter(line => !known.has(optionOf(line) ?? ''));
  return `\`\`\`text\n${lines.join('\n').trim()}\n\`\`\``;
}

/**
 * The generated part of this name.
 * @throws for an unknown name.
 */
export async function partOf(name: string, schema: Schema): Promise<string> {
  if (name === 'configuration') return configurationPart(schema);
  if (name === 'commands')
    return table(
      ['command', 'needs', 'what it does'],
      commands.map(({ usage, who, what }) => [code(usage), who, what]),
    );
  if (name === 'cells') return cellsPart();
  const help = /^help(?: (.*?))?(?: beside (.*))?$/.exec(name);
  if (!help) throw new Error(`nothing is made as "${name}"`);
  return await helpPart(help[1] ?? '', help[2]);
}

/** Outcomes of a command that is accepted. `/drop 1` is accepted as such: the table's run lists no issue. */
const accepted: ReadonlySet<OutcomeName> = new Set(['followed', 'ends the run', 'answered', 'not listed']);

/** The states in which each command is accepted, a column for each page. */
function cellsPart(): string {
  const statesOf = (page: Page, name: CommandName): string => {
    const states = Object.entries(commandTable[page]);
    const taken = states.filter(([, row]) => accepted.has(row[name]));
    // A run takes /budget until its end.
    const running = states.filter(([, row]) => accepted.has(row.budget));
    if (taken.length === states.length) return 'always';
    const lacking = running.filter(state => !taken.includes(state)).map(([state]) => state);
    const isLong = lacking.length > 1;
    const during = isLong ? [] : [['during the run', ...lacking].join(' except ')];
    return (
      [...during, ...taken.filter(state => isLong || !running.includes(state)).map(([state]) => state)].join(
        '; ',
      ) || '-'
    );
  };
  const rows = Map.groupBy(commands, ({ name }) =>
    JSON.stringify(pagesOfRun.map(page => statesOf(page, name))),
  );
  return table(
    ['', ...pagesOfRun.map(page => `on the ${page}`)],
    [...rows].map(([cells, of]) => [of.map(({ name }) => code(`/${name}`)).join(', '), ...JSON.parse(cells)]),
  );
}

/** The form of a workflow of ours whose jobs with a model's key may show its provider whose they are. */
const byIdentity = (text: string): string =>
  text
    .split(/^(?= {2}[\w-]+:$)/m)
    .map(job =>
      /secrets\.ANTHROPIC_API_KEY/.test(job)
        ? job
            .replace(
              /^( +)permissions:\n/m,
              "$&$1  id-token: write # shows the models' providers whose job it is\n",
            )
            .replace(/(\/workflows\/engineer)(\.yml)/, '$1-identity$2')
            .replace(/^( +)OPENAI_BASE_URL: .*\n/m, (line, indent: string) =>
              [line, ...idNames.map(name => `${indent}${name}: \${{ vars.${name} }}\n`)].join(''),
            )
        : job,
    )
    .join('');

/** The text of each made file, by its path: pages with their made parts, and the schema. */
export async function generated(): Promise<Map<string, string>> {
  const schema = configSchema();
  const made = new Map([[schemaPath, `${JSON.stringify(schema, null, 2)}\n`]]);
  for (const page of pages) {
    const text = readFileSync(join(root, page), 'utf8');
    made.set(page, await withMadeParts(page, text, name => partOf(name, schema)));
  }
  // The form of the workflows whose jobs show the models' providers whose they are.
  for (const name of ['run', 'engineer', 'jobs', 'check']) {
    const text = byIdentity(readFileSync(join(root, `.github/workflows/${name}.yml`), 'utf8'));
    const head = `# Made of ${name}.yml by npm run docs: the same, but that jobs with a model show its provider whose they are.\n`;
    made.set(`.github/workflows/${name}-identity.yml`, head + text);
  }
  return made;
}

if (import.meta.main) {
  const check = process.argv.includes('--check');
  for (const [path, text] of await generated()) {
    const file = join(root, path);
    if (!check) writeFileSync(file, text);
    else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
      console.error(`${path} is not as made of the code: npm run docs`);
      process.exitCode = 1;
    }
  }
}
