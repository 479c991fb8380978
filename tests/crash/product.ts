// The product's repository as a release has it, for stories whose workflows name it: built once in a run of the tests.
import { join } from 'node:path';
import { productRepository } from '../../src/doors/cli/product-repository.ts';
import { madeOnce } from '../made-once.ts';

/** Its path; it is only read. */
export const productOnce = async (): Promise<string> =>
  join(await madeOnce('product', async into => void (await productRepository(into))), 'product');
