// Output of a `mode: task` step with secrets around: values masked, outputs still JSON, errors too.
import { Buffer } from 'node:buffer';
import { expect, test } from 'vitest';
import { chooseIsolation } from '../../../packages/ground/workspace/isolation.ts';
import { script, taskFolder } from '../cli/task/fixture.ts';
import type { Files } from '../../ground/workspace/fixture.ts';
import { taskStep } from './task-step.ts';

const bubblewrap = await chooseIsolation('bubblewrap', { secretsPresent: true }).catch(() => undefined);

async function step(files: Files, env: Record<string, string>) {
  using folder = await taskFolder(files);
  return await taskStep(folder, { task: 'p.xml', script: 's.json' }, { env });
}

const says = (content: string, n: string) => ({
  'work/p.xml': '<task name="t"><description>x</description><output name="n" type="json"/></task>',
  'work/s.json': script({
    for: 't',
    text: `<result status="COMPLETE"><content>${content}</content><output name="n">${n}</output></result>`,
  }),
});

test.each<[name: string, n: string, masked: string]>([
  ['a number', '1234567', '{"n":"***"}'],
  ['text that JSON escapes', '"a\\\\needle-value"', '{"n":"a\\\\***"}'],
])('outputs with %s are JSON', async (_name, n, masked) => {
  const ran = await step(says('x', n), { PIN_KEY: '1234567', OTHER_KEY: 'needle-value' });
  expect(ran.code, ran.log).toBe(0);
  expect(ran.output).toContain(`\n${masked}\n`);
});

test.each(['TOKEN', 'NPM_AUTHTOKEN', 'my_password', 'GH_PAT', 'INPUT_TOKEN'])('%s is masked', async name => {
  const ran = await step(says('ordinary-0123456789', '1'), { [name]: 'ordinary-0123456789' });
  expect(ran.code, ran.log).toBe(0);
  expect(ran.output).toContain('\n***\n');
});

test('an error of the step itself is masked', async () => {
  const ran = await step(says('x', '1'), {
    ...{ MY_TOKEN: 'ordinary-0123456789', GITHUB_OUTPUT: '/nonexistent/ordinary-0123456789' },
  });
  expect(ran.code).toBe(1);
  expect(ran.log).toContain('::error::');
  expect(ran.log).not.toContain('ordinary-0123456789');
});

const token = 'ordinary-token-0123456789';
const basic = Buffer.from(`x-access-token:${token}`).toString('base64');
const checkout = {
  'work/.git/HEAD': 'ref: refs/heads/main\n',
  'work/.git/objects/x': '',
  'work/.git/config': `[http "https://github.com/"]\n\textraheader = AUTHORIZATION: basic ${basic}\n`,
  'work/p.xml': '<task type="script"><command>cat .git/config; echo ran</command></task>',
  'work/s.json': script(),
};

test.skipIf(!bubblewrap)('a command does not see the token that the checkout left', async () => {
  const ran = await step(checkout, { INPUT_ALLOW_SCRIPTS: 'true' });
  expect(ran.code, ran.log).toBe(0);
  expect(ran.output).toContain('\nran\n');
  expect(ran.output).not.toMatch(/extraheader|\*\*\*/);
});

test('where nothing keeps commands in, nothing runs beside such a token', async () => {
  const ran = await step(checkout, { INPUT_ALLOW_SCRIPTS: 'true', ECHELON_ISOLATION: 'none' });
  expect(ran.output + ran.log).not.toContain(basic);
  if (bubblewrap) return;
  expect(ran.code).toBe(1);
  expect(ran.log).toContain('persist-credentials: false');
});

test('the token of the checkout is masked wherever it comes from', async () => {
  const told = says(`${token} ${basic}`, '1');
  const ran = await step({ ...checkout, ...told }, {});
  expect(ran.code, ran.log).toBe(0);
  expect(ran.output).toContain('\n*** ***\n');
});
