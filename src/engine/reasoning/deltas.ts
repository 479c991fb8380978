// A reply as it comes, for people to watch: in few events, and without what a text could do to who sees it.
import { type Clock, inPieces, type Mask, masker, visible } from '@echelon/ground';
import type { ModelEvent } from '../models/model.ts';
import type { Delta, SessionEvent } from './events.ts';

/** Milliseconds between two tellings of one kind; what comes meanwhile is told together. The first never waits. */
const PACE_MS = 100;

/** Characters of a tool's name: the model wrote it. */
const NAME = 100;

interface Channel {
  delta: Exclude<Delta, { kind: 'restart' }>;
  pieces: ReturnType<typeof inPieces>;
  /** Pieces since the last event. */
  untold: string;
}

/** Those of a kind with something untold, and when that may be told. */
interface Waiting {
  channels: Set<Channel>;
  next: number;
}

export interface DeltaOptions {
  session: string;
  task: string;
  turn: number;
  clock: Clock;
  onEvent: (event: SessionEvent) => unknown;
  mask?: Mask | undefined;
}

/**
 * The listener to one call of a model. What it tells of a text is masked and can be seen, as if it were done to the whole; what may
 * be the beginning of a secret waits for what follows. `end` tells the rest when the reply is there, and nothing after it. A
 * listener that throws hears no more of the call; one that answers a promise hears more when it is settled.
 */
export function deltasOf({ clock, onEvent, mask = masker([]), ...of }: DeltaOptions) {
  const channels = new Map<string, Channel>();
  const waiting = new Map<Delta['kind'], Waiting>();
  let attempt = 1;
  /** Of this attempt something was told. */
  let begun = false;
  let busy = false;
  let deaf = false;

  const tell = (delta: Delta) => {
    if (deaf) return;
    begun = true;
    try {
      const heard = onEvent({ type: 'model_delta', ...of, attempt, ...delta });
      if (!(heard instanceof Promise)) return;
      busy = true;
      heard.then(
        () => (busy = false),
        () => (deaf = true),
      );
    } catch {
      // The listener's error is its own: the reply goes on.
      deaf = true;
    }
  };
  const flush = (channel: Channel, last: boolean) => {
    const text = channel.pieces.add(channel.untold) + (last ? channel.pieces.end() : '');
    channel.untold = '';
    if (text !== '') tell({ ...channel.delta, text });
  };
  const add = (id: string, text: string, delta: Channel['delta']) => {
    if (deaf) return;
    const channel = channels.get(id) ?? { delta, pieces: inPieces(visible, mask), untold: '' };
    channels.set(id, channel);
    channel.untold += text;
    const own = waiting.get(delta.kind) ?? { channels: new Set(), next: Number.NEGATIVE_INFINITY };
    waiting.set(delta.kind, own);
    own.channels.add(channel);
    const now = clock.now();
    for (const kind of waiting.values()) if (!busy && now >= kind.next) flushAll(kind, now);
  };
  const flushAll = (kind: Waiting, now: number) => {
    if (kind.channels.size === 0) return;
    for (const channel of kind.channels) flush(channel, false);
    kind.channels.clear();
    kind.next = now + PACE_MS;
  };
  const restart = () => {
    channels.clear();
    waiting.clear();
    if (!begun) return;
    attempt++;
    tell({ kind: 'restart' });
    begun = false;
  };

  return {
    onEvent(event: ModelEvent): void {
      const { type } = event;
      if (type === 'restart') restart();
      if (type === 'text' || type === 'thinking') add(type, event.text, { kind: type, text: '' });
      if (type !== 'tool_input') return;
      const name = mask(visible(event.name.slice(0, NAME)));
      add(`call ${event.id}`, event.text, { kind: 'tool', name, text: '' });
    },
    end() {
      for (const channel of channels.values()) flush(channel, true);
      deaf = true;
    },
  };
}
