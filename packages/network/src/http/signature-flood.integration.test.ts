import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Cbor, requestIdOf } from '@icp-sdk/core/agent';
import { Principal } from '@icp-sdk/core/principal';
import { encode } from 'cborg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, deploy } from '../../test/agent.ts';
import { wat } from '../../../wasm/test/wasm.ts';
import { utf8 } from '@cannery/ic/certification/bytes';
import { treeToCbor } from '@cannery/ic/certification/tree/cbor';
import { domainSeparator, sha256 } from '@cannery/ic/certification/signatures/hash';
import { hashOf, labeled, leaf } from '@cannery/ic/certification/tree/hash-tree';
import { createLocalNetwork, type LocalNetwork } from '../local-network.ts';

/** Replies to an update call. */
const COUNTER_WAT = `(module
  (import "ic0" "msg_reply" (func $reply))
  (func (export "canister_update inc") (call $reply)))`;

const SEED = utf8('seed');
const FLOOD = 400;

let dataDir: string;
let network: LocalNetwork;
let counter: Principal;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'cannery-flood-'));
  network = await createLocalNetwork({ dataDir, port: 0 });
  counter = await deploy(await connect(network.url), wat(COUNTER_WAT));
});
afterAll(async () => {
  await network.close();
  rmSync(dataDir, { recursive: true });
});

const expiry = (): bigint => BigInt(Date.now() + 120_000) * 1_000_000n;

async function post(type: string, envelope: unknown): Promise<{ status: number; body: Uint8Array }> {
  const response = await fetch(`${network.url}/api/v3/canister/${counter}/${type}`, {
    method: 'POST',
    headers: { 'content-type': 'application/cbor' },
    body: encode(envelope),
  });
  return { status: response.status, body: await response.bytes() };
}

/** A signature that this network made, over something else. */
async function anySignature(): Promise<Uint8Array> {
  const content = {
    request_type: 'read_state',
    sender: Uint8Array.of(4),
    ingress_expiry: expiry(),
    paths: [],
  };
  const { body } = await post('read_state', { content });
  const { certificate } = Cbor.decode<{ certificate: Uint8Array }>(body);
  return Cbor.decode<{ signature: Uint8Array }>(certificate).signature;
}

/** A request that needs no key: it is signed by a canister, as the sender says, in a state that there never was. */
function forged(signature: Uint8Array): unknown {
  const id = counter.toUint8Array();
  const bits = Buffer.concat([Buffer.of(0, id.length), id, SEED]);
  const oid = Buffer.from('300c060a2b0601040183b8430102', 'hex');
  const inner = Buffer.concat([oid, Buffer.of(0x03, bits.length), bits]);
  const key = new Uint8Array(Buffer.concat([Buffer.of(0x30, inner.length), inner]));
  const content = {
    request_type: 'query',
    canister_id: id,
    method_name: 'get',
    arg: new Uint8Array(),
    sender: Principal.selfAuthenticating(key).toUint8Array(),
    ingress_expiry: expiry(),
    nonce: crypto.getRandomValues(new Uint8Array(16)),
  };
  const message = Buffer.concat([domainSeparator('ic-request'), new Uint8Array(requestIdOf(content))]);
  const tree = labeled(utf8('sig'), labeled(sha256(SEED), labeled(sha256(message), leaf(new Uint8Array()))));
  const state = labeled(
    utf8('canister'),
    labeled(id, labeled(utf8('certified_data'), leaf(new Uint8Array(hashOf(tree))))),
  );
  const certificate = encode({ tree: treeToCbor(state), signature });
  return { content, sender_pubkey: key, sender_sig: encode({ certificate, tree: treeToCbor(tree) }) };
}

test('forged signatures by canisters are refused, most of them at once, and update calls go on', async () => {
  const signature = await anySignature();
  const statuses = new Map<number, number>();
  const flood = Array.from({ length: FLOOD }, async () => {
    const { status } = await post('query', forged(signature));
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  });
  const update = await post('call', {
    content: {
      request_type: 'call',
      canister_id: counter.toUint8Array(),
      method_name: 'inc',
      arg: new Uint8Array(),
      sender: Uint8Array.of(4),
      ingress_expiry: expiry(),
    },
  });
  expect([update.status, Cbor.decode<{ status: string }>(update.body).status]).toEqual([200, 'replied']);
  await Promise.all(flood);
  expect((statuses.get(400) ?? 0) + (statuses.get(503) ?? 0)).toBe(FLOOD);
  expect(statuses.get(400)).toBeGreaterThan(0);
  expect(statuses.get(503)).toBeGreaterThan(FLOOD / 4);
});
