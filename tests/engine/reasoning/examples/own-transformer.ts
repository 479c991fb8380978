// A result transformer: keeps what looks like a key out of records, the vault and the conversation.
import type { Registry } from 'echelon';

export function addMask({ transformers }: Registry): void {
  transformers.register({
    name: 'mask',
    transform: ({ value, valueKind }) => ({ value: value.replaceAll(/sk-\w+/g, '[masked]'), valueKind }),
  });
}
