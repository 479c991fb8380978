// Full-text narrowing: what a request finds in a small made-up repository, and in a list of templates.
import { expect, test } from 'vitest';
import { describeFile } from '../../../../src/engine/tasks/memory/describe.ts';
import type { IndexEntry } from '../../../../src/engine/tasks/memory/global-index.ts';
import { narrow, rank } from '../../../../src/engine/tasks/memory/narrow.ts';
import { cpuNow } from '../../../cpu-time.ts';

const files: Record<string, string> = {
  'README.md': '# A shop for used books\n',
  'docs/deployment.md': '# How to deploy to the cluster\n',
  'src/auth/login.ts': '// Signs people in with a password.\nexport function signIn() {}\n',
  'src/auth/session-store.ts': '// Sessions in Redis, with their expiry.\nexport class SessionStore {}\n',
  'src/cart/cart.ts':
    '// The shopping cart: items and totals.\nexport const addItem = 1;\nexport const cartTotal = 1;\n',
  'src/cart/discount.ts': '// Vouchers and percentages off.\nexport function applyDiscount() {}\n',
  'src/catalogue/search.ts': '// Finds books by title, author or ISBN.\nexport function searchBooks() {}\n',
  'src/catalogue/HTTPClient.ts': '// Fetches covers from the library service.\n',
  'src/payment/card.ts': '// Charges a credit card.\nexport function charge() {}\n',
  'src/payment/refunds.ts': '// Gives money back.\nexport function refundOrder() {}\n',
  'src/mail/templates.ts': '// Texts of the mails we send.\nexport function orderConfirmation() {}\n',
  'src/main.ts': '// Starts the server.\n',
  'migrations/001_create_orders.sql': '-- Orders and order lines.\n',
  'tests/cart.test.ts': '// Totals with and without discounts.\n',
  Dockerfile: '# Builds the image of the server.\n',
  'übersicht/größe.md': '# Größe der Bücher\n',
};

const entries: IndexEntry[] = Object.entries(files)
  .map(([path, text]) => ({ path, digest: path, bytes: text.length, metadata: describeFile(path, text) }))
  .sort((a, b) => (a.path < b.path ? -1 : 1));

const found = (query: string, most = 3) => narrow(entries, query, most).map(({ entry }) => entry.path);

test.each<[query: string, first: string, among?: string[]]>([
  ['The login form does not accept my password', 'src/auth/login.ts'],
  ['users lose their sessions after a restart of redis', 'src/auth/session-store.ts'],
  ['SessionStore', 'src/auth/session-store.ts'],
  ['session_store', 'src/auth/session-store.ts'],
  ['wrong total when a voucher is applied', 'src/cart/discount.ts', ['src/cart/cart.ts']],
  ['cart totals', 'src/cart/cart.ts', ['tests/cart.test.ts']],
  ['searching for books by author', 'src/catalogue/search.ts'],
  ['http client', 'src/catalogue/HTTPClient.ts'],
  ['refunding an order', 'src/payment/refunds.ts'],
  ['charging credit cards fails', 'src/payment/card.ts'],
  ['confirmation mail', 'src/mail/templates.ts'],
  ['create the orders table in a migration', 'migrations/001_create_orders.sql'],
  ['deploying', 'docs/deployment.md'],
  ['refnd', 'src/payment/refunds.ts'],
  ['docker image', 'Dockerfile'],
  ['GRÖSSE größe', 'übersicht/größe.md'],
  ['src/payment/card.ts', 'src/payment/card.ts'],
])('%s finds %s', (query, first, among = []) => {
  const paths = found(query);
  expect(paths[0]).toBe(first);
  expect(paths).toEqual(expect.arrayContaining(among));
});

test.each<[string, string]>([
  ['nothing', ''],
  ['punctuation', '!?.,;:(){}[]<>/\\*+-^$|"\'`~@#%&='],
  ['words that say nothing', 'the and of to it is'],
  ['words that are not there', 'zzzzzz qqqqqq'],
  ['control characters', '\0\u0001\u202e\u2028'],
  ['halves of characters', '\ud800\udc00\ud800'],
])('%s finds nothing', (_name, query) => {
  expect(found(query)).toEqual([]);
});

test('scores fall, lie in 0..1, and are 1 only where all words occur', () => {
  const all = narrow(entries, 'cart total', 10).map(({ score }) => score);
  expect(all[0]).toBe(1);
  expect(all).toEqual([...all].sort((a, b) => b - a));
  expect(Math.min(...all)).toBeGreaterThan(0);
  expect(narrow(entries, 'cart spaceship telescope', 10)[0]!.score).toBeLessThan(0.5);
  expect(narrow(entries, 'cart', 1)).toHaveLength(1);
  expect(narrow(entries, 'cart', 0)).toEqual([]);
  expect(narrow([], 'cart', 5)).toEqual([]);
});

test('equal scores are in the order of the paths, whatever the order of the entries', () => {
  const same = ['c', 'a', 'b'].map(name => ({
    path: `${name}/x.ts`,
    digest: name,
    bytes: 1,
    metadata: 'budget',
  }));
  for (const list of [same, [...same].reverse()])
    expect(narrow(list, 'budget', 3).map(({ entry }) => entry.path)).toEqual(['a/x.ts', 'b/x.ts', 'c/x.ts']);
});

test('ranking keeps the given order where scores are equal', () => {
  const items = ['review the code', 'write tests', 'review the code', 'plan a release'];
  const ranked = rank(
    items.map((text, at) => ({ text, at })),
    item => item.text,
    'code review',
    5,
  );
  expect(ranked.map(({ item }) => item.at)).toEqual([0, 2]);
  expect(ranked.map(({ score }) => score)).toEqual([1, 1]);
  expect(rank(items, text => text, 'release plan please', 1)).toEqual([{ item: 'plan a release', score: 1 }]);
  expect(rank([], String, 'x', 5)).toEqual([]);
  expect(rank(['a'], text => text, 'unrelated', 5)).toEqual([]);
});

test.each<[string, string]>([
  ['a megabyte of one word', 'a'.repeat(1_000_000)],
  ['many different words', Array.from({ length: 100_000 }, (_, at) => `word${at}`).join(' ')],
  ['alternating case', 'aB'.repeat(500_000)],
  ['names of prototypes', '__proto__ constructor hasOwnProperty toString valueOf'],
  ['ligatures that unfold', '\ufdfa'.repeat(100_000)],
])('%s as a query harms nothing', (_name, query) => {
  const began = cpuNow();
  expect(() => narrow(entries, query, 5)).not.toThrow();
  expect(() => rank([query, 'cart'], text => text, query, 5)).not.toThrow();
  expect(cpuNow() - began).toBeLessThan(3000);
});

test('10,000 entries are searched in under a second, and again in less', () => {
  const many = Array.from({ length: 10_000 }, (_, at) => ({
    path: `src/part${at % 97}/file${at}.ts`,
    digest: `${at}`,
    bytes: 1000,
    metadata: `TypeScript, 1.0 KB: Does the work of ${at}; exports readName${at}, writeName${at}, checkName${at}`,
  }));
  const query = 'the work of 4711 is not checked when names are written';
  const began = cpuNow();
  expect(narrow(many, query, 5)[0]?.entry.path).toContain('file4711.ts');
  // Three times the aim: caches are shared with the tests that run beside this one.
  expect(cpuNow() - began).toBeLessThan(3000);
});
