// A person with a browser without scripts: reads pages, keeps the cookie, sends the forms that stand on them.

export class Visitor {
  readonly #site: string;
  readonly #key: string;
  #cookie = '';
  /** The page that was read last. */
  #page = '';

  /** `key`: what the pages are opened with, as `npm start` prints it. */
  constructor(site: string, key: string) {
    this.#site = site;
    this.#key = key;
  }

  /** Reads a page, after a redirection the one it leads to. */
  async read(path: string): Promise<{ status: number; text: string }> {
    if (this.#cookie === '') {
      const entrance = await fetch(`${this.#site}/?key=${this.#key}`, { redirect: 'manual' });
      this.#cookie = entrance.headers.get('set-cookie')?.split(';')[0] ?? '';
    }
    const answer = await fetch(this.#site + path, { headers: { cookie: this.#cookie }, redirect: 'manual' });
    this.#cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? this.#cookie;
    const to = answer.headers.get('location');
    if (to !== null) return await this.read(to);
    this.#page = await answer.text();
    return { status: answer.status, text: this.#page };
  }

  /** Fills in the form of the page read last that sends to `action`, and answers the path it leads to. */
  async send(action: string, fields: Record<string, string>): Promise<string> {
    const [form] = new RegExp(`<form [^>]*action="${action}".*?</form>`, 's').exec(this.#page) ?? [''];
    for (const name of Object.keys(fields))
      if (!form.includes(` name="${name}"`)) throw new Error(`no form to ${action} has the field ${name}`);
    return await this.#post(action, { ...hiddenIn(form), ...fields });
  }

  /** Presses the button in the form of the page read last that has it, and answers the path it leads to. */
  async press(button: string, fields: Record<string, string> = {}): Promise<string> {
    const forms = this.#page.match(/<form .*?<\/form>/gs) ?? [];
    const form = forms.find(each => each.includes(`>${button}</button>`));
    const action = / action="([^"]+)"/.exec(form ?? '')?.[1];
    if (form === undefined || action === undefined) throw new Error(`the page has no button ${button}`);
    return await this.#post(action, { ...hiddenIn(form), ...fields });
  }

  /** Sends fields where no redirection follows, and answers the page; it is read then. */
  async show(action: string, fields: Record<string, string>): Promise<string> {
    const csrf = /name="csrf" value="([^"]+)"/.exec(this.#page)?.[1] ?? '';
    const answer = await this.#submit(action, { csrf, ...fields });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${action}: ${answer.status} ${text}`);
    return (this.#page = text);
  }

  async #post(action: string, fields: Record<string, string>): Promise<string> {
    const answer = await this.#submit(action, fields);
    if (answer.status !== 303) throw new Error(`${action}: ${answer.status} ${await answer.text()}`);
    return answer.headers.get('location') ?? '';
  }

  async #submit(action: string, fields: Record<string, string>): Promise<Response> {
    return await fetch(this.#site + action, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: this.#cookie, origin: this.#site, 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams(fields),
    });
  }
}

const hiddenIn = (form: string): Record<string, string> =>
  Object.fromEntries(
    [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  );
