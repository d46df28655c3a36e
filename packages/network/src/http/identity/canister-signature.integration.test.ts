import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Cbor, requestIdOf } from '@icp-sdk/core/agent';
import { Principal } from '@icp-sdk/core/principal';
import { encode } from 'cborg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, deploy } from '../../../test/agent.ts';
import { wat } from '../../../../wasm/test/wasm.ts';
import { treeToCbor } from '@cannery/ic/certification/tree/cbor';
import { sha256 } from '@cannery/ic/certification/signatures/hash';
import { fork, type HashTree, hashOf, labeled, leaf } from '@cannery/ic/certification/tree/hash-tree';
import { hashOfMap } from '@cannery/ic/certification/signatures/representation-hash';
import { createLocalNetwork, type LocalNetwork } from '../../local-network.ts';

/** Certifies what it is told, hands out the certificate, and tells what is known of its caller. */
const SIGNER = `(module
  (import "ic0" "msg_arg_data_size" (func $size (result i32)))
  (import "ic0" "msg_arg_data_copy" (func $copy (param i32 i32 i32)))
  (import "ic0" "certified_data_set" (func $certify (param i32 i32)))
  (import "ic0" "data_certificate_size" (func $certificate_size (result i32)))
  (import "ic0" "data_certificate_copy" (func $certificate_copy (param i32 i32 i32)))
  (import "ic0" "msg_caller_info_data_size" (func $info_size (result i32)))
  (import "ic0" "msg_caller_info_data_copy" (func $info_copy (param i32 i32 i32)))
  (import "ic0" "msg_caller_info_signer_size" (func $signer_size (result i32)))
  (import "ic0" "msg_caller_info_signer_copy" (func $signer_copy (param i32 i32 i32)))
  (import "ic0" "msg_reply_data_append" (func $append (param i32 i32)))
  (import "ic0" "msg_reply" (func $reply))
  (memory 1)
  (func (export "canister_update certify")
    (call $copy (i32.const 0) (i32.const 0) (call $size))
    (call $certify (i32.const 0) (call $size))
    (call $reply))
  (func (export "canister_query certificate")
    (call $certificate_copy (i32.const 0) (i32.const 0) (call $certificate_size))
    (call $append (i32.const 0) (call $certificate_size))
    (call $reply))
  (func $tell
    (call $info_copy (i32.const 0) (i32.const 0) (call $info_size))
    (call $append (i32.const 0) (call $info_size))
    (call $signer_copy (i32.const 0) (i32.const 0) (call $signer_size))
    (call $append (i32.const 0) (call $signer_size))
    (call $reply))
  (func (export "canister_query info") (call $tell))
  (func (export "canister_update info_update") (call $tell)))`;

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const SEED = utf8('user 1');
const INFO = utf8('name: Ada');
const EMPTY = new Uint8Array();

let dataDir: string;
let network: LocalNetwork;
let signer: Principal;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'cannery-canister-signature-'));
  network = await createLocalNetwork({ dataDir, port: 0 });
  signer = await deploy(await connect(network.url), wat(SIGNER));
});

afterAll(async () => {
  await network.close();
  rmSync(dataDir, { recursive: true });
});

function publicKey(canister: Principal, seed: Uint8Array): Uint8Array {
  const id = canister.toUint8Array();
  const bits = Buffer.concat([Buffer.of(0, id.length), id, seed]);
  const oid = Buffer.from('300c060a2b0601040183b8430102', 'hex');
  const body = Buffer.concat([oid, Buffer.of(0x03, bits.length), bits]);
  return new Uint8Array(Buffer.concat([Buffer.of(0x30, body.length), body]));
}

const domain = (name: string, ...rest: Uint8Array[]): Buffer =>
  Buffer.concat([Buffer.of(name.length), utf8(name), ...rest]);

/** Has the canister sign all of `messages` at once; gives a signature that holds for each of them. */
async function signByCanister(...messages: Uint8Array[]): Promise<Uint8Array> {
  const leaves = messages
    .map((message) => labeled(sha256(message), leaf(EMPTY)))
    .sort((a, b) => Buffer.compare(a.label, b.label));
  const signatures = leaves.reduce<HashTree | undefined>(
    (tree, each) => (tree ? fork(tree, each) : each),
    undefined,
  );
  if (!signatures) throw new Error('there is nothing to sign');
  const tree = labeled(utf8('sig'), labeled(sha256(SEED), signatures));
  await anonymous('call', 'certify', hashOf(tree));
  const certificate = await anonymous('query', 'certificate', EMPTY);
  return encode({ certificate, tree: treeToCbor(tree) });
}

type Content = Record<string, unknown>;

function contentOf(
  type: string,
  method: string,
  arg: Uint8Array,
  sender: Uint8Array,
  more: Content = {},
): Content {
  return {
    request_type: type,
    canister_id: signer.toUint8Array(),
    method_name: method,
    arg,
    sender,
    ingress_expiry: BigInt(Date.now() + 120_000) * 1_000_000n,
    nonce: crypto.getRandomValues(new Uint8Array(16)),
    ...more,
  };
}

async function post(envelope: Content & { content: Content }): Promise<{ status: number; body: Uint8Array }> {
  const type = String(envelope.content['request_type']);
  const response = await fetch(`${network.url}/api/v3/canister/${signer}/${type}`, {
    method: 'POST',
    headers: { 'content-type': 'application/cbor' },
    body: encode(envelope),
  });
  return { status: response.status, body: await response.bytes() };
}

