// `echelon task run` as a process: results, rights, commands kept from secrets, Ctrl-C, and a journal after SIGKILL.
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { begin, end, messagesServer, stream, textBlock } from '../../../engine/models/server.ts';
import { costing } from '../../../dialogue/script.ts';
import { endAll, entry, runCli, startCli } from '../run-cli.ts';
import { counted, greeting, greets, script, taskFolder } from './fixture.ts';
import { until } from '../../../until.ts';

afterEach(endAll);

const run = (cwd: string, args: string[], env: Record<string, string> = {}) =>
  runCli(['task', 'run', ...args], { cwd, env });

describe('a result', () => {
  test('is on stdout alone, and stderr is quiet where it is no terminal', async () => {
    using folder = await taskFolder({ 'p.xml': greeting, 's.json': greets });
    const ran = await run(folder.path, ['p.xml', '--input', 'who=Ada', '--script', 's.json']);
    expect(ran).toEqual({ code: 0, stdout: 'Eight\nletters: 8\n', stderr: '' });
  });

  test('--json is the whole of it; --debug tells what happened meanwhile', async () => {
    using folder = await taskFolder({ 'p.xml': greeting, 's.json': greets, 'who.txt': 'Ada' });
    const args = ['p.xml', '--input', 'who=@who.txt', '--script', 's.json', '--json', '--debug'];
    const ran = await run(folder.path, args);
    const result = JSON.parse(ran.stdout);
    expect(result).toMatchObject({
      status: 'COMPLETE',
      content: 'Eight',
      outputs: { letters: 8 },
      notes: { dataUsage: { turns: 2 } },
    });
    expect(result).not.toHaveProperty('messages');
    expect(ran.stderr).toMatch(/^greet: replied \(turn 1, .*$(?:.|\n)*^count: replied /m);
    // Every event, in the words of the other commands.
    expect(ran.stderr).toMatch(/^event session_state \{"id":.*"to":"active"\}$/m);
    expect(ran.stderr).toMatch(/^event model_reply \{"task":"greet","turn":1,"text":"Hello Ada",.*\}$/m);
    expect(ran.stderr).toMatch(/^event iteration_complete /m);
  });

  const typed = `<task name="pick"><description>Who reviews?</description>
    <output name="sure" type="boolean"/><output name="people" type="json"/><output name="why" type="string"/></task>`;
  const picks = script({
    for: 'pick',
    text: '{"sure": true, "people": ["ada"], "why": "She\\u001b[31m knows"}',
  });

  test.each<{ what: string; program: string; replies: string; stdout: string }>([
    {
      what: 'of a typed program are its outputs',
      program: typed,
      replies: picks,
      stdout: 'sure: true\npeople: ["ada"]\nwhy: She\u001b[31m knows\n',
    },
    {
      what: 'of a map is its list alone',
      program:
        '<task type="map"><over>a</over><inner_task><task name="say"><description>{{item}}</description></task></inner_task></task>',
      replies: script({ for: 'say', text: 'A' }),
      stdout: '["A"]\n',
    },
    {
      what: 'of a script is what it wrote',
      program: '<task type="script"><command>echo made</command></task>',
      replies: script(),
      stdout: 'made\n\n',
    },
  ])('$what', async ({ program, replies, stdout }) => {
    using folder = await taskFolder({ 'p.xml': program, 's.json': replies });
    const ran = await run(folder.path, ['p.xml', '--script', 's.json', '--allow-scripts']);
    expect(ran).toEqual({ code: 0, stdout, stderr: '' });
  });

  test('comes after the warnings of the check', async () => {
    const unread = `<task type="sequential"><steps>
      <task name="pick"><description>Who?</description><output name="sure" type="boolean"/></task>
      <task name="say"><description>Say it</description></task>
    </steps></task>`;
    const replies = script(
      {
        for: 'pick',
        text: '<result status="COMPLETE"><content>Ada</content><output name="sure">true</output></result>',
      },
      { for: 'say', text: 'Ada!' },
    );
    using folder = await taskFolder({ 'p.xml': unread, 's.json': replies });
    const ran = await run(folder.path, ['p.xml', '--script', 's.json']);
    expect(ran).toEqual({
      code: 0,
      stdout: 'Ada!\n',
      stderr: 'p.xml:2:7 warning: the outputs of this step are never read\n',
    });
  });

  test('--debug shows each prompt once as it was sent, without the key', async () => {
    const key = 'sk-ant-test-0123456789abcdef';
    const program =
      '<task name="t"><description>Greet {{who}}\nkindly.</description><tools>js</tools></task>';
    const replies = script(
      { for: 't', tool_calls: [{ name: 'js', input: { code: 'return 6 * 7' } }] },
      { for: 't', when: '42', text: 'done' },
    );
    const named = program.replace('<description>', '<inputs><input name="who"/></inputs><description>');
    using folder = await taskFolder({ 'p.xml': named, 's.json': replies });
    const args = ['p.xml', '--input', `who=\u001b[2J${key}`, '--script', 's.json', '--debug'];
    const { stderr } = await run(folder.path, args, { ANTHROPIC_API_KEY: key });
    expect(stderr).toMatch(/^prompt of t, to \S+:$/m);
    expect(stderr).toMatch(/^ {2}\| Greet \[2J\*\*\*$\n^ {2}\| kindly\.$/m);
    expect(stderr.match(/^ {2}\| kindly\.$/gm)).toHaveLength(1);
    expect(stderr).toMatch(/^ {2}\| result: .*42/m);
    expect(stderr).not.toContain(key);
  });

  test('of a registered task of the folder, with JSON for an input', async () => {
    const show =
      '<task name="show"><inputs><input name="list"/></inputs><description>{{list}}</description></task>';
    using folder = await taskFolder({
      'work/.github/echelon/show.xml': show,
      's.json': script({ for: 'show', when: '[1,2]', text: 'seen' }),
    });
    const ran = await run(folder.path, [
      'show',
      '--folder',
      'work',
      '--input',
      'list:=[1, 2]',
      '--script',
      's.json',
    ]);
    expect(ran).toMatchObject({ code: 0, stdout: 'seen\n' });
  });

  test('that fails has its error on stderr, and with --json on stdout what was finished', async () => {
    const broken = script({ for: 'greet', text: 'Hello' }, { for: 'count', error: { type: 'quota' } });
    using folder = await taskFolder({ 'p.xml': greeting, 's.json': broken });
    const ran = await run(folder.path, ['p.xml', '--input', 'who=Ada', '--script', 's.json', '--json']);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('TASK_FAILURE model_failure');
    expect(ran.stderr).toContain('finished before: greet');
    const { error } = JSON.parse(ran.stdout);
    expect(error).toMatchObject({ code: 'TASK_FAILURE', reason: 'model_failure' });
    expect(error.notes.steps[0].result.content).toBe('Hello');
  });

  test('the budget ends it', async () => {
    const dear = script(costing({ for: 'greet', text: 'Hello' }, 2), { for: 'count', text: counted('x', 1) });
    using folder = await taskFolder({ 'p.xml': greeting, 's.json': dear });
    const ran = await run(folder.path, [
      'p.xml',
      '--input',
      'who=A',
      '--script',
      's.json',
      '--budget',
      '1.5',
    ]);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('the budget of $1.5 is used up ($2.00); give more with --budget');
  });
});

describe('a function', () => {
  const shout = `<task type="function" name="shout">
    <parameters><parameter name="words"/><parameter name="mark"/></parameters>
    <body><task name="say"><description>{{words}}{{mark}}</description></task></body>
  </task>`;
  const said = script({ for: 'say', when: 'hey <b>!', text: 'HEY' });
  const args = ['--input', 'words=hey <b>', '--input', 'mark=!', '--script', 's.json'];

  test.each([
    { what: 'of a file', name: 'f.xml', files: { 'f.xml': shout } },
    { what: 'of the library', name: 'shout', files: { '.github/echelon/f.xml': shout } },
    {
      what: 'of a file whose name the library has too',
      name: 'f.xml',
      files: { 'f.xml': shout, '.github/echelon/other.xml': shout.replace('{{words}}', 'other') },
    },
  ])('$what is called with the inputs', async ({ name, files }) => {
    using folder = await taskFolder({ ...files, 's.json': said });
    expect(await run(folder.path, [name, ...args])).toEqual({ code: 0, stdout: 'HEY\n', stderr: '' });
  });

  test('has its parameters named where they are missing, and its body checked for rights', async () => {
    const writes = shout.replace('</description>', '</description><tools>write_file</tools>');
    using folder = await taskFolder({ 'f.xml': writes, 's.json': said });
    const ran = await run(folder.path, [
      'f.xml',
      '--input',
      'words=hey',
      '--input',
      'marks=!',
      '--script',
      's.json',
    ]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('the input mark is missing (f.xml:2:42 declares it)');
    expect(ran.stderr).toContain('the program has no input marks; did you mean "mark"?; it has: words, mark');
    expect(ran.stderr).toContain('that needs --allow-scripts');
  });

  test('a free name that is not given is named with the place that reads it', async () => {
    using folder = await taskFolder({
      'p.xml': '<task><description>Say {{what}}</description></task>',
      's.json': script({ for: 'standard', text: 'x' }),
    });
    const without = await run(folder.path, ['p.xml', '--script', 's.json']);
    expect(without.code).toBe(2);
    expect(without.stderr).toContain('the input what is missing (p.xml:1:24 reads it)');
    const ran = await run(folder.path, ['p.xml', '--script', 's.json', '--input', 'what=hello']);
    expect(ran).toMatchObject({ code: 0, stdout: 'x\n' });
    expect(ran.stderr).toContain('warning: nothing binds "what": it is asked for as a parameter');
  });
});

describe('a result that cannot be written', () => {
  const full = existsSync('/dev/full');
  const args = 'task run p.xml --input who=Ada --script s.json';
  const inShell = async (line: string) => {
    using folder = await taskFolder({ 'p.xml': greeting, 's.json': greets });
    const command = line.replace('ECHELON', `'${process.execPath}' '${entry}' ${args}`);
    const child = spawn('bash', ['-c', command], { cwd: folder.path });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const code = await new Promise<number | null>(resolve => child.once('close', resolve));
    return { code, stderr };
  };

  test.skipIf(!full).each(['', ' --json'])(
    `is a failure${full ? '' : ' (skipped: no /dev/full)'}: %s`,
    async json => {
      const { code, stderr } = await inShell(`ECHELON${json} > /dev/full`);
      expect(code).toBe(1);
      expect(stderr).toMatch(/^echelon task: the result cannot be written to stdout: ENOSPC.*\n$/);
    },
  );

  test('because its reader is gone is none', async () => {
    // The reader is over before the first word can be written.
    expect(
      await inShell(
        'set -o pipefail; { while test -e s.json -a ! -e gone; do :; done; ECHELON; } | { exec <&-; touch gone; }',
      ),
    ).toEqual({
      code: 0,
      stderr: '',
    });
  });
});

describe('a real model', () => {
  const key = 'sk-ant-test-0123456789abcdef';
  test('is asked with the key, which reaches neither commands nor any output', async () => {
    const program = `<task type="sequential"><steps>
      <task type="script" name="look"><command>env; cat s.txt</command></task>
      <task name="say"><description>{{look}}</description><model>small</model></task>
    </steps></task>`;
    using folder = await taskFolder({ 'p.xml': program, 's.txt': 'a file' });
    await using server = await messagesServer([
      stream([begin, ...textBlock(0, `your key is ${key}`), ...end('end_turn')]),
    ]);
    const env = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: server.url, ECHELON_ISOLATION: 'none' };
    const ran = await run(folder.path, ['p.xml', '--allow-scripts', '--debug', '--journal', 'j'], env);
    expect(ran).toMatchObject({ code: 0, stdout: 'your key is ***\n' });
    const { headers, body } = server.received[0]!;
    expect(headers['authorization'] ?? headers['x-api-key']).toContain(key);
    expect(body['model']).toBe('claude-haiku-5-5');
    expect(JSON.stringify(body)).toContain('a file');
    expect(JSON.stringify(body)).toContain('PATH=');
    expect(JSON.stringify(body)).not.toContain(key);
    expect(ran.stderr + readFileSync(folder.at('j'), 'utf8')).not.toContain(key);
  });
});

describe('tools', () => {
  test('reading needs no permission, and nothing outside of the folder is read', async () => {
    const program =
      '<task name="t"><description>Read.</description><tools>read_file, list_files, search</tools></task>';
    const call = (name: string, input: object) => ({ name, input: input as never });
    const replies = script(
      {
        for: 't',
        tool_calls: [
          call('list_files', {}),
          call('search', { pattern: 'needle' }),
          call('read_file', { path: '../secret' }),
        ],
      },
      { for: 't', when: 'a.txt:1: needle', text: 'found' },
    );
    using folder = await taskFolder({
      'work/a.txt': 'needle\n',
      'work/.gitignore': 'no.txt\n',
      'work/no.txt': 'needle\n',
      secret: 'x',
      'p.xml': program,
      's.json': replies,
    });
    const ran = await run(folder.path, ['p.xml', '--folder', 'work', '--script', 's.json', '--debug']);
    expect(ran).toMatchObject({ code: 0, stdout: 'found\n' });
    expect(ran.stderr).toContain('refused: the path "../secret"');
    expect(readdirSync(folder.at('work'))).toEqual(['.gitignore', 'a.txt', 'no.txt']);
  });

  test('a program writes and runs commands only with --allow-scripts', async () => {
    const program = `<task type="sequential"><steps>
      <task name="t"><description>Write.</description><tools>write_file</tools></task>
      <task type="script" name="show"><command>cat made.txt</command></task>
    </steps></task>`;
    const replies = script(
      { for: 't', tool_calls: [{ name: 'write_file', input: { path: 'made.txt', content: 'made\n' } }] },
      { for: 't', text: 'done' },
    );
    using folder = await taskFolder({ 'p.xml': program, 's.json': replies });
    const refused = await run(folder.path, ['p.xml', '--script', 's.json']);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(
      'p.xml:2:7 the tool write_file of t changes files or runs commands: that needs --allow-scripts',
    );
    expect(refused.stderr).toContain('p.xml:3:7 the script show runs a command: that needs --allow-scripts');
    expect(existsSync(folder.at('made.txt'))).toBe(false);
    const ran = await run(folder.path, ['p.xml', '--script', 's.json', '--allow-scripts']);
    expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: 'made\n\n' });
  });

  const asks = '<task name="t"><description>Ask.</description><tools>ask</tools></task>';
  const asking = script(
    { for: 't', tool_calls: [{ name: 'ask', input: { question: 'Which \u001b[31mcolour?' } }] },
    { for: 't', when: 'green', text: 'it is green' },
  );

  test('nobody can be asked without a terminal', async () => {
    using folder = await taskFolder({ 'p.xml': asks, 's.json': asking });
    const ran = await run(folder.path, ['p.xml', '--script', 's.json']);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('p.xml:1:1 the tool ask of t cannot be used: it needs a terminal to ask on');
  });

  const hasTerminal = existsSync('/usr/bin/script');
  test.skipIf(!hasTerminal)(
    `on a terminal the question is printed and a line read${hasTerminal ? '' : ' (skipped: no program "script")'}`,
    async () => {
      using folder = await taskFolder({ 'p.xml': asks, 's.json': asking });
      const command = `'${process.execPath}' '${entry}' task run p.xml --script s.json`;
      const child = spawn('/usr/bin/script', ['-qec', command, '/dev/null'], { cwd: folder.path });
      let said = '';
      let answered = false;
      child.stdout.on('data', (text: Buffer) => {
        said += text.toString();
        if (answered || !said.includes('colour?')) return;
        answered = true;
        child.stdin.write('green\n');
      });
      const code = await new Promise(resolve => child.once('close', resolve));
      expect(code, said).toBe(0);
      expect(said).toContain('Which [31mcolour?');
      expect(said).toContain('it is green');
      expect(said).toMatch(/COMPLETE after 2 model calls, \$0\.0000/);
    },
  );
});

