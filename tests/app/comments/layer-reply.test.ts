// Layers' replies fit a comment at any length.
import { expect, test } from 'vitest';
import { layerReplies, withReplies } from '../../../src/app/comments/layer-reply.ts';
import { MAX_BODY } from '../../../src/app/comments/neutral.ts';
import type { LayerReply } from '../../../src/app/comments/view.ts';

const short: LayerReply = {
  ...{ layer: 'team-lead', prose: 'All of it.', cost_usd: 0, ms: 1, model: 'm' },
  ...{ asked: [], dropped: [], ignored: [], drafts: '', faults: [] },
};
/** 50 blocks of 50 actions: as many as are read of a reply. */
const many = <T>(of: T): T[] => Array<T>(2500).fill(of);
const told = { line: 1, reason: 'x'.repeat(300) };

test.for<[name: string, reply: Partial<LayerReply>]>([
  ['prose', { prose: 'word '.repeat(20_000) }],
  ['line ends', { prose: `a${'\n'.repeat(100_000)}b` }],
  ['actions', { asked: many({ what: 'work on all issues of this run', how: 'waits' }) }],
  ['actions that it may not use', { dropped: many({ action: 'schedule', reason: 'it may not' }) }],
  ['blocks that are none', { ignored: many(told), faults: many(told.reason) }],
  [
    'all of it',
    {
      prose: 'word '.repeat(20_000),
      ...{
        asked: many({ what: 'ask', how: 'y'.repeat(300) }),
        ignored: many(told),
        faults: many(told.reason),
      },
    },
  ],
])('%s without end', ([, reply]) => {
  const whole = { ...short, ...reply };
  expect(layerReplies([whole])[0]?.length).toBeLessThan(16_000);
  const body = withReplies('Said.', { replies: Array<LayerReply>(9).fill(whole) });
  expect(body.length).toBeLessThan(MAX_BODY);
  expect(body.match(/<details>/g)).toHaveLength(9);
});