async function anonymous(type: string, method: string, arg: Uint8Array): Promise<Uint8Array> {
  const { status, body } = await post({ content: contentOf(type, method, arg, Uint8Array.of(4)) });
  expect(status, Buffer.from(body).toString()).toBe(200);
  return replyOf(body);
}

function replyOf(body: Uint8Array): Uint8Array {
  const answer = Cbor.decode<{ status: string; reply?: { arg: Uint8Array } }>(body);
  return answer.reply?.arg ?? EMPTY;
}

const sender = (): Uint8Array => Principal.selfAuthenticating(publicKey(signer, SEED)).toUint8Array();
const requestMessage = (content: Content): Uint8Array => domain('ic-request', requestIdOf(content));

test('a request signed by a canister is the word of its principal', async () => {
  const content = contentOf('query', 'info', EMPTY, sender());
  const signature = await signByCanister(requestMessage(content));
  const { status, body } = await post({
    content,
    sender_pubkey: publicKey(signer, SEED),
    sender_sig: signature,
  });
  expect(status, Buffer.from(body).toString()).toBe(200);
  expect(replyOf(body)).toHaveLength(0);
});

test('a session key delegated by a canister signature signs requests', async () => {
  const { Ed25519KeyIdentity } = await import('@icp-sdk/core/identity');
  const session = Ed25519KeyIdentity.generate();
  const delegation = {
    pubkey: new Uint8Array(session.getPublicKey().toDer()),
    expiration: BigInt(Date.now() + 600_000) * 1_000_000n,
  };
  const signature = await signByCanister(domain('ic-request-auth-delegation', hashOfMap(delegation)));
  for (const type of ['query', 'call']) {
    const content = contentOf(type, type === 'query' ? 'info' : 'info_update', EMPTY, sender());
    const { status, body } = await post({
      content,
      sender_pubkey: publicKey(signer, SEED),
      sender_delegation: [{ delegation, signature }],
      sender_sig: new Uint8Array(await session.sign(new Uint8Array(requestMessage(content)))),
    });
    expect(status, Buffer.from(body).toString()).toBe(200);
  }
});

test('a canister tells another canister about the caller', async () => {
  const infoMessage = domain('ic-sender-info', INFO);
  const infoSignature = await signByCanister(infoMessage);
  const sender_info = { info: INFO, signer: signer.toUint8Array(), sig: infoSignature };
  const content = contentOf('query', 'info', EMPTY, sender(), { sender_info });
  const requestSignature = await signByCanister(domain('ic-request', hashOfMap(content)));
  const envelope = { content, sender_pubkey: publicKey(signer, SEED), sender_sig: requestSignature };
  const { status, body } = await post(envelope);
  expect(status, Buffer.from(body).toString()).toBe(200);
  expect(Buffer.from(replyOf(body))).toEqual(Buffer.concat([INFO, signer.toUint8Array()]));

  const forged = { ...sender_info, signer: Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 1, 1, 1) };
  const other = contentOf('query', 'info', EMPTY, sender(), { sender_info: forged });
  const otherSignature = await signByCanister(domain('ic-request', hashOfMap(other)));
  const refused = await post({
    content: other,
    sender_pubkey: publicKey(signer, SEED),
    sender_sig: otherSignature,
  });
  expect(refused.status).toBe(400);
  expect(Buffer.from(refused.body).toString()).toContain('Invalid sender info: signer');
});

test('a signature for another message, seed or canister, or with a foreign certificate, is refused', async () => {
  const content = contentOf('query', 'info', EMPTY, sender());
  const good = await signByCanister(requestMessage(content));
  const send = async (signature: Uint8Array, key = publicKey(signer, SEED)): Promise<string> => {
    const own = { ...content, sender: Principal.selfAuthenticating(key).toUint8Array() };
    const { status, body } = await post({ content: own, sender_pubkey: key, sender_sig: signature });
    return `${status} ${Buffer.from(body).toString()}`;
  };
  expect(await send(await signByCanister(utf8('something else')))).toContain('did not sign this message');
  expect(await send(good, publicKey(signer, utf8('user 2')))).toContain('did not sign this message');
  const stranger = Principal.fromUint8Array(Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 9, 1, 1));
  expect(await send(good, publicKey(stranger, SEED))).toContain('not the certified data of the canister');

  const { certificate, tree } = Cbor.decode<{ certificate: Uint8Array; tree: unknown }>(good);
  const decoded = Cbor.decode<{ tree: unknown; signature: Uint8Array }>(certificate);
  const resigned = {
    ...decoded,
    signature: decoded.signature.map((byte, at) => (at === 20 ? byte ^ 1 : byte)),
  };
  expect(await send(encode({ certificate: encode(resigned), tree }))).toContain(
    'was not issued by this network',
  );
  const delegation = { subnet_id: new Uint8Array(29), certificate: EMPTY };
  expect(await send(encode({ certificate: encode({ ...decoded, delegation }), tree }))).toContain(
    'another subnet',
  );
  expect(await send(Uint8Array.of(1, 2, 3))).toContain('400 Invalid signature: Invalid canister signature');
});
