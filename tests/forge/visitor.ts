// A visitor of the forge's pages without a browser.

/** The key that the forge prints to open its pages. */
export const key = 'the-key-of-these-pages';

/** A visitor with a cookie of its own, as a browser has. */
export class Visitor {
  readonly #site: string;
  #cookie = '';
  #token = '';

  constructor(site: string) {
    this.#site = site;
  }

  async read(path: string): Promise<{ status: number; text: string; headers: Headers }> {
    if (this.#cookie === '') {
      const entrance = await fetch(`${this.#site}/?key=${key}`, { redirect: 'manual' });
      this.#cookie = entrance.headers.get('set-cookie')?.split(';')[0] ?? '';
    }
    const answer = await fetch(this.#site + path, { headers: { cookie: this.#cookie } });
    this.#cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? this.#cookie;
    const text = await answer.text();
    this.#token = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? this.#token;
    return { status: answer.status, text, headers: answer.headers };
  }

  /** Sends a form with the token last seen; gives the status and where it leads. */
  async send(path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
    const answer = await fetch(this.#site + path, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: this.#cookie, origin: this.#site, 'sec-fetch-site': 'same-origin', ...headers },
      body: new URLSearchParams({ csrf: this.#token, ...fields }),
    });
    return { status: answer.status, to: answer.headers.get('location'), text: await answer.text() };
  }
}