describe('interrupted', () => {
  test.each<{ more: string[]; stdout: string }>([
    { more: [], stdout: '' },
    { more: ['--json'], stdout: '{"error":{"message":"ended by SIGINT"}}\n' },
  ])('Ctrl-C ends the commands and gives 130 $more', async ({ more, stdout }) => {
    const program = '<task type="script" name="s"><command>echo x &gt; started; sleep 3217</command></task>';
    using folder = await taskFolder({ 'p.xml': program, 's.json': script() });
    const running = startCli(['task', 'run', 'p.xml', '--script', 's.json', '--allow-scripts', ...more], {
      cwd: folder.path,
    });
    await until('the command', () => existsSync(folder.at('started')) || undefined, {
      more: () => running.ran.stderr,
    });
    running.kill('SIGINT');
    expect(await running.ended).toEqual({ code: 130, stdout, stderr: 'interrupted\n' });
    expect(sleeping('3217')).toEqual([]);
  });

  /** Greets, waits for the file `go`, and counts. */
  const waiting = greeting.replace(
    '<task name="count">',
    '<task type="script" name="wait"><command>touch waits; until test -e go; do sleep 0.1; done</command></task>\n<task name="count">',
  );

  test('a trace has what happened up to a SIGKILL, in whole lines, and no new run writes over it', async () => {
    const key = 'sk-ant-test-0123456789abcdef';
    using folder = await taskFolder({ 'p.xml': waiting, 's.json': greets });
    const args = ['p.xml', '--allow-scripts', '--input', `who=${key}`, '--script', 's.json'];
    const running = startCli(['task', 'run', ...args, '--trace', 't.jsonl'], {
      ...{ cwd: folder.path, env: { ANTHROPIC_API_KEY: key } },
    });
    await until('the command', () => existsSync(folder.at('waits')) || undefined, {
      more: () => running.ran.stderr,
    });
    running.kill('SIGKILL');
    await running.ended;
    const left = readFileSync(folder.at('t.jsonl'), 'utf8');
    const spans = left
      .split('\n')
      .slice(0, -1)
      .map(line => JSON.parse(line));
    const names = spans.map(({ resourceSpans: [of] }) => of.scopeSpans[0].spans[0].name);
    expect(names).toEqual(['chat claude-sonnet-5-5', 'invoke_agent greet', 'greet']);
    expect(left).toContain('Greet ***');
    expect(left).not.toContain(key);

    expect(await run(folder.path, [...args, '--trace', 't.jsonl'])).toMatchObject({
      ...{ code: 2, stderr: expect.stringContaining('--trace t.jsonl: is there already; name a new file') },
    });
    expect(readFileSync(folder.at('t.jsonl'), 'utf8')).toBe(left);
  });

  test("a journal is one process's, goes on after SIGKILL in the middle, and after a line that was cut off", async () => {
    using folder = await taskFolder({ 'p.xml': waiting, 's.json': greets, 'o.json': script() });
    const asked = ['p.xml', '--allow-scripts', '--journal', 'journal'];
    const args = [...asked, '--input', 'who=Ada', '--script', 's.json'];
    const running = startCli(['task', 'run', ...args], { cwd: folder.path });
    await until('the command', () => existsSync(folder.at('waits')) || undefined, {
      more: () => running.ran.stderr,
    });
    const second = await run(folder.path, args);
    expect(second).toMatchObject({ code: 2, stdout: '' });
    expect(second.stderr).toMatch(/^--journal journal is in use by another process; /);
    running.kill('SIGKILL');
    await running.ended;
    appendFileSync(folder.at('journal'), '{"key":"task/st');
    writeFileSync(folder.at('go'), '');

    const again = await run(folder.path, [...args, '--debug']);
    expect(again, again.stderr).toMatchObject({ code: 0, stdout: 'Eight\nletters: 8\n' });
    expect(again.stderr).toContain('goes on after 1 result of journal');
    expect(again.stderr).not.toContain('greet: replied');

    expect(await run(folder.path, args)).toEqual({
      code: 0,
      stdout: 'Eight\nletters: 8\n',
      stderr: 'everything was in journal already; delete it to run again\n',
    });

    const refused = async (more: string[], says: string) => {
      const ran = await run(folder.path, [...asked, ...more]);
      expect(ran.code).toBe(2);
      expect(ran.stderr).toContain(`--journal journal is the journal of ${says}`);
    };
    await refused(['--input', 'who=Bo', '--script', 's.json'], 'other inputs; name another file');
    await refused(
      ['--input', 'who=Ada', '--script', 'o.json'],
      'another model, or another script of replies',
    );
    await refused(['--input', 'who=Ada', '--script', 's.json', '--folder', '..'], 'work in the folder ');
  });
});

/** Processes that have `argument` in their command line. */
function sleeping(argument: string): string[] {
  if (!existsSync('/proc/self/cmdline')) return [];
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(pid => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8')];
      } catch {
        return [];
      }
    })
    .filter(line => line.split('\0').includes(argument));
}
