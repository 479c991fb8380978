// Own rows: a policy for long calculations, a class of errors, and the waits before such code is tried again.
import type { ExecutionRows } from 'echelon';

export const rows: ExecutionRows = {
  policies: [
    {
      name: 'patient',
      strategy: 'retry',
      timeLimitMs: 120_000,
      retries: 4,
      cleanContext: true,
      logAttempts: true,
      verboseErrors: false,
    },
  ],
  retryPolicies: [{ name: 'steady', attempts: 4, baseMs: 250, factor: 1, capMs: 250, jitter: 0 }],
  errors: [
    {
      class: 'BUSY',
      category: 'external',
      severity: 'low',
      when: [{ codes: ['EBUSY'] }, { names: ['QuotaError'], message: /\btry again\b/ }],
      attempts: 4,
      cleanContext: true,
      needsModel: false,
      retryPolicy: 'steady',
    },
  ],
};
