// An execution policy for long calculations. It uses the strategy of the example before it.
import type { Registry } from 'echelon';

export function addPatient({ policies }: Registry): void {
  policies.register({
    name: 'patient',
    strategy: 'quick-first',
    timeLimitMs: 120_000,
    retries: 2,
    cleanContext: true,
    logAttempts: true,
    verboseErrors: false,
  });
}
