// Writes a result to stdout, so that one that does not arrive is a failure.
import { codeOf } from '@echelon/ground';

/** The message says why. */
export class OutputFailure extends Error {
  override readonly name = 'OutputFailure';
}

/**
 * Writes `text` and a line end, and waits until it is written. Throws OutputFailure where it cannot be (a full disk);
 * a reader that is gone (`| head`) has read what it wanted.
 */
export async function print(text: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // Without a listener the stream's own event would end the process before the callback speaks.
  if (!process.stdout.listeners('error').includes(spokenOf)) process.stdout.on('error', spokenOf);
  process.stdout.write(`${text}\n`, error => {
    if (!error || codeOf(error) === 'EPIPE') resolve();
    else
      reject(new OutputFailure(`the result cannot be written to stdout: ${error.message}`, { cause: error }));
  });
  await promise;
}

function spokenOf(): void {}
