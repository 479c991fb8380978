// The product's repository as a release has it, for stories whose workflows name it: built once in a run of the tests.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { productRepository } from '../../src/doors/cli/product-repository.ts';
import { madeOnce } from '../made-once.ts';

/** Its path; it is only read. */
export const productOnce = async (): Promise<string> =>
  join(await madeOnce('product', async into => void (await productRepository(into))), 'product');

/** Lays it where a local GitHub in `folder` looks for it. Gives variables for jobs: Node compiles the product once for all. */
export async function productIn(folder: string): Promise<{ NODE_COMPILE_CACHE: string }> {
  const product = await productOnce();
  mkdirSync(folder, { recursive: true });
  symlinkSync(product, join(folder, 'product'));
  return { NODE_COMPILE_CACHE: join(product, '../compiled') };
}
