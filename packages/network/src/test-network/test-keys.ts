import { createHmac, createPrivateKey, createPublicKey } from 'node:crypto';
import { selfAuthenticatingId } from '@cannery/ic/certification/signatures/hash';
import type { NetworkKeys } from '@cannery/ic/certification/signatures/keys';

/** DER headers of a BLS12-381 public key in G2, and of an Ed25519 private key (RFC 8410). */
const BLS_DER_PREFIX = Buffer.from(
  '308182301d060d2b0601040182dc7c0503010201060c2b0601040182dc7c05030201036100',
  'hex',
);
const ED25519_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
/**
 * The root key of every network in a test, known to everybody: to work out a public key takes a third of a second, and what a
 * test network certifies means nothing elsewhere. SHA-256 of "cannery test network" without its first byte.
 */
const ROOT_SECRET = '004801204a62e8be72aeda048c3a903a9c4d5a3ca5275f28aa579804f2d1d7a1';
const ROOT_PUBLIC =
  'b679104cdc2221d669225f5ea65eb1d454464d9ab358dca85fd9ed2cea9752360c37bc69ef1b657f329c4ac90977e4ab0340baef6d4edf8fb3c5c1356c2b3f12613a9ba65d1f944868564d6ab0b310a0dfb21d214e08793e46175b2498fcb08f';

/** 32 bytes that follow from a seed, different for each purpose. */
export function seededBytes(seed: string, purpose: string): Uint8Array {
  return createHmac('sha256', `cannery test network ${seed}`).update(purpose).digest();
}

/** The root key, which is that of all test networks, and the ID of the subnet that it stands for. */
export const testRoot: Pick<NetworkKeys, 'rootSecretKey' | 'rootKey' | 'subnetId'> = rootOf();

/** All keys of the network with this seed: the key of its node follows from the seed. */
export function testKeys(seed: string): NetworkKeys {
  const nodeKey = createPrivateKey({
    key: Buffer.concat([ED25519_PREFIX, seededBytes(seed, 'node key')]),
    format: 'der',
    type: 'pkcs8',
  });
  const nodePublicKey = createPublicKey(nodeKey).export({ type: 'spki', format: 'der' });
  return {
    ...testRoot,
    nodeKey,
    nodePublicKey: new Uint8Array(nodePublicKey),
    nodeId: selfAuthenticatingId(nodePublicKey),
  };
}

function rootOf(): typeof testRoot {
  const rootKey = new Uint8Array(Buffer.concat([BLS_DER_PREFIX, Buffer.from(ROOT_PUBLIC, 'hex')]));
  return {
    rootSecretKey: new Uint8Array(Buffer.from(ROOT_SECRET, 'hex')),
    rootKey,
    subnetId: selfAuthenticatingId(rootKey),
  };
}
