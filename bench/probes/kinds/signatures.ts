import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { requestIdOf } from '@icp-sdk/core/agent';
import { Principal } from '@icp-sdk/core/principal';
import { encode } from 'cborg';
import { treeToCbor } from '../../../packages/ic/src/certification/tree/cbor.ts';
import { domainSeparator, sha256 } from '../../../packages/ic/src/certification/signatures/hash.ts';
import { hashOf, labeled, leaf } from '../../../packages/ic/src/certification/tree/hash-tree.ts';
import { type Attack, posted } from '../attack.ts';
import type { Probe } from '../probe.ts';
import type { World } from '../world.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

interface Key {
  readonly der: Uint8Array;
  sign(message: Uint8Array): Uint8Array;
}

function keyOf({ publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject }): Key {
  const digest = privateKey.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  return {
    der: new Uint8Array(publicKey.export({ type: 'spki', format: 'der' })),
    sign: (message) => new Uint8Array(sign(digest, message, { key: privateKey, dsaEncoding: 'ieee-p1363' })),
  };
}

const ed25519 = (): Key => keyOf(generateKeyPairSync('ed25519'));
const ecdsa = (namedCurve: string) => (): Key => keyOf(generateKeyPairSync('ec', { namedCurve }));

/** Half an hour from now: as a browser has it. */
const expiration = (): bigint => BigInt(Date.now() + 1_800_000) * 1_000_000n;

function contentOf({ counter }: World, key: Key, type = 'query'): Record<string, unknown> {
  return {
    request_type: type,
    canister_id: counter.toUint8Array(),
    method_name: type === 'query' ? 'get' : 'inc',
    arg: new Uint8Array(),
    sender: Principal.selfAuthenticating(key.der).toUint8Array(),
    ingress_expiry: BigInt(Date.now() + 60_000) * 1_000_000n,
    nonce: new Uint8Array(randomBytes(16)),
  };
}

const signedMessage = (content: Record<string, unknown>): Uint8Array =>
  Buffer.concat([domainSeparator('ic-request'), new Uint8Array(requestIdOf(content))]);

const at = ({ counter }: World, type: string): string => `/api/v3/canister/${counter}/${type}`;

/** Sends what `make` gives, each time another request. */
function signed(name: string, make: (world: World, index: number) => unknown, count = 600): Probe {
  return {
    name,
    at: 'network',
    async run(attack: Attack, world: World) {
      await attack.many(count, 30, async (index) => {
        const type = index % 5 === 4 ? 'call' : 'query';
        await attack.send(posted(at(world, type), encode(make(world, index))));
      });
    },
  };
}

const goodly = (make: () => Key) => {
  const key = make();
  return (world: World, index: number): unknown => {
    const content = contentOf(world, key, index % 5 === 4 ? 'call' : 'query');
    return { content, sender_pubkey: key.der, sender_sig: key.sign(signedMessage(content)) };
  };
};

/** A chain of delegations, each signed by the key before. */
function delegated(links: number, targets: number) {
  const keys = Array.from({ length: links + 1 }, ed25519);
  return (world: World): unknown => {
    const [first, last] = [keys[0] as Key, keys.at(-1) as Key];
    const ids = Array.from({ length: targets }, () => world.counter.toUint8Array());
    const chain = keys.slice(1).map((key, index) => {
      const delegation = {
        pubkey: key.der,
        expiration: expiration(),
        ...(targets > 0 ? { targets: ids } : {}),
      };
      const message = Buffer.concat([
        domainSeparator('ic-request-auth-delegation'),
        new Uint8Array(requestIdOf(delegation)),
      ]);
      return { delegation, signature: (keys[index] as Key).sign(message) };
    });
    const content = contentOf(world, first);
    return {
      content,
      sender_pubkey: first.der,
      sender_delegation: chain,
      sender_sig: last.sign(signedMessage(content)),
    };
  };
}

/** SubjectPublicKeyInfo of a canister's key. */
function canisterKey(canister: Uint8Array, seed: Uint8Array): Uint8Array {
  const bits = Buffer.concat([Buffer.of(0, canister.length), canister, seed]);
  const inner = Buffer.concat([
    Buffer.from('300c060a2b0601040183b8430102', 'hex'),
    Buffer.of(0x03, bits.length),
    bits,
  ]);
  return new Uint8Array(Buffer.concat([Buffer.of(0x30, inner.length), inner]));
}

/** Signed by a canister, as it says, in a state that there never was. */
function byCanister({ counter }: World, content: Record<string, unknown>, key: Uint8Array): unknown {
  const tree = labeled(
    utf8('sig'),
    labeled(sha256(utf8('seed')), labeled(sha256(signedMessage(content)), leaf(new Uint8Array()))),
  );
  const certified = labeled(utf8('certified_data'), leaf(new Uint8Array(hashOf(tree))));
  const state = labeled(utf8('canister'), labeled(counter.toUint8Array(), certified));
  const certificate = encode({ tree: treeToCbor(state), signature: new Uint8Array(randomBytes(48)) });
  return { content, sender_pubkey: key, sender_sig: encode({ certificate, tree: treeToCbor(tree) }) };
}

