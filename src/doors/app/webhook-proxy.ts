// Fetches webhooks from a channel of smee.io, or of a server of its kind, where GitHub cannot reach this machine.
import { SmeeClient } from 'smee-client';

/** Sends on to `target` what comes to the channel; the signature is checked there. Answers how it is ended. */
export function fetchWebhooks(
  channel: string,
  target: string,
  warn: (line: string) => void,
): () => Promise<void> {
  let told = false;
  const client = new SmeeClient({
    source: channel,
    target,
    logger: {
      info() {},
      // Once, and not what was wrong with which request: whoever knows the channel's address reads along on it.
      error() {
        if (!told) warn('WEBHOOK_PROXY_URL: the channel does not answer, or a webhook of it was not taken');
        told = true;
      },
    },
  });
  client.start().catch(() => warn('WEBHOOK_PROXY_URL: the channel does not answer; it is tried again'));
  return () => client.stop();
}
