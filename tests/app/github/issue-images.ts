// An issue that shows images, on a GitHub whose hosts, and others, answer what a test says.
import nock from 'nock';
import { place } from './place.ts';

export const asset = (n: number) => `${n}3f1c0de-0000-4000-8000-00000000000${n}`;
export const signed = 'https://private-user-images.githubusercontent.com';
export const shown = (n: number) => `${signed}/1/2-${asset(n)}.png?jwt=a.b&amp;c=d`;
export const img = (src: string, more = '') =>
  `<p><a href="${src}"><img width="900" src="${src}"${more} alt="x"></a></p>`;
export const dropped = (n: number) => `![Image](https://github.com/user-attachments/assets/${asset(n)})`;
export const png = Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1');

export interface Case {
  text?: string;
  html?: string;
  file?: { status?: number; body?: Buffer; headers?: Record<string, string> };
}

/** Outcomes of an issue whose text shows `text` and whose HTML is `html`; `asked`: all requests for files. */
export async function images({ text = dropped(1), html = img(shown(1)), file = {} }: Case) {
  const { github } = place(() => ({ body: { body_html: html } }));
  const asked: string[] = [];
  const authorized: (string | null)[] = [];
  for (const host of [
    signed,
    'https://user-images.githubusercontent.com',
    'https://evil.example',
    'http://169.254.169.254',
    'https://camo.githubusercontent.com',
  ])
    nock(host)
      .persist()
      .get(/.*/)
      .reply((request: Request) => {
        asked.push(request.url);
        authorized.push(request.headers.get('authorization'));
        return [file.status ?? 200, file.body ?? png, file.headers ?? {}];
      });
  const found = await github.images({ number: 7, body: text }, AbortSignal.timeout(10_000));
  const outcomes = found.map(each => ('image' in each ? each.image.type : each.problem));
  return { outcomes, asked, authorized, found };
}
