// Pages of a repository with much in it: none grows with what is there, and none has the browser ask anybody else.
import { expect, test } from 'vitest';
import { Visitor } from '../visitor.ts';
import { key, mostKilobytes, openLargeForge } from './large.ts';

test('no kind of page is larger than it may be or loads anything from elsewhere; the newest is shown', async () => {
  const { opened, places } = await openLargeForge();
  try {
    const visitor = new Visitor(opened.forge.url, key);
    const found: string[] = [];
    for (const { name, path } of places) {
      const { status, text } = await visitor.read(path);
      const kilobytes = Buffer.byteLength(text) / 1000;
      if (status !== 200 || kilobytes > mostKilobytes) found.push(`${name}: ${status}, ${kilobytes} KB`);
      // Addresses that a browser loads by itself, and targets of forms.
      const asks = text.matchAll(/\s(?:src|srcset|action|formaction)="([^"]*)"|<link [^>]*href="([^"]*)"/g);
      for (const [, first = '', second = ''] of asks)
        if (!/^\/(?!\/)/.test(first + second)) found.push(`${name} asks ${first}${second}`);
    }
    expect(found).toEqual([]);

    const parts = async (query: string) =>
      [...(await visitor.read(`/olga/work/issues/1${query}`)).text.matchAll(/Looked at part (\d+) /g)].map(
        ([, n]) => Number(n),
      );
    // The first one is the issue's own text; comments count from 0.
    const some = await parts('');
    expect([some.length, some[1], some[10], some[11], some[50]]).toEqual([51, 0, 9, 2960, 2999]);
    const page = await parts('?comments=all&page=31');
    expect([page.length, page[1], page[50]]).toEqual([51, 1500, 1549]);
    const { text: diff } = await visitor.read(places.find(each => each.path.includes('/pull/'))?.path ?? '');
    expect(diff).toContain('/file?path=src%2Fpart-9.js">Show the whole file</a>');
    const { text: file } = await visitor.read(places.find(each => each.path.includes('/file?'))?.path ?? '');
    expect(file).toContain('value_9_299');
    expect((await visitor.read(`${places.find(each => each.path.includes('/file?'))?.path}x`)).status).toBe(
      404,
    );
  } finally {
    await opened[Symbol.asyncDispose]();
  }
});
