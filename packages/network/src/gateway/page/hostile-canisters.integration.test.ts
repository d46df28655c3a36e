import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type ClientRequest, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { utf8 } from '@cannery/ic/certification/bytes';
import { encodeCbor } from '@cannery/ic/certification/tree/cbor';
import { sha256 } from '@cannery/ic/certification/signatures/hash';
import { EMPTY, fork, hashOf, type HashTree, labeled, leaf } from '@cannery/ic/certification/tree/hash-tree';
import type { Header } from '../proof/http-messages.ts';
import { connect } from '../../../test/agent.ts';
import {
  bytesOf,
  certificateHeader,
  ENDLESS,
  page,
  pageOfHeaders,
  piece,
  streamingPage,
  T,
} from '../../../test/hostile/hostile-pages.ts';
import { NetworkProcess } from '../../../test/network-process.ts';
import { ScriptedCanister } from '../../../test/canisters/scripted-canister.ts';

/** What one GET of a stranger may take of the thread that serves all, in milliseconds of processor time. */
const MOST_MAIN_MILLIS = 400;
const MOST_MEGABYTES = 64;
/** No call of another client waits longer, however busy the machine is with other tests. */
const LONGEST_STATUS_MILLIS = 2_000;

const NO_CERTIFICATION = 'default_certification(ValidationArgs{no_certification:Empty{}})';
const wildcard = labeled(
  utf8('http_expr'),
  labeled(utf8('<*>'), labeled(sha256(utf8(NO_CERTIFICATION)), leaf(new Uint8Array()))),
);

let dataDir: string;
let network: NetworkProcess & { url: string };
let canister: ScriptedCanister;
let idleMegabytes: number;

const pid = (): number => network.child.pid ?? 0;

/** Processor time of the thread that serves, which is the first of its process. */
function mainMillis(): number {
  const fields = readFileSync(`/proc/${pid()}/task/${pid()}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function megabytes(): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid()}/status`, 'utf8'))?.[1]) / 1024;
}

/** Looks at the memory of the network, and remembers the most it has seen. */
class MemoryWatch implements Disposable {
  most = 0;
  readonly #timer = setInterval(() => {
    this.most = Math.max(this.most, megabytes());
  }, 10);

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

/** What a network with nothing to do takes of three seconds, and more: one that goes on takes all it can get. */
const IDLE_MILLIS = 240;

/** Processor time of the whole process in the next three seconds. */
async function millisFromNow(): Promise<number> {
  const total = (): number => {
    const fields = readFileSync(`/proc/${pid()}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10;
  };
  const before = total();
  await delay(3_000);
  return total() - before;
}

interface Seen {
  readonly status: number;
  readonly bytes: number;
  readonly text: string;
}

function open(path: string, host: string): ClientRequest {
  const { port } = new URL(network.url);
  return httpRequest({ host: '127.0.0.1', port, path, agent: false, headers: { host: `${host}:${port}` } });
}

function visit(path = '/', host = `${canister.id}.localhost`): Promise<Seen> {
  const { promise, resolve, reject } = Promise.withResolvers<Seen>();
  const request = open(path, host);
  request.on('error', reject);
  request.on('response', (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('error', reject);
    response.on('end', () => {
      const body = Buffer.concat(chunks);
      resolve({
        status: response.statusCode ?? 0,
        bytes: body.length,
        text: body.toString('latin1', 0, 2_000),
      });
    });
  });
  request.end();
  return promise;
}
const raw = (): string => `${canister.id}.raw.localhost`;

/** Asks for the status again and again while `attack` goes on; returns the longest wait, in milliseconds. */
async function longestStatus(attack: Promise<unknown>): Promise<number> {
  let isOn = true;
  const done = attack.finally(() => {
    isOn = false;
  });
  let longest = 0;
  do {
    const start = performance.now();
    await fetch(`${network.url}/api/v2/status`).then((response) => response.arrayBuffer());
    longest = Math.max(longest, performance.now() - start);
    await delay(20);
  } while (isOn);
  await done;
  return longest;
}

/** Another client is answered during the attack, the thread that serves works little, and nothing is kept. */
async function expectHarmless(
  attack: () => Promise<unknown>,
  mostMainMillis = MOST_MAIN_MILLIS,
): Promise<void> {
  const before = mainMillis();
  expect(await longestStatus(attack())).toBeLessThan(LONGEST_STATUS_MILLIS);
  expect(mainMillis() - before).toBeLessThan(mostMainMillis);
  const afterUse = async (): Promise<number> => {
    // The engine collects when something new is made, not while nothing happens.
    await ordinaryUse(1);
    return megabytes();
  };
  await expect.poll(afterUse).toBeLessThan(idleMegabytes + MOST_MEGABYTES);
}

const certified = async (tree: HashTree, path?: readonly string[], version?: number): Promise<Header> =>
  certificateHeader(await canister.certify(hashOf(tree)), tree, path, version);
const UNCERTIFIED: Header = ['IC-CertificateExpression', NO_CERTIFICATION];
const quotes = (length: number): Header => ['IC-CertificateExpression', `"${'\\"'.repeat(length / 2)}`];

/** A site of one large file is deployed and visited, this many times. */
async function ordinaryUse(times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    const headers = [await certified(wildcard), UNCERTIFIED];
    await canister.page(page(headers, new Uint8Array(1_800_000)));
    const seen = await Promise.all([visit('/', raw()), visit()]);
    expect(seen.map(({ status }) => status)).toEqual([200, 200]);
  }
}

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'cannery-hostile-'));
  // What glibc keeps of large buffers that were freed would hide what the network keeps (decision 0094).
  network = await NetworkProcess.startAs(dataDir, { env: { MALLOC_MMAP_THRESHOLD_: '131072' } });
  canister = await ScriptedCanister.deploy(await connect(network.url, Ed25519KeyIdentity.generate()));
  // As after a while: large files were deployed, read and verified, and all threads have the heap of their work.
  await ordinaryUse(40);
  idleMegabytes = megabytes();
});

