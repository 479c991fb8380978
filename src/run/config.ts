// `.github/echelon.yml`, read strictly: every problem with line, column and the nearest key; everything has a default.
import { LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import {
  defaultMaxParallel,
  defaultRetries,
  hardLimitSeconds,
  stuckAfterSeconds,
} from '../scheduler/slots.ts';
import { defaultProtectedPaths } from '../workspace/index-changes.ts';
import { didYouMean } from '../lib/nearest.ts';

/** Where the configuration stands on the default branch. */
export const configPath = '.github/echelon.yml';

/** What a broken file cannot say: its problems are told to who puts this label on. */
export const defaultLabel = 'echelon';

const usd = z.number().nonnegative();
const price = z.strictObject({ input: usd, output: usd, cache_read: usd, cache_write: usd });

/** `30m`, `90s`, `1h`: milliseconds. */
const duration = z
  .string()
  .regex(/^\d{1,6}(s|m|h)$/, 'a duration such as 30m, 90s or 1h')
  .refine(text => Number.parseInt(text, 10) > 0, 'longer than nothing')
  .transform(
    text =>
      Number(text.slice(0, -1)) * { s: 1000, m: 60_000, h: 3_600_000 }[text.slice(-1) as 's' | 'm' | 'h'],
  );

const minutes = (n: number) => n * 60_000;
const layer = <T extends z.ZodType>(of: T) => ({
  '2ic': of.optional(),
  'eng-lead': of.optional(),
  'team-lead': of.optional(),
});

/** Settings of the specification that this version does not know how to follow yet, with the value it has instead. */
const fixed = <T extends string | number | boolean>(value: T) =>
  z.literal(value, { error: `only ${JSON.stringify(value)} is available yet` }).default(value as never);

const executionPolicy = z.enum(['default', 'safe', 'aggressive', 'debug']);

export const Config = z.strictObject({
  label: z.string().min(1).max(50).default(defaultLabel),
  base: z.string().min(1).max(200).optional(),
  approval: z.enum(['none', 'destructive', 'all']).default('destructive'),
  dry_run: z.boolean().default(false),
  billing: fixed('api'),
  budget: z
    .strictObject({ total: usd.default(50), layers: z.strictObject(layer(usd)).prefault({}) })
    .prefault({}),
  models: z.record(z.string(), z.string().min(1)).default({}),
  prices: z.record(z.string(), price).default({}),
  turns: z
    .strictObject({ ...layer(z.int().min(1).max(30)), director: z.int().min(1).max(30).default(30) })
    .prefault({}),
  timeouts: z
    .strictObject({
      cascade: duration.default(minutes(30)),
      layer: duration.default(minutes(5)),
      attempt: duration.default(hardLimitSeconds * 1000),
      stuck: duration.default(stuckAfterSeconds * 1000),
    })
    .prefault({}),
  max_parallel: z.int().min(1).max(20).default(defaultMaxParallel),
  retries: z.int().min(0).max(10).default(defaultRetries),
  rounds: z.int().min(1).max(20).default(5),
  candidates: fixed(1),
  engines: z.tuple([z.literal('native', { error: 'only native is available yet' })]).default(['native']),
  setup: z.undefined({ error: 'a setup command is not available yet' }).optional(),
  test: z.string().max(2000).optional(),
  create_pr: fixed(true),
  draft: z.boolean().default(true),
  execution: fixed('local'),
  isolation: z.enum(['auto', 'bubblewrap', 'none']).default('auto'),
  network: z.boolean().default(false),
  record: fixed('comment'),
  reasoning: z
    .strictObject({
      policy: executionPolicy.default('default'),
      tasks: z.record(z.string().min(1).max(200), executionPolicy).default({}),
      retry: z.enum(['immediate', 'exponential', 'aggressive', 'conservative']).default('exponential'),
      cleaning: z
        .strictObject({
          execution_log: z.boolean().default(true),
          tracker: z.boolean().default(true),
          reasoning_log: z.boolean().default(false),
          valid_ids: z.boolean().default(true),
          hint: z.boolean().default(true),
        })
        .prefault({}),
      recovery: z
        .strictObject({
          context: z.boolean().default(true),
          reasoning: z.boolean().default(true),
          valid_ids: z.boolean().default(true),
        })
        .prefault({}),
    })
    .prefault({}),
  limits: z
    .strictObject({
      issues: z.int().min(1).max(50).default(50),
      /** Of a session: the share of its turns, tokens and time at which it warns. */
      warn_at: z.number().min(0.01).max(1).default(0.8),
    })
    .prefault({}),
  protected_paths: z.array(z.string().min(1).max(200)).max(100).default(defaultProtectedPaths),
});
export type Config = z.infer<typeof Config>;

export interface ConfigProblem {
  line: number;
  column: number;
  message: string;
}

/** A file with more problems than this is not helped by naming them all. */
const MAX_PROBLEMS = 20;

/** The configuration, or everything that is wrong with it. An empty text is a configuration. Never throws. */
export function parseConfig(text: string): { config: Config } | { problems: ConfigProblem[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, maxAliasCount: 0 } as never);
  const at = (offset: number, message: string): ConfigProblem => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col), message };
  };
  const faults = [...document.errors, ...document.warnings];
  if (faults.length > 0) {
    const problems = faults.slice(0, MAX_PROBLEMS);
    return { problems: problems.map(fault => at(fault.pos[0], fault.message.split('\n')[0] ?? '')) };
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    return { problems: [at(0, String((error as Error).message))] };
  }
  const read = Config.safeParse(value ?? {});
  if (read.success) return { config: read.data };
  const offsetOf = (path: readonly PropertyKey[]): number => {
    for (let length = path.length; length > 0; length--) {
      const parent = length === 1 ? document.contents : document.getIn(path.slice(0, length - 1), true);
      const pairs =
        (parent as { items?: { key?: { value?: unknown; range?: number[] } }[] } | null)?.items ?? [];
      const pair = pairs.find(each => each.key?.value === path[length - 1]);
      if (pair?.key?.range) return pair.key.range[0] ?? 0;
    }
    return 0;
  };
  const problems = read.error.issues.slice(0, MAX_PROBLEMS).flatMap(issue => {
    if (issue.code !== 'unrecognized_keys')
      return [
        at(offsetOf(issue.path), `${issue.path.map(String).join('.') || 'the file'}: ${issue.message}`),
      ];
    const known = knownKeys(issue.path);
    return issue.keys.slice(0, MAX_PROBLEMS).map(key => {
      const name = [...issue.path, key].map(String).join('.');
      return at(offsetOf([...issue.path, key]), `unknown key ${name}${didYouMean(key, known)}`);
    });
  });
  return { problems: problems.sort((a, b) => a.line - b.line || a.column - b.column) };
}

function knownKeys(path: readonly PropertyKey[]): string[] {
  let schema = z.toJSONSchema(Config, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, object>;
  };
  for (const part of path) schema = (schema.properties?.[String(part)] ?? {}) as typeof schema;
  return Object.keys(schema.properties ?? {});
}
