// An own tool: how many of a part are in stock. It only reads: several calls of one reply are carried out side by side.
import { type OwnTool, z } from 'echelon';

const input = z.object({ part: z.string().describe('the number of the part, such as A-12') });

export const inStock = (stock: ReadonlyMap<string, number>): OwnTool<typeof input> => ({
  name: 'in_stock',
  description: 'How many of a part are in stock.',
  input,
  output: z.int(),
  readOnly: true,
  run({ part }) {
    const count = stock.get(part);
    if (count === undefined) throw new Error(`there is no part ${part}`);
    return count;
  },
});
