import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { ApiClient } from './client.ts';

export const LFS_JSON = 'application/vnd.git-lfs+json';

/** Content with its id, as `git lfs` would name it. */
export interface LfsFile {
  readonly bytes: Buffer;
  readonly oid: string;
  readonly size: number;
  /** What is committed in its place. */
  readonly pointer: string;
}

export function lfsFile(bytes: Buffer): LfsFile {
  const oid = createHash('sha256').update(bytes).digest('hex');
  return { bytes, oid, size: bytes.length, pointer: pointerOf(oid, bytes.length) };
}

export function pointerOf(oid: string, size: number): string {
  return `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${size}\n`;
}

interface Action {
  readonly href: string;
}

/** What a server answers to a batch. */
export interface BatchAnswer {
  readonly transfer: string;
  readonly objects: readonly {
    readonly oid: string;
    readonly size: number;
    readonly actions?: { readonly upload?: Action; readonly verify?: Action; readonly download?: Action };
    readonly error?: { readonly code: number; readonly message: string };
  }[];
}

export interface LfsAnswer {
  readonly status: number;
  readonly type: string | null;
  readonly headers: Headers;
  readonly message: string;
}

/** Speaks with the Git LFS of one repository, as git-lfs does. */
export class LfsClient {
  readonly base: string;
  readonly #headers: Record<string, string>;

  /** @param server address of the console */
  constructor(server: string, repository: string, token: string | undefined) {
    this.base = `${server}/${repository}.git/info/lfs`;
    const basic = Buffer.from(`x:${token}`).toString('base64');
    this.#headers = token === undefined ? {} : { authorization: `Basic ${basic}` };
  }

  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const url = path.startsWith('http') ? path : `${this.base}/${path}`;
    return fetch(url, {
      ...init,
      headers: { ...this.#headers, ...(init.headers as Record<string, string>) },
    });
  }

  async ask(path: string, body: unknown): Promise<Response> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return this.fetch(path, {
      method: 'POST',
      body: text,
      headers: { accept: LFS_JSON, 'content-type': LFS_JSON },
    });
  }

  async batch(
    operation: 'upload' | 'download',
    objects: readonly { oid: string; size: number }[],
  ): Promise<BatchAnswer> {
    const named = objects.map(({ oid, size }) => ({ oid, size }));
    const response = await this.ask('objects/batch', { operation, transfers: ['basic'], objects: named });
    if (response.status !== 200) throw new Error(`batch: ${response.status} ${await response.text()}`);
    return (await response.json()) as BatchAnswer;
  }

  put({ oid, size }: { oid: string; size: number }, bytes: Buffer): Promise<LfsAnswer> {
    const body = new Uint8Array(bytes);
    return refusal(this.fetch(`objects/${oid}/${size}`, { method: 'PUT', body }));
  }

  /** Uploads a file through all the steps of git-lfs; the status of the last. */
  async upload(file: LfsFile): Promise<number> {
    const [object] = (await this.batch('upload', [file])).objects;
    if (object?.actions?.upload === undefined) return 200;
    const body = new Uint8Array(file.bytes);
    const sent = await this.fetch(object.actions.upload.href, {
      method: 'PUT',
      body,
      headers: { 'content-type': 'application/octet-stream' },
    });
    await sent.arrayBuffer();
    if (sent.status !== 200) return sent.status;
    const { oid, size } = file;
    const verified = await this.ask(object.actions.verify?.href ?? '', { oid, size });
    await verified.arrayBuffer();
    return verified.status;
  }

  /** The bytes of an object through all the steps of git-lfs; null when the server has none. */
  async download(object: { oid: string; size: number }): Promise<Buffer | null> {
    const [found] = (await this.batch('download', [object])).objects;
    const href = found?.actions?.download?.href;
    if (href === undefined) return null;
    return Buffer.from(await (await this.fetch(href)).arrayBuffer());
  }
}

/** An answer with its message, when it has the form of Git LFS. */
export async function refusal(answering: Promise<Response>): Promise<LfsAnswer> {
  const response = await answering;
  const text = await response.text();
  const [type = null] = response.headers.get('content-type')?.split(';') ?? [];
  const message = type === LFS_JSON ? String((JSON.parse(text) as { message: unknown }).message) : text;
  return { status: response.status, type, headers: response.headers, message };
}

/** A request under way. */
interface OpenRequest {
  readonly socket: ReturnType<typeof request>;
  readonly answered: Promise<number>;
}

/** An upload whose body the test sends piece by piece, without saying its length. */
export function openPut(lfs: LfsClient, path: string, token: string): OpenRequest {
  return openRequest(lfs, 'PUT', path, token);
}

/** As `openPut`, with any method. */
export function openRequest(lfs: LfsClient, method: string, path: string, token: string): OpenRequest {
  const authorization = `Basic ${Buffer.from(`x:${token}`).toString('base64')}`;
  const socket = request(`${lfs.base}/${path}`, { method, headers: { authorization } });
  const answered = new Promise<number>((resolve, reject) => {
    socket.once('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    socket.on('error', reject);
  });
  answered.catch(() => undefined);
  socket.flushHeaders();
  return { socket, answered };
}

/** Clients of users who sign in when they are first asked for. @param url of the server, which may be started again */
export function lfsClients(url: () => string) {
  const tokens = new Map<string, string>();
  const tokenOf = async (login: string): Promise<string> => {
    const known = tokens.get(login);
    if (known !== undefined) return known;
    const client = await ApiClient.signIn(url(), login);
    const secret = String((await client.post('/repository/tokens', { label: 'x' })).body.secret);
    tokens.set(login, secret);
    return secret;
  };
  const lfsOf = async (owner: string, name: string, login = owner): Promise<LfsClient> =>
    new LfsClient(url(), `${owner}/${name}`, await tokenOf(login));
  return { tokenOf, lfsOf };
}

/** A file of bytes that cannot be made shorter. */
export const someFile = (bytes: number) => lfsFile(randomBytes(bytes));

/** What lies beside the repositories in the folder of an owner: drafts, and folders of what goes. */
export async function besideOf(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => !name.endsWith('.git'));
}
