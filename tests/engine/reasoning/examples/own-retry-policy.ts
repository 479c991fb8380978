// A retry policy: the same short wait before each of three attempts more.
import type { Registry } from 'echelon';

export function addSteady({ retryPolicies }: Registry): void {
  retryPolicies.register({ name: 'steady', attempts: 4, baseMs: 250, factor: 1, capMs: 250, jitter: 0 });
}
