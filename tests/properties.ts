// fast-check for the properties: a fixed seed, so that a change is judged by itself. FC_SEED=random looks further.
import { randomInt } from 'node:crypto';
import fc from 'fast-check';

const { FC_SEED = '1' } = process.env;
const seed = FC_SEED === 'random' ? randomInt(2 ** 31) : Number(FC_SEED);
if (!Number.isInteger(seed)) throw new Error(`FC_SEED is "${FC_SEED}"; write an integer, or random`);
fc.configureGlobal({ seed });

export default fc;
