import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slugOf } from '../src/slug.js';

test('words are joined by dashes', () => assert.equal(slugOf('Hello world'), 'hello-world'));