const forgedByCanister = (world: World): unknown => {
  const key = canisterKey(world.counter.toUint8Array(), utf8('seed'));
  const content = {
    ...contentOf(world, ed25519()),
    sender: Principal.selfAuthenticating(key).toUint8Array(),
  };
  return byCanister(world, content, key);
};

/** The content as one of `der`, whose signature is `signature`. */
const withKey =
  (der: Uint8Array, signature: Uint8Array) =>
  (world: World): unknown => {
    const content = {
      ...contentOf(world, ed25519()),
      sender: Principal.selfAuthenticating(der).toUint8Array(),
    };
    return { content, sender_pubkey: der, sender_sig: signature };
  };

const RSA = generateKeyPairSync('rsa', { modulusLength: 1024 });
const rsaDer = new Uint8Array(RSA.publicKey.export({ type: 'spki', format: 'der' }));
const seedOf = (length: number): Uint8Array => new Uint8Array(length).fill(1);
/** A key of an authenticator (COSE) whose map is `cose`. */
const coseKey = (cose: Uint8Array): Uint8Array => {
  const bits = Buffer.concat([Buffer.of(0), cose]);
  const inner = Buffer.concat([
    Buffer.from('300c060a2b0601040183b8430101', 'hex'),
    Buffer.of(0x03, bits.length),
    bits,
  ]);
  return new Uint8Array(Buffer.concat([Buffer.of(0x30, inner.length), inner]));
};

const nested = (depth: number): Uint8Array => Buffer.concat([Buffer.alloc(depth, 0x81), Buffer.of(0)]);

/** Keys, signatures and delegations. */
export const signatures: readonly Probe[] = [
  signed('good signatures of one Ed25519 key', goodly(ed25519)),
  signed('good signatures of one secp256k1 key', goodly(ecdsa('secp256k1'))),
  signed('good signatures of one P-256 key', goodly(ecdsa('prime256v1'))),
  signed('wrong signatures of ever other Ed25519 keys', (world) =>
    withKey(ed25519().der, new Uint8Array(64))(world),
  ),
  signed('wrong signatures of ever other secp256k1 keys', (world) =>
    withKey(ecdsa('secp256k1')().der, new Uint8Array(64).fill(1))(world),
  ),
  signed('keys of RSA, of nothing and of noise', (world, index) =>
    withKey([rsaDer, new Uint8Array(), seedOf(1_300)][index % 3] as Uint8Array, new Uint8Array(64))(world),
  ),
  signed('keys of canisters with long seeds', (world, index) =>
    withKey(canisterKey(world.counter.toUint8Array(), seedOf(80 + (index % 20))), nested(30_000))(world),
  ),
  signed('keys of authenticators that are hostile CBOR', (world, index) =>
    withKey(
      coseKey(
        [nested(60), Buffer.of(0xbf), Buffer.from('baffffffff', 'hex'), Buffer.alloc(100, 0xa0)][
          index % 4
        ] as Buffer,
      ),
      new Uint8Array(64),
    )(world),
  ),
  signed(
    'assertions of authenticators that are hostile',
    (world, index) =>
      withKey(
        ecdsa('prime256v1')().der,
        [
          nested(16_000),
          Buffer.alloc(32_000, 0xa0),
          Buffer.concat([Buffer.from('9affffffff', 'hex'), Buffer.alloc(16_000)]),
        ][index % 3] as Buffer,
      )(world),
    300,
  ),
  signed('signatures by canisters that were never made', forgedByCanister, 400),
  {
    name: 'the same from 20 addresses',
    at: 'network',
    async run(attack, world) {
      await attack.many(400, 60, async (index) => {
        const body = encode(forgedByCanister(world));
        await attack.send(posted(at(world, 'query'), body), { from: `127.3.1.${(index % 20) + 1}` });
      });
    },
  },
  signed(
    'signatures by canisters of 32 kB of CBOR',
    (world, index) =>
      withKey(
        canisterKey(world.counter.toUint8Array(), utf8('seed')),
        [
          Buffer.concat([Buffer.from('a263747265', 'hex'), nested(30_000)]),
          Buffer.alloc(32_000, 0xa0),
          Buffer.alloc(32_000, Buffer.from('83018100', 'hex')),
        ][index % 3] as Buffer,
      )(world),
    300,
  ),
  signed('delegations in a chain of 20', delegated(20, 0), 200),
  signed('delegations in a chain of 20 with 1,000 targets each', delegated(20, 1_000), 30),
  signed('delegations in a chain of 21', delegated(21, 0), 100),
  signed('one delegation, again and again', delegated(1, 1), 400),
];
