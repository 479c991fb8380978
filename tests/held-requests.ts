// nock for one test: it holds the requests of the whole process, in which other files of tests follow.
import nock from 'nock';
import { onTestFinished } from 'vitest';

// Merely loaded it holds them already.
nock.restore();

/** Routes connections through nock until the present test ends. Its interceptors begin empty. */
export function holdRequests(): void {
  nock.cleanAll();
  if (nock.isActive()) return;
  nock.activate();
  onTestFinished(() => {
    nock.cleanAll();
    nock.enableNetConnect();
    nock.restore();
  });
}
