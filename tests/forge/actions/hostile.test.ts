// Steps that mean harm: each row a thing that untrusted code does in a job, and what comes of it.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { StepSpec } from '../../../packages/forge/actions/planned-job.ts';
import { writeHostileZip } from '../../hostile-zip.ts';
import { until } from '../../until.ts';
import { openRunner, type Ran, type TestRunner } from './lone-runner.ts';

let opened: TestRunner | undefined;
afterEach(async () => {
  await opened?.[Symbol.asyncDispose]();
  opened = undefined;
});
const open = () => (opened = openRunner());

interface Row {
  steps: Partial<StepSpec>[];
  conclusion: 'success' | 'failure';
  check: (ran: Ran) => void;
}

const rows: Record<string, Row> = {
  'commands in output while commands are stopped': {
    steps: [
      {
        run: 'echo "::stop-commands::$(echo 4a5b6c7d8e9f)"; echo "::error::forged"; echo "::add-mask::forged"; echo "::set-output name=x::forged"; echo "::4a5b6c7d8e9f::"; echo "::notice::mine"',
      },
    ],
    conclusion: 'success',
    check: ran => expect(ran.remarks.map(each => each.message)).toEqual(['mine']),
  },
  'a value with line feeds in GITHUB_ENV that would set another variable': {
    steps: [
      {
        run: 'printf "A=1\\nLD_PRELOAD=/x\\n" | { read -r a; read -r b; printf "A<<E\\n%s\\n%s\\nE\\n" "$a" "$b"; } >> "$GITHUB_ENV"',
      },
      { run: 'echo "[${LD_PRELOAD:-none}]"' },
    ],
    conclusion: 'success',
    check: ran => expect(ran.log).toContain('[none]'),
  },
  'NODE_OPTIONS in GITHUB_ENV': {
    steps: [
      {
        run: 'echo "NODE_OPTIONS=--require=/evil.js" >> "$GITHUB_ENV"; echo "node_options=x" >> "$GITHUB_ENV"',
      },
      { run: 'echo "[${NODE_OPTIONS:-none}${node_options:-}]"' },
    ],
    conclusion: 'success',
    check: ran => {
      expect(ran.log).toContain('[none]');
      expect(ran.remarks.map(each => each.level)).toEqual(['error', 'error']);
    },
  },
  "the runner's own variables in GITHUB_ENV": {
    steps: [
      {
        run: 'for v in GITHUB_SHA GITHUB_REPOSITORY GITHUB_ENV RUNNER_TEMP RUNNER_TRACKING_ID; do echo "$v=forged" >> "$GITHUB_ENV"; done',
      },
      { run: 'env | grep -c forged || true' },
    ],
    conclusion: 'success',
    check: ran => expect(ran.log).toContain('0'),
  },
  'an output without a name': {
    steps: [{ run: 'echo "=value" >> "$GITHUB_OUTPUT"' }],
    conclusion: 'failure',
    check: ran => expect(ran.remarks[0]?.message).toMatch(/'output' successfully: .*Name must not be empty/),
  },
  'an output without an end': {
    steps: [{ run: 'printf "a<<EOF\\nvalue\\n" >> "$GITHUB_OUTPUT"' }],
    conclusion: 'failure',
    check: ran => expect(ran.remarks[0]?.message).toMatch(/Matching delimiter not found/),
  },
  'a pipe in the place of GITHUB_OUTPUT': {
    steps: [
      { run: 'rm "$GITHUB_OUTPUT"; mkfifo "$GITHUB_OUTPUT"' },
      { if: 'always()', run: 'test -f "$GITHUB_OUTPUT"' },
    ],
    conclusion: 'failure',
    check: ran =>
      expect(ran.remarks.map(each => each.message)).toEqual([expect.stringMatching(/not a regular file/)]),
  },
  'a link in the place of GITHUB_STEP_SUMMARY': {
    steps: [{ run: 'ln -sf /etc/passwd "$GITHUB_STEP_SUMMARY"' }],
    conclusion: 'success',
    check: ran =>
      expect([ran.summary, ran.remarks[0]?.message]).toEqual([
        '',
        expect.stringMatching(/is a symbolic link/),
      ]),
  },
  'a link in the place of the folder for files of commands': {
    steps: [
      { run: 'mkdir mine; cd mine; touch env output state path step_summary; echo kept > output' },
      {
        run: 'cd "$RUNNER_TEMP"; rm -r _runner_file_commands; ln -s "$GITHUB_WORKSPACE/mine" _runner_file_commands',
      },
      { run: 'cat mine/output; ls mine | grep -cE "^(env|output|state|path|step_summary)$"' },
    ],
    conclusion: 'success',
    check: ran => expect(ran.log).toEqual(expect.arrayContaining(['kept', '5'])),
  },
  'a summary of more than 1 MB': {
    steps: [{ run: 'head -c 1048577 /dev/zero > "$GITHUB_STEP_SUMMARY"' }],
    conclusion: 'success',
    check: ran =>
      expect([ran.summary, ran.remarks[0]?.message]).toEqual(['', expect.stringMatching(/1048577 bytes/)]),
  },
  'an output file of 8 GB': {
    steps: [{ run: 'truncate -s 8G "$GITHUB_OUTPUT"' }],
    conclusion: 'failure',
    check: ran => expect(ran.remarks[0]?.message).toMatch(/at most 4194304 are read/),
  },
  'a step that closes its output and error': {
    steps: [{ run: 'exec >&- 2>&-; sleep 0.1; exit 0' }, { run: 'echo next' }],
    conclusion: 'success',
    check: ran => expect(ran.log).toContain('next'),
  },
  'a step that outlives itself with its output open': {
    steps: [{ run: '(sleep 600 &) ; echo over' }, { run: 'echo next' }],
    conclusion: 'success',
    check: ran => expect(ran.log).toEqual(expect.arrayContaining(['over', 'next'])),
  },
  'a name with ../ for an artifact': {
    steps: [
      { run: 'echo x > x' },
      { uses: 'actions/upload-artifact@v7', with: { name: '../../x', path: 'x' } },
    ],
    conclusion: 'failure',
    check: ran => expect(ran.remarks[0]?.message).toMatch(/name is not valid/),
  },
  'a path with ../ out of the job': {
    steps: [{ uses: 'actions/upload-artifact@v7', with: { path: '../../../../../../forge.sqlite' } }],
    conclusion: 'failure',
    check: ran => expect(ran.remarks[0]?.message).toMatch(/outside the job's folders/),
  },
  'a link to a file outside in an upload': {
    steps: [
      { run: 'mkdir out; ln -s "$(dirname "$RUNNER_TEMP")/../../../forge.sqlite" out/innocent' },
      { uses: 'actions/upload-artifact@v7', with: { path: 'out' } },
    ],
    conclusion: 'failure',
    check: ran => expect(ran.remarks[0]?.message).toMatch(/out\/innocent leads to .*forge\.sqlite, outside/),
  },
  'a link to a folder outside in an upload': {
    steps: [
      { run: 'mkdir out; ln -s "$(dirname "$RUNNER_TEMP")/../.." out/innocent' },
      { uses: 'actions/upload-artifact@v7', with: { path: 'out' } },
    ],
    conclusion: 'failure',
    check: ran => expect(ran.remarks[0]?.message).toMatch(/out\/innocent leads to \S*\/actions, outside/),
  },
  "a link to what the forge's process holds in an upload": {
    steps: [
      { run: 'mkdir out; ln -s /proc/self/environ out/innocent' },
      { uses: 'actions/upload-artifact@v7', with: { path: 'out' } },
    ],
    conclusion: 'failure',
    check: ran => expect(ran.remarks[0]?.message).toMatch(/outside the job's folders/),
  },
  'a pipe in an upload': {
    steps: [
      { run: 'mkdir out; mkfifo out/pipe' },
      { uses: 'actions/upload-artifact@v7', with: { path: 'out' } },
    ],
    conclusion: 'failure',
    check: ran => expect(ran.remarks[0]?.message).toMatch(/no regular file/),
  },
  '2 GB in an upload': {
    steps: [{ run: 'truncate -s 2G big' }, { uses: 'actions/upload-artifact@v7', with: { path: 'big' } }],
    conclusion: 'failure',
    check: ran => expect(ran.remarks[0]?.message).toMatch(/more than 1073741824 bytes/),
  },
  'a name of a file that other systems cannot have': {
    steps: [
      { run: "mkdir out; touch 'out/a:b'" },
      { uses: 'actions/upload-artifact@v7', with: { path: 'out' } },
    ],
    conclusion: 'failure',
    check: ran => expect(ran.remarks[0]?.message).toMatch(/a:b/),
  },
  'a link on the way to where a checkout would remove what is there': {
    steps: [{ run: 'ln -s / sub' }, { uses: 'actions/checkout@v6', with: { path: 'sub/none/there' } }],
    conclusion: 'failure',
    check: ran => expect(ran.remarks[0]?.message).toMatch(/is not under/),
  },
  'a checkout out of the workspace': {
    steps: [{ uses: 'actions/checkout@v6', with: { path: '../../..' } }],
    conclusion: 'failure',
    check: ran => expect(ran.remarks[0]?.message).toMatch(/is not under/),
  },
};

describe('a step with', () => {
  test.each(Object.entries(rows))('%s', async (_name, { steps, conclusion, check }) => {
    const ran = await open().run(steps);
    expect(ran.conclusion).toBe(conclusion);
    check(ran);
  });

  test('an artifact that leads out of its folder, or onto a link that does', async () => {
    const runner = open();
    const target = join(runner.root, 'target');
    mkdirSync(target);
    const add = async (name: string, file: string) => {
      await runner.run([
        { run: 'echo x > x' },
        { uses: 'actions/upload-artifact@v7', with: { name, path: 'x' } },
      ]);
      const { id } = runner.core.db.the<{ id: number }>('SELECT max(id) AS id FROM artifacts');
      const path = join(runner.core.folder, 'actions', 'artifacts', `${id}.zip`);
      const sha256 = await writeHostileZip(path, [[file, 'evil']]);
      runner.core.db.update('artifacts', id, { digest: `sha256:${sha256}` });
    };
    await add('up', '../../../../../../target/evil');
    await add('absolute', join(target, 'evil'));
    await add('through', 'link/sub/evil');
    await add('onto', 'file');
    writeFileSync(join(target, 'file'), 'mine');
    const get = (name: string) => ({ uses: 'actions/download-artifact@v8', with: { name } });
    const link = { run: `ln -s ${target} link; ln -s ${target}/file file` };
    for (const name of ['up', 'absolute', 'through'])
      expect([name, (await runner.run([link, get(name)])).conclusion]).toEqual([name, 'failure']);
    expect(
      (await runner.run([link, get('onto'), { run: 'test "$(cat file)" = evil && test ! -L file' }]))
        .conclusion,
    ).toBe('success');
    expect(readdirSync(target)).toEqual(['file']);
    expect(readFileSync(join(target, 'file'), 'utf8')).toBe('mine');
  });

  test('processes without end: all of them are gone after the job', async () => {
    const runner = open();
    const mark = `forked-${process.pid}-${Date.now()}`;
    // Each leaves two that leave its group; bounded, since this machine is shared.
    const script = `f() { [ "$1" -gt 5 ] && exec -a ${mark} sleep 600; for i in 1 2; do (setsid bash -c "$(declare -f f); f $(($1 + 1))" &) ; done; exec -a ${mark} sleep 600; }`;
    const { conclusion, log } = await runner.run([
      { run: `${script}; (f 1 > /dev/null 2>&1 &); ulimit -u`, shell: 'bash' },
    ]);
    expect(conclusion).toBe('success');
    // The limit that a user without privileges is held to.
    expect(log).toContain('4096');
    await until('no process is left', () => processes(mark).length === 0 || undefined);
    expect(readdirSync(runner.work)).toEqual([]);
  });

  test('100 MB of log: beginning and end are kept', async () => {
    const runner = open();
    const { conclusion, log } = await runner.run([
      {
        run: 'echo first; yes "$(head -c 1000 /dev/zero | tr "\\0" x)" | head -c 100000000; echo; echo last',
      },
    ]);
    expect([conclusion, log.includes('first'), log.includes('last')]).toEqual(['success', true, true]);
    expect(log.join('\n')).toMatch(
      /##\[warning\]\d+ lines are left out here: a log holds 16777216 bytes at most\./,
    );
    expect(statSync(join(runner.core.folder, 'actions', 'logs', '1.log')).size).toBeLessThan(17 * 1024 ** 2);
  });

  test('a line of 100 MB', async () => {
    const runner = open();
    const { log } = await runner.run([{ run: 'head -c 100000000 /dev/zero | tr "\\0" x; echo; echo last' }]);
    expect([log.includes('last'), Math.max(...log.map(line => line.length)) <= 64 * 1024]).toEqual([
      true,
      true,
    ]);
  });

  test('the token of the artifact service: a script has none, an action has a decoy that opens nothing', async () => {
    const { log } = await open().run([{ run: 'env | grep -c ACTIONS_RUNTIME || true' }]);
    expect(log).toContain('0');
  });
});

const processes = (mark: string): string[] =>
  readdirSync('/proc').filter(pid => {
    try {
      return (
        /^\d+$/.test(pid) &&
        readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(mark) &&
        existsSync(`/proc/${pid}/exe`)
      );
    } catch {
      return false;
    }
  });
