// A classifier's rule: errors of a class of their own, with the retry policy of the example before it.
import type { Registry } from 'echelon';

export function addBusy({ rules }: Registry): void {
  rules.register({
    name: 'busy',
    matches: ({ error }) => error.code === 'EBUSY',
    row: {
      class: 'BUSY',
      category: 'external',
      severity: 'low',
      retry: true,
      attempts: 4,
      cleanContext: true,
      needsModel: false,
      retryPolicy: 'steady',
    },
  });
}
