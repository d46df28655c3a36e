import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { workOf } from '../../../test/support/git-work.ts';
import { Mirrors } from './mirrors.ts';

const BYTES = 1_000_000;
/** What comes before the content of an answer of CGI. */
const HEAD_END = '\r\n\r\n';

let folder: string;
let door: Server;
/** Called in the middle of a pack, behind which the connection ends; undefined where all of it is to come. */
let inTheMiddle: (() => void) | undefined;

/** What `git http-backend` answers, its head included. */
async function answerOfGit(request: IncomingMessage): Promise<Buffer> {
  const { pathname, search } = new URL(request.url ?? '', 'http://door');
  const git = execFile('git', ['http-backend'], {
    encoding: 'buffer',
    maxBuffer: 4 * BYTES,
    env: {
      PATH: process.env.PATH ?? '',
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      REQUEST_METHOD: request.method ?? '',
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      CONTENT_TYPE: request.headers['content-type'] ?? '',
    },
  });
  const chunks: Buffer[] = [];
  git.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = once(git, 'close');
  if (git.stdin !== null) request.pipe(git.stdin);
  await ended;
  return Buffer.concat(chunks);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cannery-mirrors-'));
  door = createServer(async (request, response) => {
    const answer = await answerOfGit(request);
    const at = answer.indexOf(HEAD_END);
    for (const line of answer.subarray(0, at).toString().split('\r\n')) {
      const [name = '', value = ''] = line.split(': ');
      if (name !== 'Status') response.setHeader(name, value);
    }
    const body = answer.subarray(at + HEAD_END.length);
    const middle = inTheMiddle;
    if (middle === undefined || body.length < BYTES) {
      response.end(body);
      return;
    }
    response.write(body.subarray(0, BYTES / 2), () => {
      middle();
      response.destroy();
    });
  });
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
});
afterAll(async () => {
  door.close();
  await once(door, 'close');
  rmSync(folder, { recursive: true, force: true });
});

test('a fetch that breaks leaves neither half a pack nor locks, and the next one brings the repository', async () => {
  const work = basename(await workOf(folder, BYTES));
  const mirrors = await Mirrors.open(join(folder, 'data'));
  const id = randomUUID();
  const gitDir = join(folder, 'data/mirrors', `${id}.git`);
  const { port } = door.address() as AddressInfo;
  const from = async () => ({ url: `http://127.0.0.1:${port}/${work}/.git`, authorization: 'none' });
  const packs = () => readdirSync(join(gitDir, 'objects/pack'));
  // What a git has open that is killed at this moment.
  inTheMiddle = () => writeFileSync(join(gitDir, 'refs/heads/main.lock'), '');
  await expect(mirrors.read(id, from, async () => undefined)).rejects.toMatchObject({
    code: 'repository_busy',
  });
  expect(existsSync(gitDir)).toBe(true);
  expect(packs()).toEqual([]);
  inTheMiddle = undefined;
  await mirrors.read(id, from, async (found) => {
    expect(existsSync(join(found, 'refs/heads/main'))).toBe(true);
  });
  expect(packs().some((name) => name.endsWith('.pack'))).toBe(true);
});
