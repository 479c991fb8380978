// `npm run bench -- <name>`: runs one benchmark and prints what it found.
import { didYouMean } from '../../packages/ground/lib/nearest.ts';
import { messageOf } from '../../packages/ground/lib/message.ts';
import { readOptions } from '../../src/doors/cli/options.ts';
import { type Report, table } from './figures.ts';
import { bringPeers } from './peers.ts';

interface Benchmark {
  what: string;
  /** Others are measured in the same run. */
  peers?: true;
  /** Never throws for a subject that fails; `missing` says why the peers are not there, if so. */
  run(missing: string | undefined): Promise<Report>;
}

const benchmarks: Record<string, Benchmark> = {
  language: {
    what: 'the task language: parsing, cost of a step with and without a journal, memory',
    peers: true,
    run: async missing => (await import('./language.ts')).language(missing),
  },
  cascade: {
    what: 'writes to GitHub from the label to the listing performed, and how soon a person sees an answer',
    run: async () => (await import('./cascade.ts')).cascade(),
  },
  actions: {
    what: 'a run of 30 issues by jobs of GitHub Actions and by the local executor: makespan, calls to GitHub',
    run: async () => (await import('./actions.ts')).actions(),
  },
  scheduler: {
    what: 'the order of issues: makespan against that by number, cost of a decision',
    run: async () => (await import('./scheduler.ts')).scheduler(),
  },
  tokens: {
    what: 'tokens of input, priced with a prompt cache: a whole run by role, a loop, a long session',
    run: async () => (await import('./tokens.ts')).tokens(),
  },
  pages: {
    what: 'the pages of the local GitHub, with 500 issues and 5,000 comments: time and size of each kind',
    run: async () => (await import('./pages.ts')).pagesOfForge(),
  },
  reasoning: {
    what: 'the session: reading tags, the sandbox, cost of an iteration',
    peers: true,
    run: async missing => (await import('./reasoning.ts')).reasoning(missing),
  },
};

const usage = () =>
  [
    'Usage: npm run bench -- <name>',
    '',
    ...Object.entries(benchmarks).map(([name, { what }]) => `  ${name.padEnd(12)}${what}`),
    '',
    '  --json      print figures and notes as one JSON object',
    '  --help      this text',
  ].join('\n');

/** Exit codes: 0 it ran, whatever the figures are; 1 it could not run; 2 it was called wrongly. */
async function main(argv: string[]): Promise<number> {
  const { values, positionals, problems } = readOptions(argv, {
    json: { type: 'boolean', help: '' },
    help: { type: 'boolean', help: '' },
  });
  if (values['help']) {
    console.log(usage());
    return 0;
  }
  const [name = '', ...surplus] = positionals;
  const benchmark = Object.hasOwn(benchmarks, name) ? benchmarks[name] : undefined;
  if (name === '') problems.push('which benchmark?');
  else if (!benchmark) problems.push(`unknown benchmark ${name}${didYouMean(name, Object.keys(benchmarks))}`);
  if (surplus.length > 0) problems.push(`one benchmark at a time, not also ${surplus.join(', ')}`);
  if (!benchmark || problems.length > 0) {
    console.error(`${problems.join('\n')}\n\n${usage()}`);
    return 2;
  }
  const begin = performance.now();
  const missing = benchmark.peers && (await bringPeers());
  const { figures, notes } = await benchmark.run(missing);
  if (values['json']) {
    console.log(JSON.stringify({ figures, notes }));
    return 0;
  }
  console.log(table(figures));
  for (const note of notes) console.log(`note: ${note}`);
  console.log(
    `${name}: ${Math.round((performance.now() - begin) / 1000)} s on Node ${process.versions.node}`,
  );
  return 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(`bench: ${messageOf(error)}`);
  process.exitCode = 1;
}