afterAll(async () => {
  await network.end();
  rmSync(dataDir, { recursive: true });
});

describe.skipIf(process.platform !== 'linux')('a hostile canister keeps nobody else waiting', () => {
  beforeEach(() => canister.piece('0', piece(new Uint8Array())));

  test('41 bytes that claim four billion headers', async () => {
    await canister.page(pageOfHeaders([[T.record, 0]], 3, bytesOf(ENDLESS)));
    await expectHarmless(async () => expect(await visit()).toMatchObject({ status: 502 }));
  });

  test('certificates of 1.8 MB in headers, made up and each another one', async () => {
    await expectHarmless(async () => {
      for (let count = 0; count < 25; count += 1) {
        const tree = Buffer.concat([
          Buffer.from([0x9a, 0, 9, 0, count]),
          Buffer.alloc(1_200_000, Buffer.from([0x81, 0])),
        ]);
        const certificate = encodeCbor({ tree: [0], signature: new Uint8Array(48) });
        const value = `certificate=:${Buffer.from(certificate).toString('base64')}:, tree=:${tree.toString('base64')}:`;
        await canister.page(page([['IC-Certificate', value]]));
        expect((await visit()).status).toBe(502);
      }
      // Putting 45 MB into a canister is work of the same thread.
    }, 15_000);
  });

  test('forty certificates of many nodes whose hashes are right', async () => {
    let level: HashTree[] = Array.from({ length: 8_192 }, () => EMPTY);
    while (level.length > 1)
      level = level.flatMap((left, at) => (at % 2 ? [] : [fork(left, level[at + 1] ?? EMPTY)]));
    const certificate = encodeCbor({ tree: [0], signature: new Uint8Array(48) });
    await canister.page(page([certificateHeader(certificate, level[0] ?? EMPTY)]));
    await expectHarmless(async () => {
      const pages = await Promise.all(Array.from({ length: 40 }, () => visit()));
      for (const { status } of pages) expect(status).toBe(502);
    }, 1_000);
  });

  test.each([120_000, 1_800_000])('an expression of %d characters', async (length) => {
    await canister.page(page([await certified(wildcard), quotes(length)]));
    await expectHarmless(async () => expect(await visit()).toMatchObject({ status: 502 }));
  });

  test('a path of 4,000 parts at a plain site', async () => {
    await canister.page(page([await certified(wildcard), UNCERTIFIED]));
    await expectHarmless(async () => {
      expect((await visit('/a'.repeat(4_000))).status).toBe(400);
      expect(await visit('/a'.repeat(1_000))).toMatchObject({ status: 200, text: 'hello' });
    });
  });

  test('40,000 names of headers and 40,000 headers', async () => {
    const names = Array.from({ length: 40_000 }, (_, index) => `n${index}`);
    const list = names.map((name) => `"${name}"`).join(',');
    const expression = `default_certification(ValidationArgs{certification:Certification{no_request_certification:Empty{},response_certification:ResponseCertification{response_header_exclusions:ResponseHeaderList{headers:[${list}]}}}})`;
    const tree = labeled(
      utf8('http_expr'),
      labeled(utf8('<*>'), labeled(sha256(utf8(expression)), leaf(new Uint8Array()))),
    );
    const headers = names.toReversed().map((name): Header => [name, '']);
    await canister.page(page([await certified(tree), ['IC-CertificateExpression', expression], ...headers]));
    await expectHarmless(async () => expect(await visit()).toMatchObject({ status: 502 }));
  });

  test('243 kB of gzip that are 250 MB', async () => {
    const tree = labeled(utf8('http_assets'), labeled(utf8('/'), leaf(new Uint8Array(32))));
    const body = gzipSync(Buffer.alloc(250 * 1024 ** 2));
    await canister.page(page([await certified(tree, [], 1), ['Content-Encoding', 'gzip']], body));
    // What the attack before has left may not be collected yet.
    const before = Math.max(idleMegabytes, megabytes());
    await expectHarmless(async () => {
      using watch = new MemoryWatch();
      expect(await visit()).toMatchObject({ status: 502 });
      expect(watch.most).toBeLessThan(before + MOST_MEGABYTES);
    });
  });

  describe('bodies without an end', () => {
    test('empty pieces, each with a token', async () => {
      await canister.page(streamingPage(canister.id.toUint8Array(), [], utf8('start')));
      await canister.piece('0', piece(new Uint8Array(), '0'));
      await expectHarmless(async () => {
        for (const { status, text } of [await visit('/', raw()), await visit()]) {
          expect([status, text]).toEqual([502, expect.stringContaining('too many empty pieces')]);
        }
      });
    });

    test('a range of pieces of 1.8 MB for five clients that take nothing', async () => {
      const headers = [await certified(wildcard), UNCERTIFIED];
      await canister.page(streamingPage(canister.id.toUint8Array(), headers, utf8('start')));
      for (const digit of [0, 1, 2, 3, 4, 5, 6])
        await canister.piece(
          `${digit}`,
          piece(new Uint8Array(1_800_000), digit < 6 ? `${digit + 1}` : undefined),
        );
      const requests = Array.from({ length: 5 }, () => open('/', `${canister.id}.localhost`));
      const statuses: (number | undefined)[] = [];
      for (const request of requests) {
        request.setHeader('range', 'bytes=3-3,1000-');
        request
          .on('error', () => undefined)
          .on('response', ({ statusCode }) => statuses.push(statusCode))
          .end();
      }
      const before = Math.max(idleMegabytes, megabytes());
      using watch = new MemoryWatch();
      expect(await longestStatus(delay(3_000))).toBeLessThan(LONGEST_STATUS_MILLIS);
      for (const request of requests) request.destroy();
      expect(statuses).toEqual([206, 206, 206, 206, 206]);
      expect(watch.most).toBeLessThan(before + 2 * MOST_MEGABYTES);
      await expect.poll(millisFromNow).toBeLessThan(IDLE_MILLIS);
    });

    test.each(['raw', 'verified'])('pieces of a byte for a client that has gone, %s', async (kind) => {
      await canister.page(streamingPage(canister.id.toUint8Array(), [], utf8('start')));
      await canister.piece('0', piece(utf8('x'), '0'));
      const requests = Array.from({ length: 5 }, () =>
        open('/', kind === 'raw' ? raw() : `${canister.id}.localhost`),
      );
      for (const request of requests) request.on('error', () => undefined).end();
      await delay(200);
      for (const request of requests) request.destroy();
      await expect.poll(millisFromNow).toBeLessThan(IDLE_MILLIS);
    });

    test.each(['raw', 'verified'])(
      'pieces of 1.8 MB for five clients that take nothing, %s',
      async (kind) => {
        await canister.page(streamingPage(canister.id.toUint8Array(), [], utf8('start')));
        await canister.piece('0', piece(new Uint8Array(1_800_000), '0'));
        const requests = Array.from({ length: 5 }, () =>
          open('/', kind === 'raw' ? raw() : `${canister.id}.localhost`),
        );
        // A response nobody listens to is not read from its connection.
        for (const request of requests)
          request
            .on('error', () => undefined)
            .on('response', () => undefined)
            .end();
        const before = Math.max(idleMegabytes, megabytes());
        using watch = new MemoryWatch();
        expect(await longestStatus(delay(4_000))).toBeLessThan(LONGEST_STATUS_MILLIS);
        for (const request of requests) request.destroy();
        // Of each of the five there are some copies of a piece on their way; without an end there would be gigabytes.
        expect(watch.most).toBeLessThan(before + 3 * MOST_MEGABYTES);
        await expect.poll(millisFromNow).toBeLessThan(IDLE_MILLIS);
      },
    );
  });
});
