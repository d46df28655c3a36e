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
