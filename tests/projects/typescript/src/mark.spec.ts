import { expect, test } from 'vitest';
import { passed } from './mark.ts';

test('a four has passed', () => expect(passed(4)).toBe(true));
test('a five has not', () => expect(passed(5)).toBe(false));
