// The runners and repositories that a first run meets, each with the workflows of this repository on the local GitHub's
// runner. Each ends in success, or in one sentence with the remedy.
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { onThisMachine } from '../../../packages/forge/runner/carry-out.ts';
import { runProcess } from '../../../packages/forge/runner/process.ts';
import { hosted, type RunnerEnvironment } from '../../../packages/forge/runner/runner-host.ts';
import { bubblewrapFault } from '../../../packages/ground/workspace/isolation.ts';
import { shortened } from '../../until.ts';
import { bot, type OneIssue, openOneIssue } from './one-issue.ts';

/** Programs that each runner has, lacks or gets in its own way. */
const managed = new Set(['bwrap', 'sudo', 'apt-get', 'apparmor_parser']);
/** A folder of the system over which its own programs are shown, for sandboxes show no other. */
const real = ['/usr/local/src', '/usr/src', '/usr/games'].find(folder => existsSync(folder)) ?? '/usr/src';
/** AppArmor's setting can be shown to root only: others may not make a /proc below one that is covered. */
const isRoot = process.getuid?.() === 0;

/**
 * The processes of a job with a /usr/bin of their own, which is where Echelon looks for bubblewrap: links to the programs
 * of this machine, without those above. A stand-in for apt-get can install into it, and nothing of this machine changes.
 */
function ownMachine(programs: string, isRestricted: boolean): string[] {
  const bin = join(programs, '..', 'machine', 'bin');
  const kernel = join(bin, '..', 'kernel');
  if (!existsSync(bin)) {
    mkdirSync(bin, { recursive: true });
    for (const name of readdirSync('/usr/bin'))
      if (!managed.has(name)) symlinkSync(join(real, name), join(bin, name));
    mkdirSync(kernel);
    for (const name of ['overflowuid', 'overflowgid', 'cap_last_cap'])
      writeFileSync(join(kernel, name), readFileSync(join('/proc/sys/kernel', name)));
    writeFileSync(join(kernel, 'apparmor_restrict_unprivileged_userns'), '1\n');
  }
  const shown = ['--dev-bind', '/', '/', '--bind', '/usr/bin', real, '--bind', bin, '/usr/bin'];
  return ['bwrap', ...shown, ...(isRestricted ? ['--bind', kernel, '/proc/sys/kernel'] : []), '--'];
}

const machine = (programs: RunnerEnvironment['programs'], isRestricted = false): RunnerEnvironment => ({
  kind: 'github-hosted',
  programs: { ...hosted.programs, ...programs },
  run: (one, folder) => runProcess({ ...one, argv: [...ownMachine(folder, isRestricted), ...one.argv] }),
});
const install = `ln -s ${real}/bwrap /usr/bin/bwrap`;
/** bubblewrap as on Ubuntu 24.04: it works when its profile is loaded, and then needs the whole of /proc. */
const restricted = `printf '#!/bin/sh\\n[ -e %s/profile ] && { umount /proc/sys/kernel; exec ${real}/bwrap "$@"; }\\necho "bwrap: setting up uid map: Permission denied" >&2\\nexit 1\\n' "$state" > /usr/bin/bwrap
chmod +x /usr/bin/bwrap`;
const parser = 'grep -q "/usr/bin/bwrap.*unconfined" && : > "$state/profile"';

let environment: RunnerEnvironment = hosted;
let repository: OneIssue;
const works = (await bubblewrapFault()) === undefined;
beforeAll(async () => {
  const path = process.env['PATH'] ?? '';
  repository = await openOneIssue(
    { '.github/echelon.yml': "approval: none\nretries: 0\ntest: 'true'\nisolation: bubblewrap\n" },
    {
      runner: usual => ({
        ...usual,
        carryOut: (core, job, order) =>
          onThisMachine(path, { environment, env: shortened(10_000) })(core, job, order),
      }),
    },
  );
}, 120_000);
afterAll(() => repository?.close());

const Jobs = z.object({
  jobs: z.array(z.object({ id: z.int(), name: z.string(), conclusion: z.string().nullable() })),
});
const Runs = z.object({
  workflow_runs: z.array(z.object({ id: z.int(), conclusion: z.string().nullable() })),
});

