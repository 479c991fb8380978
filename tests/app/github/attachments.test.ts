// Images of an issue, read as GitHub's HTML names them.
import { expect, test } from 'vitest';
import { asset, type Case, dropped, images, img, png, shown, signed } from './issue-images.ts';
import { place } from './place.ts';

test('an attachment is read by its signed address, without a token', async () => {
  const { found, asked, authorized } = await images({});
  expect(found).toEqual([{ name: asset(1), image: { type: 'image/png', data: png.toString('base64') } }]);
  expect(asked).toEqual([`${signed}/1/2-${asset(1)}.png?jwt=a.b&c=d`]);
  expect(authorized).toEqual([null]);
});

test.each<[string, Case, string[]]>([
  [
    'one as HTML',
    { text: `<img width="900" src="https://github.com/user-attachments/assets/${asset(1)}" />` },
    ['image/png'],
  ],
  [
    'one of before 2023',
    {
      text: '![](https://user-images.githubusercontent.com/1/2-a.gif)',
      html: img('https://user-images.githubusercontent.com/1/2-a.gif'),
      file: { body: Buffer.from('GIF89a') },
    },
    ['image/gif'],
  ],
  [
    'a JPEG with the name of a PNG',
    { file: { body: Buffer.from([0xff, 0xd8, 0xff, 0xe0]), headers: { 'content-type': 'image/png' } } },
    ['image/jpeg'],
  ],
  ['WebP', { file: { body: Buffer.from('RIFF\x08\x08\x08\x08WEBPVP8 ', 'latin1') } }, ['image/webp']],
  [
    'what is no image, whatever it says',
    { file: { body: Buffer.from('<svg/>'), headers: { 'content-type': 'image/png' } } },
    ['it is no PNG, JPEG, GIF or WebP'],
  ],
  ['a dead link', { file: { status: 404 } }, ['its server answered 404']],
  [
    'one too large',
    { file: { body: Buffer.concat([png, Buffer.alloc(3_750_000)]) } },
    ['it has more than 3750000 bytes'],
  ],
  [
    'five',
    { text: [1, 2, 3, 4, 5].map(dropped).join('\n'), html: [1, 2, 3, 4, 5].map(n => img(shown(n))).join('') },
    [...Array(4).fill('image/png'), 'only the first 4 are read'],
  ],
])('%s', async (_name, given, outcomes) => {
  expect((await images(given)).outcomes).toEqual(outcomes);
});

test('a text without an image costs no call; a failed call is one image that was not read', async () => {
  const { github, asked } = place(() => ({ status: 404, body: { message: 'Not Found' } }));
  const { signal } = new AbortController();
  expect(await github.images({ number: 7, body: 'No image.' }, signal)).toEqual([]);
  expect(asked).toEqual([]);
  expect(await github.images({ number: 7, body: dropped(1) }, signal)).toEqual([
    { name: 'all', problem: expect.stringContaining('Not Found') },
  ]);
});
