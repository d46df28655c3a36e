import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import type { EnvInput } from '../../src/config/env.ts';

/** An S3-compatible service with one bucket, on a port that stays the same while it is away. */
export interface S3Service extends AsyncDisposable {
  readonly settings: EnvInput & { BLOBS_S3_URL: string };
  /** Files that hold the objects. */
  names(): Promise<string[]>;
  /** File of an object. */
  fileOf(key: string): string;
  /** Answers this many requests with status 500 from now on. */
  failNext(requests: number): void;
  /**
   * What it does with all requests from now on, if not what it should: it never answers, it begins an answer and never ends it, or it
   * answers 200 with a page, as a proxy may that stands before it.
   */
  misbehave(how: 'silent' | 'stuck' | 'page' | undefined): void;
  /** Requests since the start, failed ones included. */
  requests(): number;
  stop(): Promise<void>;
  start(): Promise<void>;
}

const BUCKET = 'uploads';
const PAGE = '<!doctype html><title>Sign in</title>';

export async function startS3Service(): Promise<S3Service> {
  const directory = await mkdtemp(join(tmpdir(), 'cannery-s3-'));
  const service = new S3rver({ silent: true, directory, configureBuckets: [{ name: BUCKET }] });
  await service.configureBuckets();
  const answer = service.callback();
  let failing = 0;
  let requests = 0;
  let wrong: Parameters<S3Service['misbehave']>[0];
  let server: Server | undefined;
  let port = 0;
  const start = async (): Promise<void> => {
    server = createServer((request, response) => {
      requests += 1;
      if (failing > 0) {
        failing -= 1;
        request.resume();
        response.writeHead(500).end();
        return;
      }
      if (wrong === undefined) {
        answer(request, response);
        return;
      }
      request.resume();
      if (wrong === 'stuck') response.writeHead(200, { 'content-length': 1000 }).write('a');
      if (wrong === 'page') response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
    });
    server.listen(port, '127.0.0.1');
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
      BLOBS_S3_URL: `http://127.0.0.1:${port}`,
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
    failNext(count) {
      failing = count;
    },
    misbehave(how) {
      wrong = how;
    },
    requests: () => requests,
    stop,
    start,
    async [Symbol.asyncDispose]() {
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
