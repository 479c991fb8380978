// Attacks with the images of an issue: what an author, or whoever edits the text later, could have the product ask for.
import { expect, test } from 'vitest';
import { images, img, shown } from '../app/github/issue-images.ts';

const other = 'it is no attachment on GitHub';
test.each<[string, string, string?]>([
  ['another host', 'https://evil.example/a.png'],
  [
    'another host, by the proxy of GitHub',
    'https://evil.example/a.png',
    ' data-canonical-src="https://evil.example/a.png"',
  ],
  ['the service that knows a machine’s keys', 'http://169.254.169.254/latest/meta-data/a.png'],
  ['a host that begins as GitHub’s', 'https://user-images.githubusercontent.com.evil.example/a.png'],
  ['a user name that is GitHub’s host', 'https://user-images.githubusercontent.com@evil.example/a.png'],
  ['another port', 'https://user-images.githubusercontent.com:8443/a.png'],
  ['no encryption', 'http://user-images.githubusercontent.com/a.png'],
])('%s is never asked', async (_name, address, proxied = '') => {
  const html = img(proxied ? 'https://camo.githubusercontent.com/1/2' : address, proxied);
  const { outcomes, asked } = await images({ text: `![](${address})`, html });
  expect(outcomes).toEqual([other]);
  expect(asked).toEqual([]);
});

test.each(['width="1"', 'height="0"', 'width="1%"'])(
  'what is shown with %s, so that only a model sees it, is not read',
  async size => {
    const html = img(shown(1)).replace('width="900"', size);
    const { outcomes, asked } = await images({ html });
    expect(outcomes).toEqual(['it is shown too small to be seen']);
    expect(asked).toEqual([]);
  },
);

test('a redirect is not followed', async () => {
  const file = { status: 302, headers: { location: 'http://169.254.169.254/latest/meta-data' } };
  const { outcomes, asked } = await images({ file });
  expect(outcomes).toEqual(['its server answered 302']);
  expect(asked).toHaveLength(1);
});

test('an image that somebody added since the run began is not read', async () => {
  const { outcomes, asked } = await images({ html: img(shown(1)) + img(shown(2)) });
  expect(outcomes).toEqual(['image/png']);
  expect(asked).toHaveLength(1);
});
