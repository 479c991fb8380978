// The sitting that docs/cli.md shows goes as it is shown.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { piped } from './sitting.ts';

const usage = {
  input_tokens: 30,
  output_tokens: 10,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  cost_usd: 0.002,
};
const replies = [
  {
    for: 'draft',
    text: '{"content": "A cache keeps what was asked for before. It answers faster.", "outputs": {"files": 4}}',
    usage,
  },
  { for: 'shortener', text: 'A cache remembers.', usage },
];

test('what is entered is answered as the page says', async () => {
  const page = readFileSync('docs/cli.md', 'utf8');
  const [, block = ''] = /```text\n(echelon> .*?)```/s.exec(page) ?? [];
  const prompt = /^(?:echelon> | {4}\.\.\.> )/;
  const lines = block.trimEnd().split('\n');
  const entered = lines.filter(line => prompt.test(line)).map(line => line.replace(prompt, ''));
  const { texts } = await piped(entered.join('\n'), { replies });
  expect(texts).toHaveLength(7);
  expect(texts.join('\n')).toBe(lines.filter(line => !prompt.test(line)).join('\n'));
});
