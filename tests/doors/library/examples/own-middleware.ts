// Middleware: tells the model which turn it is, and collects the session's errors for whoever started it.
import type { Middleware } from 'echelon';

export function countdown(turns: number, errors: string[]): Middleware {
  return {
    name: 'countdown',
    preIteration({ n, messages }) {
      const last = messages.at(-1);
      if (!last) return { n, messages };
      const note = { type: 'text' as const, text: `This is turn ${n} of ${turns}.` };
      return { n, messages: [...messages.slice(0, -1), { ...last, content: [...last.content, note] }] };
    },
    onError: error => void errors.push(error),
  };
}
