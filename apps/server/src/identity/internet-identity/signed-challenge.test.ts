import { createHash, randomBytes } from 'node:crypto';
import { openBls } from '@cannery/bls';
import { encodeCbor, treeToCbor } from '@cannery/ic/certification/tree/cbor';
import { fork, hashOf, type HashTree, labeled, leaf } from '@cannery/ic/certification/tree/hash-tree';
import {
  BLS12_381_G2_OID,
  hashOfMap,
  IC_REQUEST_AUTH_DELEGATION_DOMAIN_SEPARATOR,
  IC_STATE_ROOT_DOMAIN_SEPARATOR,
  wrapDER,
} from '@icp-sdk/core/agent';
import { ECDSAKeyIdentity, Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { Secp256k1KeyIdentity } from '@icp-sdk/core/identity/secp256k1';
import { Principal } from '@icp-sdk/core/principal';
import { describe, expect, test } from 'vitest';
import { principalOf } from './signed-challenge.ts';

/**
 * A network of two subnets, as mainnet has them: the root signs for the subnet of Internet Identity, whose certificates have that with
 * them. The embedded network, with which the rest is tested, is one subnet.
 */
const CANISTER = Principal.fromText('rdmx6-jaaaa-aaaaa-aaadq-cai').toUint8Array();
const SUBNET = Principal.selfAuthenticating(Uint8Array.of(1)).toUint8Array();
const CANISTER_KEY = Buffer.from('300c060a2b0601040183b8430102', 'hex');
const NOW = Date.now();
const UNTIL = BigInt(NOW + 60_000) * 1_000_000n;
const MESSAGE = Buffer.from('the challenge');
const SEED = Buffer.alloc(32, 7);

const { signingKey } = await openBls();
const keyOf = () => signingKey(Uint8Array.from([0, ...randomBytes(31)]));
type Key = ReturnType<typeof keyOf>;
const [root, subnet, strangers] = [keyOf(), keyOf(), keyOf()];
const der = (key: Key): Uint8Array => wrapDER(key.publicKey(), BLS12_381_G2_OID);

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();
const at = (path: readonly (string | Uint8Array)[], tree: HashTree): HashTree =>
  path.reduceRight<HashTree>((below, label) => labeled(Uint8Array.from(Buffer.from(label)), below), tree);
const TIME = at(['time'], leaf(Uint8Array.of(1)));

function certificate(key: Key, tree: HashTree, delegation?: unknown): Uint8Array {
  const whole = fork(tree, TIME);
  const signature = key.sign(Buffer.concat([IC_STATE_ROOT_DOMAIN_SEPARATOR, hashOf(whole)]));
  return encodeCbor({ tree: treeToCbor(whole), signature, delegation });
}

/** What says that a subnet has a key and canisters. */
function ofSubnet({ by = root, ranges = [[CANISTER, CANISTER]] } = {}): unknown {
  const known = fork(
    at(['canister_ranges'], leaf(encodeCbor(ranges))),
    at(['public_key'], leaf(der(subnet))),
  );
  return { subnet_id: SUBNET, certificate: certificate(by, at(['subnet', SUBNET], known)) };
}

interface Signed {
  readonly by?: Key;
  readonly delegation?: unknown;
  /** The message that the canister has signed, where it is another one. */
  readonly message?: Uint8Array;
}

/** The signature of the canister of Internet Identity. */
function canisterSignature(message: Uint8Array, signed: Signed): Uint8Array {
  const tree = at(['sig', sha256(SEED), sha256(signed.message ?? message)], leaf(new Uint8Array()));
  const state = at(['canister', CANISTER, 'certified_data'], leaf(hashOf(tree)));
  const whole = certificate(signed.by ?? subnet, state, signed.delegation);
  return encodeCbor({ certificate: whole, tree: treeToCbor(tree) });
}

const PUBLIC_KEY = wrapDER(
  Uint8Array.from([CANISTER.length, ...CANISTER, ...SEED]),
  Uint8Array.from(CANISTER_KEY),
);

async function signIn(
  signed: Signed,
  session: Pick<
    Ed25519KeyIdentity | Secp256k1KeyIdentity | ECDSAKeyIdentity,
    'getPublicKey' | 'sign'
  > = Ed25519KeyIdentity.generate(),
): Promise<string> {
  const pubkey = new Uint8Array(session.getPublicKey().toDer());
  const bytes = Buffer.concat([
    IC_REQUEST_AUTH_DELEGATION_DOMAIN_SEPARATOR,
    hashOfMap({ pubkey, expiration: UNTIL }),
  ]);
  const delegation = { publicKey: pubkey, expiration: UNTIL, signature: canisterSignature(bytes, signed) };
  return principalOf(
    { publicKey: PUBLIC_KEY, delegations: [delegation], signature: await session.sign(MESSAGE) },
    { message: MESSAGE, rootKey: der(root), now: NOW },
  );
}

const OURS = Principal.selfAuthenticating(PUBLIC_KEY).toText();

test('a subnet signs in for whom the root of its network vouches', async () => {
  expect(await signIn({ delegation: ofSubnet() })).toBe(OURS);
  expect(await signIn({ by: root })).toBe(OURS);
});

test.each([
  ['Ed25519', () => Ed25519KeyIdentity.generate()],
  ['secp256k1', () => Secp256k1KeyIdentity.generate()],
  ['P-256', () => ECDSAKeyIdentity.generate()],
] as const)('a session key may be of %s', async (_kind, generate) => {
  expect(await signIn({ by: root }, await generate())).toBe(OURS);
});

describe('nobody is signed in by', () => {
  const nested = { subnet_id: SUBNET, certificate: certificate(root, TIME, ofSubnet()) };
  const forged: Readonly<Record<string, Signed>> = {
    'a subnet for which nobody vouches': {},
    'a key that somebody has made': { by: strangers },
    'a subnet for which a stranger vouches': { delegation: ofSubnet({ by: strangers }) },
    'a subnet that has other canisters': {
      delegation: ofSubnet({ ranges: [[Uint8Array.of(0xff, 1), Uint8Array.of(0xff, 2)]] }),
    },
    'a stranger with the word of the root for a subnet': { by: strangers, delegation: ofSubnet() },
    'a subnet for which a subnet vouches': { delegation: nested },
    'a certificate that is none': { delegation: { subnet_id: SUBNET, certificate: 'none' } },
    'what the canister has signed for another message': { by: root, message: Uint8Array.of(1) },
  };
  test.each(Object.entries(forged))('%s', async (_what, signed) => {
    await expect(signIn(signed)).rejects.toMatchObject({ code: 'sign_in_failed' });
  });
});
