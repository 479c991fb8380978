import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slugOf } from '../src/slug.js';

test('words are joined by dashes', () => assert.equal(slugOf('Hello world'), 'hello-world'));
test('accents are dropped', () => assert.equal(slugOf('Crème brûlée'), 'creme-brulee'));
test('no dash stands at the ends', () => assert.equal(slugOf(' -- Hello, world! '), 'hello-world'));
test('a title without letters', () => assert.equal(slugOf('!!!'), 'untitled'));
test('a taken one is numbered', () => assert.equal(slugOf('A b', ['a-b', 'a-b-2']), 'a-b-3'));
