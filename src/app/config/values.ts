// Types of configuration values: names, branches, times, models, amounts; with the words of their errors.
import { z } from 'zod';
import { ModelRow, PriceSchema } from '../../engine/models.ts';

/** More than this is taken for a slip of the hand, as in `/budget`. */
export const usd = z.number().min(0).max(100_000);
const price = PriceSchema.meta({
  title: '`input`, `output`, `cache_read`, `cache_write`: each 0 to 10,000',
});

/** One line that begins and ends with something seen. */
export const line = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'has a line end or control character')
    .refine(text => text.trim() === text, 'begins or ends with white space');

/** By the model's name. */
export const Prices = z.record(line(200), price).default({});
export type Prices = z.output<typeof Prices>;

export const modelValue = z
  .union([line(200), z.array(line(200)).min(1).max(5), ModelRow])
  .meta({ title: 'a model, a list of models, or a description' });

/** White space is none: a shell that is given nothing to do answers that all is well. */
export const command = z
  .string()
  .max(2000)
  .regex(/^[^\0]*$/, 'no command can hold a NUL character')
  .transform(text => text.trim());

/** The part of `git check-ref-format` that a branch's short name has to keep. */
const noBranch =
  /[\s~^:?*[\\\x7f\p{Cc}]|\.\.|@\{|\/\/|^[-/]|\/$|(?:^|\/)\.|(?:\.|\.lock)(?:\/|$)|^@$|^HEAD$|^refs\/|^[0-9a-f]{40}$/u;
export const branch = line(200).refine(
  name => !noBranch.test(name),
  'not the name of a branch, such as main or release/2',
);

/** Labels of a host name, at least two; `*.` stands for every host below them. */
const host = line(253).regex(
  /^(?:\*\.)?(?:[\p{L}\p{N}_](?:[\p{L}\p{N}_-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u,
  'not a host name such as files.example.org or *.example.org; write no scheme, port or path',
);

const notNetwork = (given: unknown) => {
  if (given === true) return '`true` is not possible: write `registries`, a list of host names, or `all`';
  if (given === false) return '`false` is not possible: write `none`';
  return 'write `none`, `registries`, `all`, or a list of host names';
};

/** Hosts that commands of a job may reach. `registries`: those of the repository's package managers. */
export const Network = z.union([z.enum(['none', 'registries', 'all']), z.array(host).min(1).max(50)], {
  error: ({ input }) => notNetwork(input),
});
export type Network = z.infer<typeof Network>;

export const noGlob =
  'not a glob that paths can be held against; it may hold *, **, ?, {a,b}, [a-z] and [!a]';

/** Longest time that may be configured. Timers of the process end at 24 days; nobody waits for a job so long. */
const longestHours = 168;

/** `30m`, `90s`, `1h`: milliseconds. */
export const duration = z
  .string()
  .regex(/^\d{1,6}(s|m|h)$/, 'a duration such as 30m, 90s or 1h')
  .transform(
    text =>
      Number(text.slice(0, -1)) * { s: 1000, m: 60_000, h: 3_600_000 }[text.slice(-1) as 's' | 'm' | 'h'],
  )
  .refine(
    ms => ms > 0 && ms <= longestHours * 3_600_000,
    `a duration from 1s to ${longestHours}h is possible`,
  )
  .meta({ title: `duration: \`30m\`, \`90s\`, \`1h\`; at most \`${longestHours}h\`` });
