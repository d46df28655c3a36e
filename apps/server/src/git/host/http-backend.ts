import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Logger } from '../../log/logger.ts';
import { startProgram } from '../../starter/start-program.ts';
import { gitThatAnswers } from './git-that-answers.ts';
import { LastWords } from './last-words.ts';
import { PlainWords } from './plain-words.ts';
import { COMMANDS_LIMIT } from './push-commands.ts';
import { clearLeftovers } from '../repository/clear-leftovers.ts';
import { settleDefaultBranch } from '../repository/read-repository.ts';
import type { BareRepository } from '../repository/repository-folder.ts';
import { gitArguments, gitEnvironment, gitMemoryBytes } from '../repository/run-git.ts';
import { type Progress, watchClient } from './slow-client.ts';

/** The three requests of git's smart HTTP protocol. */
export type GitService =
  | { readonly path: 'info/refs'; readonly service: 'git-upload-pack' | 'git-receive-pack' }
  | { readonly path: 'git-upload-pack' | 'git-receive-pack'; readonly service?: undefined };

export interface GitRequest {
  readonly root: string;
  readonly repository: BareRepository;
  readonly log: Pick<Logger, 'warn'>;
  readonly service: GitService;
  /** Name for the reflog of a push. */
  readonly username: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readable | null;
  /** Most bytes that may come in `body`. */
  readonly room: number;
  /** The connection of the request. */
  readonly connection: Socket;
  /** Whether the one who pushes can be shown lines beside git's report. */
  readonly takesLines: boolean;
  /** Called when a push is in the repository; the client learns of it when this is done, and shows the lines. */
  readonly onPushed: () => Promise<readonly string[]>;
  /** Called once the request takes no more of the machine: git has ended and is done with what it does afterwards. */
  readonly onEnd: () => void;
}

export interface GitAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Readable;
}

/** Longest push or clone, in milliseconds. */
const TRANSFER_LIMIT_MS = 30 * 60 * 1000;
/** A push stays the pack it came as: unpacked, small differences become whole files that no quota has counted. */
const ONE_PACK = ['-c', 'receive.unpackLimit=1'];
/** Who deletes the default branch gets the next one: see `settleDefaultBranch`. Git by itself would refuse it. */
const DELETE_DEFAULT = ['-c', 'receive.denyDeleteCurrent=ignore'];
/** From this number of packs on, which is git's own limit (gc.autoPackLimit), they become one. */
const TIDY_PACKS = 50;
const TIDY = ['-c', 'gc.auto=2000', '-c', 'gc.autoDetach=false', 'gc', '--auto', '--quiet'];
const TIDY_LIMIT_MS = 10 * 60 * 1000;

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

/**
 * Serves one request by `git http-backend` as a CGI program. The caller has checked who may do what.
 * @throws GitUnansweredError when git does not begin to answer: nothing of the request has reached it
 */
export async function runHttpBackend(request: GitRequest): Promise<GitAnswer> {
  const { body: pushed, connection } = request;
  const wrote = isPush(request.service) && request.service.service === undefined;
  const limits = wrote ? ['-c', `receive.maxInputSize=${request.room}`, ...ONE_PACK, ...DELETE_DEFAULT] : [];
  const args = gitArguments(...limits, 'http-backend');
  const { git, headers } = await gitThatAnswers(
    () =>
      startProgram('git', args, cgiEnvironment(request), {
        withInput: pushed !== null,
        withErrors: true,
        memoryBytes: gitMemoryBytes,
      }),
    request,
  ).catch((error: unknown) => {
    request.onEnd();
    throw error;
  });
  const timer = setTimeout(git.kill, TRANSFER_LIMIT_MS);
  // Git has begun before it reads.
  if (pushed !== null && git.input !== null)
    pipeLimited(pushed, git.input, { room: request.room, onOver: git.kill });
  // Nobody is there to take what git would still read and pack.
  if (!wrote && connection.destroyed) git.kill();
  else if (!wrote) connection.once('close', git.kill);
  const endWatch = watchClient(
    () => progressOf(request, git.input?.writableNeedDrain ?? false),
    () => {
      git.kill();
      connection.destroy();
    },
  );
  void git.ended.then(() => {
    clearTimeout(timer);
    endWatch();
    connection.off('close', git.kill);
    if (!wrote) request.onEnd();
  });

  const status = Number.parseInt(headers.get('status') ?? '200', 10);
  headers.delete('status');
  if (!wrote) return { status, headers, body: git.output };
  // The client learns of the end of its push only when the repository is ready to be cloned.
  const body = new LastWords();
  const words = git.output.pipe(new PlainWords());
  words.pipe(body, { end: false });
  // A git that is killed does not end its output.
  git.output.once('close', () => words.end());
  const said = once(words, 'end').catch(() => undefined);
  let told: Promise<unknown> = Promise.resolve();
  const ready = (): void => {
    const lines = request.onPushed();
    told = lines.catch(() => undefined);
    void Promise.allSettled([lines, said]).then(([last]) => {
      // An answer that is no report of git's is passed on as it is.
      if (status === 200 && request.takesLines && last.status === 'fulfilled') body.lines = last.value;
      body.end();
    });
  };
  // Whoever is told of the push may ask git what it brought.
  void git.ended
    .then(({ code }) =>
      code === 0 ? undefined : clearLeftovers(request.repository.gitDir).catch(() => undefined),
    )
    .then(() => afterPush(request.repository.gitDir, ready))
    .then(() => told)
    .finally(request.onEnd);
  return { status, headers, body };
}

function progressOf({ body, connection }: GitRequest, gitIsBusy: boolean): Progress {
  const toSend = body !== null && !body.readableEnded && !gitIsBusy;
  return {
    bytes: connection.bytesRead + connection.bytesWritten,
    waiting: toSend || connection.writableLength > 0,
  };
}

function pipeLimited(
  source: Readable,
  target: NodeJS.WritableStream,
  { room, onOver }: { room: number; onOver: () => void },
): void {
  let size = 0;
  source.on('data', (chunk: Buffer) => {
    size += chunk.length;
    // Git itself refuses a pack that is too large, in words; this is for what it does not count.
    if (size > room + COMMANDS_LIMIT) {
      source.unpipe();
      onOver();
    }
  });
  const brokeOff = (): void => {
    if (!source.readableEnded) onOver();
  };
  // It may have while git was being started.
  if (source.destroyed) brokeOff();
  source.on('error', onOver).once('close', brokeOff);
  source.pipe(target);
}

/** The first pushed branch becomes the default one; then, in nobody's way, many small packs become one. */
async function afterPush(gitDir: string, onReady: () => void): Promise<void> {
  try {
    await settleDefaultBranch(gitDir).finally(onReady);
    if ((await packsOf(gitDir)) < TIDY_PACKS) return;
    const gc = await startProgram('git', gitArguments('--git-dir', gitDir, ...TIDY), gitEnvironment(), {
      memoryBytes: gitMemoryBytes,
    });
    const timer = setTimeout(gc.kill, TIDY_LIMIT_MS);
    gc.output.resume();
    await gc.ended;
    clearTimeout(timer);
  } catch {
    // The repository may have been removed meanwhile; the next push tries again.
  }
}

async function packsOf(gitDir: string): Promise<number> {
  const names = await readdir(join(gitDir, 'objects', 'pack'));
  return names.filter((name) => name.endsWith('.pack')).length;
}
