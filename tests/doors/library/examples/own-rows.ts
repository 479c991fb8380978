// Own rows: a policy and a strategy for calculations, what the vault may not keep, a class of errors and its waits.
import type { ExecutionRows } from 'echelon';

export const rows: ExecutionRows = {
  policies: [
    {
      name: 'patient',
      strategy: 'no dates',
      timeLimitMs: 120_000,
      retries: 4,
      cleanContext: true,
      logAttempts: true,
      verboseErrors: false,
    },
  ],
  strategies: [
    {
      name: 'no dates',
      again: true,
      refuse: code =>
        code.includes('Date.now') ? { name: 'Error', message: 'the time is none of the input' } : undefined,
    },
  ],
  vault: [({ content }) => (/\bsk-\w+/.test(content) ? 'a key is kept nowhere' : undefined)],
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
