import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { settleDefaultBranch } from './read-repository.ts';
import { type BareRepository, PUSH_LIMIT } from './repository-folder.ts';
import { gitArguments, gitEnvironment, runGit } from './run-git.ts';

/** The three requests of git's smart HTTP protocol. */
export type GitService =
  | { readonly path: 'info/refs'; readonly service: 'git-upload-pack' | 'git-receive-pack' }
  | { readonly path: 'git-upload-pack' | 'git-receive-pack'; readonly service?: undefined };

export interface GitRequest {
  readonly root: string;
  readonly repository: BareRepository;
  readonly service: GitService;
  /** Name for the reflog of a push. */
  readonly username: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readable | null;
}

export interface GitAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Readable;
}

/** Longest push or clone, in milliseconds. */
const TRANSFER_LIMIT_MS = 30 * 60 * 1000;
const HEADER_LIMIT = 64 * 1024;

/** Whether a request writes into the repository. */
export function isPush(service: GitService): boolean {
  return (service.service ?? service.path) === 'git-receive-pack';
}

/** The service a path after the repository and its query ask for, or null: nothing else is served. */
export function gitServiceOf(method: string, path: string, service: string | undefined): GitService | null {
  if (method === 'GET' && path === 'info/refs') {
    return service === 'git-upload-pack' || service === 'git-receive-pack' ? { path, service } : null;
  }
  if (method === 'POST' && (path === 'git-upload-pack' || path === 'git-receive-pack')) return { path };
  return null;
}

function header(request: GitRequest, name: string): string {
  const value = request.headers[name];
  const text = Array.isArray(value) ? value[0] : value;
  // A CGI variable is one line; git's own values are plain ASCII.
  return text !== undefined && /^[\x20-\x7e]{0,1000}$/.test(text) ? text : '';
}

function cgiEnvironment(request: GitRequest): Record<string, string> {
  const { repository, service } = request;
  return gitEnvironment({
    GIT_PROJECT_ROOT: request.root,
    GIT_HTTP_EXPORT_ALL: '1',
    GIT_HTTP_MAX_REQUEST_BUFFER: '10M',
    PATH_INFO: `/${repository.owner}/${repository.name}.git/${service.path}`,
    QUERY_STRING: service.service === undefined ? '' : `service=${service.service}`,
    REQUEST_METHOD: service.service === undefined ? 'POST' : 'GET',
    REMOTE_USER: request.username,
    REMOTE_ADDR: '127.0.0.1',
    CONTENT_TYPE: header(request, 'content-type'),
    HTTP_CONTENT_ENCODING: header(request, 'content-encoding'),
    GIT_PROTOCOL: header(request, 'git-protocol'),
  });
}

/** Reads the header block a CGI program writes before its body; what follows stays in the stream. */
async function readHeaders(stream: Readable): Promise<Map<string, string>> {
  let text = '';
  for (;;) {
    const chunk = stream.read() as Buffer | null;
    if (chunk === null) {
      if (stream.readableEnded || stream.destroyed) throw new Error('git http-backend gave no answer.');
      await Promise.race([once(stream, 'readable'), once(stream, 'end'), once(stream, 'close')]);
      continue;
    }
    text += chunk.toString('latin1');
    const end = text.indexOf('\r\n\r\n');
    if (end >= 0) {
      const rest = text.slice(end + 4);
      if (rest !== '') stream.unshift(Buffer.from(rest, 'latin1'));
      const lines = text.slice(0, end).split('\r\n');
      return new Map(lines.map((line) => splitHeader(line)));
    }
    if (text.length > HEADER_LIMIT) throw new Error('git http-backend gave too long headers.');
  }
}

function splitHeader(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

/**
 * Serves one request by `git http-backend` as a CGI program. The caller has checked who may do what.
 * @throws Error when git does not answer.
 */
export async function runHttpBackend(request: GitRequest): Promise<GitAnswer> {
  const child = spawn('git', gitArguments('http-backend'), {
    env: cgiEnvironment(request),
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: TRANSFER_LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  child.on('error', (error) => child.stdout.destroy(error));
  child.stdin.on('error', () => undefined);
  if (request.body === null) child.stdin.end();
  else pipeLimited(request.body, child.stdin, () => child.kill('SIGKILL'));
  const headers = await readHeaders(child.stdout);
  const status = Number.parseInt(headers.get('status') ?? '200', 10);
  headers.delete('status');
  const wrote = isPush(request.service) && request.service.service === undefined;
  if (!wrote) return { status, headers, body: child.stdout };
  // The client learns of the end of its push only when the repository is ready to be cloned.
  const body = new PassThrough();
  child.stdout.pipe(body, { end: false });
  child.once('close', () => void afterPush(request.repository.gitDir, () => body.end()));
  return { status, headers, body };
}

function pipeLimited(source: Readable, target: NodeJS.WritableStream, onTooLarge: () => void): void {
  let size = 0;
  source.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > PUSH_LIMIT) {
      source.unpipe();
      onTooLarge();
    }
  });
  source.on('error', () => onTooLarge());
  source.pipe(target);
}

/** The first pushed branch becomes the default one; then, in nobody's way, many small packs become one. */
async function afterPush(gitDir: string, onReady: () => void): Promise<void> {
  try {
    await settleDefaultBranch(gitDir).finally(onReady);
    const tidy = ['-c', 'gc.auto=2000', '-c', 'gc.autoDetach=false', 'gc', '--auto', '--quiet'];
    await runGit(['--git-dir', gitDir, ...tidy], { timeoutMs: 10 * 60 * 1000 });
  } catch {
    // The repository may have been removed meanwhile; the next push tries again.
  }
}
