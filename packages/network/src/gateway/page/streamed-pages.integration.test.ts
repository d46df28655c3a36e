import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { utf8 } from '@cannery/ic/certification/bytes';
import { sha256 } from '@cannery/ic/certification/signatures/hash';
import { hashOf, labeled, leaf } from '@cannery/ic/certification/tree/hash-tree';
import { createLocalNetwork, type LocalNetwork } from '../../local-network.ts';
import { parseCertificateExpression } from '../proof/certificate-expression.ts';
import type { Header } from '../proof/http-messages.ts';
import { responseHash } from '../proof/message-hashes.ts';
import { connect } from '../../../test/agent.ts';
import { certificateHeader, page, piece, streamingPage } from '../../../test/hostile/hostile-pages.ts';
import { ScriptedCanister } from '../../../test/canisters/scripted-canister.ts';

const EXPRESSION =
  'default_certification(ValidationArgs{certification:Certification{no_request_certification:Empty{},response_certification:ResponseCertification{certified_response_headers:ResponseHeaderList{headers:[]}}}})';
const PIECE = 1_500_000;

let dataDir: string;
let network: LocalNetwork;
let canister: ScriptedCanister;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'cannery-streamed-'));
  network = await createLocalNetwork({ dataDir, port: 0 });
  canister = await ScriptedCanister.deploy(await connect(network.url, Ed25519KeyIdentity.generate()));
});

afterAll(async () => {
  await network.close();
  rmSync(dataDir, { recursive: true });
});

/** The bytes of a piece, another one for each name. */
const bytes = (name: string, length = PIECE): Buffer => Buffer.alloc(length, name);

/** Makes the canister answer a body in these pieces, certified with version 2 of response verification. */
async function stream(...pieces: readonly Uint8Array[]): Promise<void> {
  const [start = Buffer.alloc(0), ...rest] = pieces;
  const headers: Header[] = [['IC-CertificateExpression', EXPRESSION]];
  const expression = parseCertificateExpression(EXPRESSION);
  if (expression.kind !== 'response') throw new Error('not of a response');
  const hash = responseHash({ status: 200, headers, bodyHash: sha256(...pieces) }, expression);
  const entry = labeled(new Uint8Array(), labeled(hash, leaf(new Uint8Array())));
  const expressions = labeled(sha256(utf8(EXPRESSION)), entry);
  const tree = labeled(utf8('http_expr'), labeled(utf8('<*>'), expressions));
  const certificate = await canister.certify(hashOf(tree));
  const all = [...headers, certificateHeader(certificate, tree)];
  await canister.page(streamingPage(canister.id.toUint8Array(), all, start));
  for (const [index, each] of rest.entries()) {
    await canister.piece(`${index}`, piece(each, index + 1 < rest.length ? `${index + 1}` : undefined));
  }
}

interface Received {
  readonly status: number | undefined;
  readonly length: string | undefined;
  readonly body: Buffer;
}

/** Reads a page; `pause` is called once its first bytes are there, before any more of it is taken. */
async function visit(
  kind: 'raw' | 'verified',
  pause?: () => Promise<unknown>,
  method = 'GET',
): Promise<Received> {
  const host = `${canister.id}${kind === 'raw' ? '.raw' : ''}.localhost:${network.port}`;
  const { promise, resolve, reject } = Promise.withResolvers<Received>();
  const options = { host: '127.0.0.1', port: network.port, method, agent: false, headers: { host } } as const;
  const request = httpRequest(options, async (response) => {
    try {
      await pause?.();
      const chunks = (await response.toArray()) as Buffer[];
      const length = response.headers['content-length'];
      resolve({ status: response.statusCode, length, body: Buffer.concat(chunks) });
    } catch (error) {
      reject(error);
    }
  });
  request.on('error', reject).end();
  return promise;
}

describe('a body that a canister sends in pieces', () => {
  test('is verified as a whole and sent with its length, short or long', async () => {
    for (const pieces of [
      [utf8('one '), utf8('two '), utf8('three')],
      // Pieces whose memory is given back when the next one is asked for, collected all the same.
      [utf8('one '), bytes('b', 70_000), bytes('c', 80_000), utf8('end')],
      [bytes('a'), bytes('b'), bytes('c'), utf8('end')],
    ]) {
      await stream(...pieces);
      const whole = Buffer.concat(pieces);
      const { status, length, body } = await visit('verified');
      expect([status, length]).toEqual([200, `${whole.length}`]);
      expect(body.equals(whole)).toBe(true);
      const head = await visit('verified', undefined, 'HEAD');
      expect([head.status, head.length, head.body.length]).toEqual([200, `${whole.length}`, 0]);
    }
  });

  test('passes through on a raw address, with its length where it is short', async () => {
    const pieces = [utf8('one '), bytes('b', 70_000), bytes('c', 80_000), utf8('end')];
    await stream(...pieces);
    const whole = Buffer.concat(pieces);
    const { status, length, body } = await visit('raw');
    expect([status, length]).toEqual([200, `${whole.length}`]);
    expect(body.equals(whole)).toBe(true);
  });

  test('passes through on a raw address, without a length where it is long', async () => {
    await stream(bytes('a'), bytes('b'), utf8('end'));
    const { status, length, body } = await visit('raw');
    expect([status, length]).toEqual([200, undefined]);
    expect(body.equals(Buffer.concat([bytes('a'), bytes('b'), utf8('end')]))).toBe(true);
  });

  test('is refused before any of it is sent where a piece is not what was certified', async () => {
    await stream(bytes('a'), bytes('b'), bytes('c'));
    await canister.piece('0', piece(bytes('x'), '1'));
    const { status, body } = await visit('verified');
    expect(status).toBe(502);
    expect(body.toString()).toContain('its content is not what the canister certified');
  });

  test('ends where it changes after it was verified', async () => {
    await stream(...['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => bytes(name, 1_800_000)));
    const change = (): Promise<void> => canister.piece('6', piece(bytes('x', 1_800_000)));
    await expect(visit('verified', change)).rejects.toThrow('aborted');
  });

  test('has to belong to the canister that is asked', async () => {
    await canister.page(streamingPage(Uint8Array.of(0, 0, 0, 0, 1, 0, 0, 9, 1, 1), [], utf8('start')));
    const { status, body } = await visit('raw');
    expect(status).toBe(502);
    expect(body.toString()).toContain('belongs to another canister');
  });
});

test('a large page is verified in a thread, and again for each visit', async () => {
  await canister.page(page([], bytes('a')));
  expect((await visit('raw')).body).toHaveLength(PIECE);
  expect((await visit('verified')).body.toString()).toContain('does not certify it');
});
