/** A signed-in user's calls to the service, with nothing between the test and the wire. */
export interface Api {
  readonly token: string;
  /** Parsed JSON answer with its status; never throws on an error status. */
  request(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<{ status: number; body: unknown }>;
  /** Like `request`, but an error status throws with the answer's text. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>;
  upload(
    path: string,
    field: string,
    file: { name: string; bytes: Uint8Array<ArrayBuffer> },
  ): Promise<{ status: number; body: unknown }>;
}

export function createApi(productUrl: string, token: string): Api {
  const authorization = `Bearer ${token}`;
  const send = async (method: string, path: string, init: RequestInit) => {
    const response = await fetch(`${productUrl}/api${path}`, { method, ...init });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
  };
  const request: Api['request'] = (method, path, body, headers) =>
    send(
      method,
      path,
      body === undefined
        ? { headers: { authorization, ...headers } }
        : {
            headers: { authorization, 'content-type': 'application/json', ...headers },
            body: JSON.stringify(body),
          },
    );
  return {
    token,
    request,
    call: async <T>(method: string, path: string, body?: unknown) => {
      const answer = await request(method, path, body);
      if (answer.status >= 400)
        throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body as T;
    },
    upload: (path, field, file) => {
      const form = new FormData();
      form.append(field, new Blob([file.bytes], { type: 'application/wasm' }), file.name);
      return send('POST', path, { headers: { authorization }, body: form });
    },
  };
}

/** Cookies of one scripted browser; enough for a sign-in, which stays on one host. */
class CookieJar {
  readonly #cookies = new Map<string, string>();

  take(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      this.#cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
  }

  header(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }
}

const MAX_HOPS = 20;

/**
 * Signs a user in through the embedded identity provider, page by page as a browser would, and answers the bearer token.
 * @throws Error when the provider's page has no form, or the redirects do not end at /login with a token.
 */
export async function signIn(productUrl: string, username: string): Promise<string> {
  const jar = new CookieJar();
  let url = new URL('/auth/google/', productUrl);
  let request: RequestInit = {};
  for (let hop = 0; hop < MAX_HOPS; hop++) {
    if (url.pathname === '/login') return exchange(productUrl, url.searchParams.get('token'), jar);
    const response = await fetch(url, {
      ...request,
      redirect: 'manual',
      headers: { ...request.headers, cookie: jar.header() },
    });
    jar.take(response);
    const location = response.headers.get('location');
    if (location !== null) {
      await response.body?.cancel();
      url = new URL(location, url);
      request = {};
      continue;
    }
    const page = await response.text();
    const action = /<form[^>]*\baction="([^"]*)"/.exec(page)?.[1];
    if (action === undefined)
      throw new Error(`${url.pathname} answered ${response.status} without a form: ${page.slice(0, 300)}`);
    url = new URL(action.replaceAll('&amp;', '&'), url);
    request = {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ login: username }).toString(),
    };
  }
  throw new Error('The sign-in did not come to an end.');
}

async function exchange(productUrl: string, token: string | null, jar: CookieJar): Promise<string> {
  if (token === null) throw new Error('The sign-in ended without a token.');
  const response = await fetch(new URL('/api/auth/exchange', productUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: jar.header() },
    body: JSON.stringify({ token }),
  });
  const body = (await response.json()) as { token?: string; error?: string };
  if (body.token === undefined) throw new Error(`The token was refused: ${body.error}`);
  return body.token;
}
