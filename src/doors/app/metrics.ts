// Numbers for Prometheus. Their labels name kinds, never a repository, an issue or a person: those may be private.
import { Gauge, Registry } from 'prom-client';
import { systemClock } from '@echelon/ground';
import type { GithubLimits } from './github-limits.ts';
import type { Installations } from './installations.ts';

/** Reads what this process knows whenever it is asked; runs are those it has looked at since it began. */
export function metricsOf(installations: Installations, github: GithubLimits): Registry {
  const registers = [new Registry()] as [Registry];
  const views = () => installations.repositories().flatMap(({ views }) => [...views.values()]);
  new Gauge({
    name: 'echelon_runs',
    help: 'Runs that this process has looked at since it began, by phase and status.',
    labelNames: ['phase', 'status'],
    registers,
    collect() {
      this.reset();
      for (const { phase, status } of views()) this.inc({ phase, status });
    },
  });
  new Gauge({
    name: 'echelon_queue_length',
    help: 'Pieces of work on issues that are under way or wait for their turn.',
    registers,
    collect() {
      this.set(installations.repositories().reduce((sum, { queue }) => sum + queue.size(), 0));
    },
  });
  new Gauge({
    name: 'echelon_github_calls_left',
    help: "Calls that GitHub's limit leaves until it begins anew: the least of all installations.",
    labelNames: ['resource'],
    registers,
    collect() {
      this.reset();
      for (const [resource, left] of github.callsLeft(systemClock.now())) this.set({ resource }, left);
    },
  });
  new Gauge({
    name: 'echelon_wait_seconds',
    help: 'Seconds until work goes on that waits for a limit: the longest wait for GitHub and for the model.',
    labelNames: ['for'],
    registers,
    collect() {
      const now = systemClock.now();
      const model = installations.repositories().map(({ provider }) => provider.until() ?? now);
      this.set({ for: 'github' }, Math.max(0, ...github.waits().map(until => until - now)) / 1000);
      this.set({ for: 'model' }, Math.max(0, ...model.map(until => until - now)) / 1000);
    },
  });
  new Gauge({
    name: 'echelon_spent_dollars',
    help: 'US dollars spent on models by the runs that this process has looked at since it began.',
    registers,
    collect() {
      this.set(views().reduce((sum, { cost_usd }) => sum + cost_usd, 0));
    },
  });
  return registers[0];
}
