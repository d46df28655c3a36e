/** A browser's view of the server, with nothing but fetch: cookies, redirects followed by hand, JSON calls. */

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // The tests look into answers of many shapes; what is not there is undefined and fails their expectations.
  readonly body: Record<string, unknown> & { readonly error?: string };
}

export class Browser {
  readonly #cookies = new Map<string, string>();

  /** A browser into which somebody has put cookies. */
  static with(cookies: Readonly<Record<string, string>>): Browser {
    const browser = new Browser();
    for (const [name, value] of Object.entries(cookies)) browser.#cookies.set(name, value);
    return browser;
  }

  /** Another browser with the same cookies. */
  copy(): Browser {
    return Browser.with(Object.fromEntries(this.#cookies));
  }

  cookie(name: string): string | undefined {
    return this.#cookies.get(name);
  }

  values(): string[] {
    return [...this.#cookies.values()].filter((value) => value !== '');
  }

  /** What it sends to every port of the host, whatever the cookies' paths. */
  header(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async visit(url: string, init: RequestInit = {}): Promise<Response> {
    const response = await fetch(url, {
      redirect: 'manual',
      ...init,
      headers: { cookie: this.header(), ...init.headers },
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const [name = '', ...value] = pair.split('=');
      this.#cookies.set(name, value.join('='));
    }
    return response;
  }

  /** Follows redirects until a page, or until /login, and answers where that is. */
  async follow(url: string, init: RequestInit = {}): Promise<{ url: URL; response: Response }> {
    let here = new URL(url);
    let response = await this.visit(here.href, init);
    for (let hops = 0; hops < 12; hops++) {
      const location = response.headers.get('location');
      if (location === null) break;
      here = new URL(location, here);
      if (here.pathname === '/login') break;
      response = await this.visit(here.href);
    }
    return { url: here, response };
  }

  /** Goes through the embedded sign-in up to the redirect to /login. */
  async signIn(server: string, login: string): Promise<URL> {
    const { url } = await this.follow(`${server}/api/auth/google/`);
    const { url: end } = await this.follow(url.href, {
      method: 'POST',
      body: new URLSearchParams({ login }),
    });
    return end;
  }
}

/** Calls of one signed-in user. */
export class ApiClient {
  readonly #base: string;
  readonly token: string;

  constructor(server: string, token: string) {
    this.#base = `${server}/api`;
    this.token = token;
  }

  static async signIn(server: string, login: string): Promise<ApiClient> {
    const browser = new Browser();
    const end = await browser.signIn(server, login);
    const exchanged = await exchange(server, end.searchParams.get('token') ?? '', browser);
    return new ApiClient(server, String(exchanged.body.token));
  }

  async get(path: string): Promise<Answer> {
    return answerOf(await fetch(this.#base + path, { headers: { authorization: `Bearer ${this.token}` } }));
  }

  async post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return answerOf(
      await fetch(this.#base + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    );
  }

  put(path: string, body: unknown): Promise<Answer> {
    return this.#change('PUT', path, body);
  }

  patch(path: string, body: unknown): Promise<Answer> {
    return this.#change('PATCH', path, body);
  }

  async #change(method: string, path: string, body: unknown): Promise<Answer> {
    return answerOf(
      await fetch(this.#base + path, {
        method,
        headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    );
  }

  async delete(path: string): Promise<Answer> {
    return answerOf(
      await fetch(this.#base + path, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${this.token}` },
      }),
    );
  }

  async upload(path: string, field: string, bytes: Uint8Array, name = 'file.wasm'): Promise<Answer> {
    const form = new FormData();
    form.append(field, new Blob([Uint8Array.from(bytes)], { type: 'application/wasm' }), name);
    return answerOf(
      await fetch(this.#base + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${this.token}` },
        body: form,
      }),
    );
  }

  async list(path: string): Promise<Record<string, unknown>[]> {
    return (await this.get(path)).body as unknown as Record<string, unknown>[];
  }

  /** Creates a canister and answers its id; fails the test when it is refused. */
  async create(name: string): Promise<string> {
    const { status, body } = await this.post('/canister/create', { name });
    if (status !== 200) throw new Error(`create: ${status} ${body.error}`);
    return (body.data as { canister_id: string }).canister_id;
  }

  async uploadWasm(bytes: Uint8Array): Promise<string> {
    const { status, body } = await this.upload('/document/upload', 'wasm', bytes);
    if (status !== 200) throw new Error(`upload: ${status} ${body.error}`);
    return String(body.identifier);
  }

  async uploadIcon(bytes: Uint8Array): Promise<string> {
    const { status, body } = await this.upload('/document/upload/icon', 'icon', bytes, 'icon.png');
    if (status !== 200) throw new Error(`upload: ${status} ${body.error}`);
    return String(body.identifier);
  }
}

/** Exchanges a token of /login in a browser; one that never was at the server when none is given. */
export async function exchange(server: string, token: string, browser = new Browser()): Promise<Answer> {
  return answerOf(
    await browser.visit(`${server}/api/auth/exchange`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    }),
  );
}

export async function answerOf(response: Response): Promise<Answer> {
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Answer['body'],
  };
}