/** A directive is labelled and worked as far as it goes: the jobs of its first run with their logs, what the bot said. */
async function labelled() {
  const { call, comments, directive, forge, view } = repository;
  const issue = await directive();
  const { workflow_runs: runs } = Runs.parse(await call('GET', '/actions/runs?event=issues&per_page=1'));
  const [run] = runs;
  const { jobs } = Jobs.parse(await call('GET', `/actions/runs/${run?.id}/jobs`));
  const seen = await view(issue);
  return {
    status: seen?.status,
    hasRun: seen !== undefined,
    conclusion: run?.conclusion,
    problems: forge.runProblems(run?.id ?? 0).map(({ message }) => message),
    log: jobs.map(({ id }) => forge.jobLog(id) ?? '').join('\n'),
    said: (await comments(issue))
      .filter(({ user }) => user.login === bot)
      .map(({ body }) => body)
      .join('\n\n'),
  };
}

interface Case {
  environment?: RunnerEnvironment;
  /** True if jobs can run in that environment here. */
  possible?: boolean;
  /** Settings of the repository. */
  settings?: () => Promise<unknown>;
  log?: string;
  /** On the issue, before any model is called. Without it, and without `problem`, the issue is worked to its end. */
  said?: RegExp;
  /** Of the run, which does not start: nobody is there to write to the issue. */
  problem?: RegExp;
}

const put = (path: string, body: object) => repository.call('PUT', `/actions/permissions${path}`, body);
const allow = async (...patterns_allowed: string[]) => {
  await put('', { enabled: true, allowed_actions: 'selected' });
  await put('/selected-actions', { github_owned_allowed: true, patterns_allowed });
};
const openPulls = (can_approve_pull_request_reviews: boolean) =>
  put('/workflow', { can_approve_pull_request_reviews });

/** In this order: the last ones leave a repository where nothing starts. */
const cases: Record<string, Case> = {
  'a stale package index, a private repository, selected actions': {
    environment: machine({ 'install-bubblewrap': install }),
    possible: works,
    settings: async () => {
      await repository.call('PATCH', '', { private: true });
      await allow('echelon-org/*');
    },
    log: 'isolation: installed bubblewrap',
  },
  "hosted Ubuntu with AppArmor's restriction": {
    environment: machine({ 'install-bubblewrap': restricted, apparmor_parser: parser }, true),
    possible: works && isRoot,
    log: 'isolation: loaded an AppArmor profile for bubblewrap',
  },
  'no bubblewrap': {
    environment: machine({}),
    possible: works,
    log: 'isolation: not installed bubblewrap: E: Unable to locate package bubblewrap',
    said: /^The run does not begin: commands cannot be isolated on this runner: bubblewrap \(bwrap\) is not installed\. Install bubblewrap [^.]*\. Then take the label off/,
  },
  'a self-hosted runner without sudo': {
    environment: {
      ...machine({ sudo: 'echo "sudo: a password is required" >&2\nexit 1' }),
      kind: 'self-hosted',
    },
    possible: works,
    log: 'isolation: nothing is installed on a self-hosted runner',
    said: /^The run does not begin: commands cannot be isolated on this runner: bubblewrap \(bwrap\) is not installed\. Install bubblewrap [^.]*\. Then take the label off/,
  },
  'pull requests by Actions off': {
    settings: () => openPulls(false),
    said: /^The run does not begin: this repository does not let GitHub Actions open .*"Allow GitHub Actions to create and approve pull requests"/,
  },
  'actions that are not selected': {
    settings: () => allow(),
    problem: /The actions echelon-org\/echelon\/.* are not allowed in you\/work because all actions must be/,
  },
  'no repository of Echelon where the workflow looks for it': {
    settings: async () => {
      await put('', { enabled: true, allowed_actions: 'all' });
      const of = '/repos/echelon-org/echelon';
      await repository.forge.call('echelon-org', 'PATCH', of, { private: true });
    },
    problem: /"echelon-org\/echelon\/\.github\/workflows\/run\.yml@[\w.]+" was not found/,
  },
};

for (const [name, expected] of Object.entries(cases))
  test.skipIf(!(expected.possible ?? works))(
    name,
    async () => {
      environment = expected.environment ?? hosted;
      await expected.settings?.();
      const ran = await labelled();
      if (expected.log) expect(ran.log).toContain(expected.log);
      if (expected.said) expect(ran.said).toMatch(expected.said);
      // A model is called in a run only.
      if (expected.said) expect(ran.hasRun).toBe(false);
      if (expected.problem)
        expect(ran).toMatchObject({
          conclusion: 'startup_failure',
          problems: [expect.stringMatching(expected.problem)],
        });
      expect(ran.status === 'completed', ran.said).toBe(!expected.said && !expected.problem);
    },
    120_000,
  );
