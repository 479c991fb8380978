// Events for the listener to one call that is made several times.
import type { ModelEvent } from './model.ts';

type Listener = (event: ModelEvent) => void;

/**
 * `next` is the listener of the next try: what comes of one before is not heard any more. `dropped` tells that the try
 * has failed, where anything was told of it.
 */
export function overTries(onEvent: Listener | undefined): { next(): Listener | undefined; dropped(): void } {
  let tries = 0;
  let begun = false;
  return {
    next() {
      const own = ++tries;
      return (
        onEvent &&
        (event => {
          if (own !== tries) return;
          begun = event.type !== 'restart';
          onEvent(event);
        })
      );
    },
    dropped() {
      tries++;
      if (begun) onEvent?.({ type: 'restart' });
      begun = false;
    },
  };
}
