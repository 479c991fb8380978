// Images that an issue shows: GitHub's own rendering names them with signed addresses, which are read without a token.
import { messageOf } from '@echelon/ground';
import type { ShownImage } from '../../engine/models.ts';
import type { Caller, Client, Here } from './octokit.ts';

export interface Attachments {
  /**
   * The images that an issue shows, in their order, each with its name in `body` and either its bytes or why it was not
   * read. `body` is the text at some time before: what it does not name is left out, since somebody added it.
   * Throws the signal's reason, and nothing else.
   */
  images(issue: { number: number; body: string }, signal: AbortSignal): Promise<Attached[]>;
}

export type Attached = { name: string } & ({ image: ShownImage } | { problem: string });

/** Hosts from which GitHub serves files that people attach. No other one is asked, and no redirect is followed. */
const hosts = [
  'https://private-user-images.githubusercontent.com',
  'https://user-images.githubusercontent.com',
];

const MAX_IMAGES = 4;
/** Bytes that are 5 MB as base64, which is what Anthropic's API takes of an image on every platform. */
const MAX_BYTES = 3_750_000;
const TIMEOUT_MS = 20_000;
/** Characters of a name that a prompt shows. */
const MAX_NAME = 200;

/** The id of an attachment: in the address that people see, and at the end of the file's name in the signed one. */
const assetId = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?=\.\w+$|$)/i;
/** An image in the HTML that GitHub makes; `data-canonical-src`: the address that its proxy stands for. */
const tag = /<img\s[^>]*>/g;
const attribute = (of: string, name: string) =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(of)?.[1]?.replaceAll('&amp;', '&');

/** Pixels, or percent: what is shown smaller than this is for no person to see. */
const MIN_SIDE = 24;
export function attachments({ request }: Client, calls: Caller, here: Here): Attachments {
  return {
    async images({ number, body }, signal) {
      // Most texts show none, and cost no call.
      if (!/!\[|<img\s/i.test(body)) return [];
      const route = 'GET /repos/{owner}/{repo}/issues/{issue_number}';
      const query = { ...here(), issue_number: number, mediaType: { format: 'full' } };
      let html: string;
      try {
        html = (await calls.read(() => request(route, query))).data.body_html ?? '';
      } catch (error) {
        return [{ name: 'all', problem: messageOf(error) }];
      }
      const shown: { name: string; url: URL; side: number }[] = [];
      for (const [each] of html.matchAll(tag)) {
        const address = attribute(each, 'data-canonical-src') ?? attribute(each, 'src') ?? '';
        const url = URL.parse(address);
        const name = assetId.exec(url?.pathname ?? '')?.[0] ?? address;
        const [width = MIN_SIDE, height = MIN_SIDE] = [attribute(each, 'width'), attribute(each, 'height')];
        const side = Math.min(Number.parseFloat(`${width}`), Number.parseFloat(`${height}`));
        if (url && body.includes(name)) shown.push({ name: name.slice(0, MAX_NAME), url, side });
      }
      const more = shown.splice(MAX_IMAGES).length;
      const read = shown.map(async ({ name, url, side }): Promise<Attached> => {
        try {
          if (!hosts.includes(url.origin)) throw new Error('it is no attachment on GitHub');
          if (side < MIN_SIDE) throw new Error('it is shown too small to be seen');
          return { name, image: await imageAt(url, signal) };
        } catch (error) {
          signal.throwIfAborted();
          return { name, problem: messageOf(error) };
        }
      });
      const rest = { name: `${more} more`, problem: `only the first ${MAX_IMAGES} are read` };
      return [...(await Promise.all(read)), ...(more > 0 ? [rest] : [])];
    },
  };
}

/** Throws Error with a clause that says why there is none. */
async function imageAt(url: URL, signal: AbortSignal): Promise<ShownImage> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const response = await fetch(url, { redirect: 'manual', signal: limited });
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop closes the connection.
  for await (const chunk of response.status === 200 ? (response.body ?? []) : []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`it has more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  if (response.status !== 200) throw new Error(`its server answered ${response.status}`);
  const bytes = Buffer.concat(chunks);
  const type = imageType(bytes);
  if (!type) throw new Error('it is no PNG, JPEG, GIF or WebP');
  return { type, data: bytes.toString('base64') };
}

/** By the first bytes: what a server says of a file is its uploader's word. */
function imageType(bytes: Buffer): ShownImage['type'] | undefined {
  const begin = bytes.toString('latin1', 0, 12);
  if (begin.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (begin.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (/^GIF8[79]a/.test(begin)) return 'image/gif';
  return /^RIFF.{4}WEBP/s.test(begin) ? 'image/webp' : undefined;
}
