import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';

/** An S3-compatible service with one bucket, on a port that stays the same while it is away. */
export interface S3Service extends AsyncDisposable {
  readonly settings: Readonly<Record<`BLOBS_S3_${'URL' | 'BUCKET' | 'ACCESS_KEY' | 'SECRET_KEY'}`, string>>;
  /** Files that hold the objects. */
  names(): Promise<string[]>;
  /** File of an object. */
  fileOf(key: string): string;
  /** Answers this many requests wrongly from now on. @param how status 500 unless said otherwise */
  failNext(requests: number, how?: S3Fault): void;
  /**
   * What it does with all requests from now on, if not what it should: it never answers, it begins an answer and never ends it, or it
   * answers 200 with a page, as a proxy may that stands before it.
   */
  misbehave(how: 'silent' | 'stuck' | 'page' | undefined): void;
  /** Requests of which this says so are never answered, and have no effect. */
  hold(which: ((request: IncomingMessage) => boolean) | undefined): void;
  /** Requests since the start, failed ones included. */
  requests(): number;
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** What may be wrong with an answer: `page` is one of a proxy, with status 200; `short` and `wrong` are of objects that are fetched. */
export type S3Fault = 'error' | 'forbidden' | 'page' | 'silent' | 'short' | 'wrong' | 'stalled';

const BUCKET = 'uploads';
const PAGE = '<!doctype html><title>Sign in to the Wi-Fi</title>';

/**
 * @param kept a folder that keeps its objects, a port that stays the same, and where it listens besides loopback; otherwise all are for this
 * run only
 */
export async function startS3Service(kept?: {
  directory: string;
  port: number;
  host?: string;
}): Promise<S3Service> {
  const directory = kept?.directory ?? (await mkdtemp(join(tmpdir(), 'cannery-s3-')));
  const service = new S3rver({ silent: true, directory, configureBuckets: [{ name: BUCKET }] });
  await service.configureBuckets();
  const answer = service.callback();
  const host = kept?.host ?? '127.0.0.1';
  let failing = 0;
  let fault: S3Fault = 'error';
  const held = new Set<ServerResponse>();
  let requests = 0;
  let holds: Parameters<S3Service['hold']>[0];
  let wrong: Parameters<S3Service['misbehave']>[0];
  let server: Server | undefined;
  let port = kept?.port ?? 0;
  const start = async (): Promise<void> => {
    server = createServer((request, response) => {
      requests += 1;
      if (holds?.(request) === true) {
        request.resume();
        held.add(response);
        return;
      }
      // A list is signed for '/uploads/', which S3rver takes for '/uploads' when it looks whether the signature is right.
      if (request.url?.startsWith(`/${BUCKET}/?`) === true) delete request.headers.authorization;
      if (failing > 0) {
        const isPassed = ['short', 'wrong', 'stalled'].includes(fault) && request.method !== 'GET';
        if (!isPassed) {
          failing -= 1;
          if (refuse(request, response, fault, held)) return;
        }
      }
      if (wrong === undefined) {
        answer(request, response);
        return;
      }
      request.resume();
      if (wrong === 'stuck') response.writeHead(200, { 'content-length': 1000 }).write('a');
      if (wrong === 'page') response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
    });
    server.listen(port, host);
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  };
  const stop = async (): Promise<void> => {
    server?.closeAllConnections();
    await new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve())));
    server = undefined;
  };
  await start();
  return {
    settings: {
      BLOBS_S3_URL: `http://${host}:${port}`,
      BLOBS_S3_BUCKET: BUCKET,
      BLOBS_S3_ACCESS_KEY: 'S3RVER',
      BLOBS_S3_SECRET_KEY: 'S3RVER',
    },
    async names() {
      const entries = await readdir(directory, { recursive: true, withFileTypes: true });
      return entries
        .filter(
          (entry) => entry.isFile() && /^[0-9a-f]{64}/.test(entry.name) && entry.name.endsWith('_object'),
        )
        .map(({ name }) => name.slice(0, 64));
    },
    fileOf: (key) => join(directory, BUCKET, `${key}._S3rver_object`),
    failNext(count, how = 'error') {
      failing = count;
      fault = how;
    },
    misbehave(how) {
      wrong = how;
    },
    hold(which) {
      holds = which;
    },
    requests: () => requests,
    stop,
    start,
    async [Symbol.asyncDispose]() {
      await stop();
      if (kept === undefined) await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Answers in place of the service, or spoils its answer. @returns whether nothing else is to answer */
function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  fault: S3Fault,
  held: Set<ServerResponse>,
): boolean {
  if (fault === 'wrong' || fault === 'short' || fault === 'stalled') {
    spoil(response, fault);
    return false;
  }
  request.resume();
  if (fault === 'error') response.writeHead(500).end();
  else if (fault === 'forbidden') response.writeHead(403).end();
  else if (fault === 'page') response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
  else held.add(response);
  return true;
}

/** Changes the first byte of a body, or lets only half of its first piece through and then ends, or says nothing more. */
function spoil(response: ServerResponse, fault: 'wrong' | 'short' | 'stalled'): void {
  const write = response.write.bind(response);
  let isFirst = true;
  const spoiled = (piece: unknown): boolean => {
    const bytes = Buffer.from(piece as Uint8Array);
    if (!isFirst) return fault === 'wrong' ? write(bytes) : true;
    isFirst = false;
    if (fault === 'wrong') bytes[0] = (bytes[0] ?? 0) ^ 1;
    const sent = fault === 'wrong' ? bytes : bytes.subarray(0, bytes.length >> 1);
    return write(sent, () => {
      if (fault === 'short') response.destroy();
    });
  };
  response.write = spoiled as typeof response.write;
  if (fault === 'stalled') response.end = (() => response) as typeof response.end;
}
