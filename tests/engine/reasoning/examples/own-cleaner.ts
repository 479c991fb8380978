// A cleaner: says after a failed attempt what it printed last, which would else be gone with it.
import type { Registry } from 'echelon';

export function addLastWords({ cleaners }: Registry): void {
  cleaners.register({
    name: 'lastWords',
    clean(context, { failed }) {
      const line = failed.console.at(-1);
      if (!line) return context;
      return { ...context, notes: [...context.notes, `Before it failed it printed: ${line.text}`] };
    },
  });
}
