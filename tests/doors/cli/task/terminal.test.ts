// `task run` on a terminal of its own: what is seen while a reply comes, what is left, and where nothing of it is shown.
import { expect, test } from 'vitest';
import { hasTerminals, onTerminal } from '../on-terminal.ts';
import { script, taskFolder } from './fixture.ts';

const story = 'Once upon a time there was a text that came in pieces.';

const storyFolder = () =>
  taskFolder({
    'tell.xml': '<task name="tell"><description>Tell a story.</description></task>',
    'replies.json': script({ for: 'tell', text: story, delay_ms: 900 }),
  });

const tell = 'task run tell.xml --script replies.json';

const erases = '\u001b[J';

test.runIf(hasTerminals)(
  'a reply is seen as it comes, and gives way to the result (skipped without script)',
  async () => {
    using folder = await storyFolder();
    const { all, code } = await onTerminal(folder.path, tell);
    expect(code).toBe(0);
    const [first = '', ...others] = all.split(erases);
    expect(first).toContain('Once upon a');
    expect(first).not.toContain('in pieces');
    expect(others.join('')).toContain('in pieces');
    // The result stands alone, behind the last that was erased.
    expect(all.slice(all.lastIndexOf(erases))).toContain(story);
    expect(all.slice(all.lastIndexOf(story))).not.toContain('\u001b');
  },
);

test.runIf(hasTerminals)('Ctrl-C leaves nothing of it (skipped without script)', async () => {
  using folder = await storyFolder();
  const { all, code } = await onTerminal(folder.path, tell, { interruptAt: 'Once' });
  expect(code).toBe(130);
  const rest = all.slice(all.lastIndexOf(erases));
  expect(rest).toContain('interrupted');
  expect(rest).not.toContain('Once');
});

test.runIf(hasTerminals).each([
  ['NO_COLOR', { env: { NO_COLOR: '1' } }],
  ['a terminal without sequences', { env: { TERM: 'dumb' } }],
  ['--json', { more: '--json' }],
])(
  '%s: no sequence is sent (skipped without script)',
  async (_name, { more = '', ...options }: { more?: string; env?: Record<string, string> }) => {
    using folder = await storyFolder();
    const { all, code } = await onTerminal(folder.path, `${tell} ${more}`, options);
    expect(code).toBe(0);
    expect(all).toContain(story);
    expect(all).not.toContain('\u001b');
  },
);
