import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { Cbor, type HttpAgentRequest, requestIdOf, type SignIdentity } from '@icp-sdk/core/agent';
import {
  DelegationChain,
  DelegationIdentity,
  ECDSAKeyIdentity,
  Ed25519KeyIdentity,
} from '@icp-sdk/core/identity';
import { Secp256k1KeyIdentity } from '@icp-sdk/core/identity/secp256k1';
import { Principal } from '@icp-sdk/core/principal';
import { expect, test } from 'vitest';
import { authenticate as authenticateBy, type Authorization, checkTarget } from './authentication.ts';
import { type Envelope, parseEnvelope } from './envelope.ts';
import { importKey } from './public-key.ts';

const now = (): bigint => BigInt(Date.now()) * 1_000_000n;
const counter = Principal.fromUint8Array(Uint8Array.of(0, 0, 0, 0, 1, 0, 0, 0, 1, 1));
const other = Principal.fromUint8Array(Uint8Array.of(0, 0, 0, 0, 1, 0, 0, 1, 1, 1));

/** Nothing here is signed by a canister. */
const judge = { wasIssued: (): Promise<boolean> => Promise.resolve(false) };
const authenticate = (envelope: Envelope, nowNanos: bigint): Promise<Authorization> =>
  authenticateBy(envelope, nowNanos, judge);

interface SignedBody {
  content: Record<string, unknown>;
  sender_pubkey: Uint8Array;
  sender_sig: Uint8Array;
}

async function sign(identity: SignIdentity, change?: (body: SignedBody) => void): Promise<Envelope> {
  const content = {
    request_type: 'call',
    canister_id: counter,
    method_name: 'inc',
    arg: Uint8Array.of(68, 73, 68, 76, 0, 0),
    sender: identity.getPrincipal(),
    ingress_expiry: now() + 60_000_000_000n,
    nonce: new Uint8Array(16).fill(3),
  };
  const request = { request: {}, endpoint: 'call', body: content } as unknown as HttpAgentRequest;
  const { body } = (await identity.transformRequest(request)) as { body: SignedBody };
  expect(parseEnvelope(Cbor.encode(body as never)).requestId).toEqual(Buffer.from(requestIdOf(content)));
  change?.(body);
  return parseEnvelope(Cbor.encode(body as never));
}

test.each([
  ['Ed25519', () => Ed25519KeyIdentity.generate()],
  ['secp256k1', () => Secp256k1KeyIdentity.generate()],
  ['P-256', () => ECDSAKeyIdentity.generate()],
])('a request signed with %s is accepted, and refused when a bit of it changed', async (_name, generate) => {
  const identity = await generate();
  expect((await authenticate(await sign(identity), now())).targets).toBeUndefined();
  const otherArg = await sign(identity, (body) => {
    body.content['arg'] = new Uint8Array(1);
  });
  await expect(authenticate(otherArg, now())).rejects.toThrow('signature could not be verified');
  const otherSignature = await sign(identity, (body) => {
    body.sender_sig = body.sender_sig.map((byte, index) => (index === 5 ? byte ^ 1 : byte));
  });
  await expect(authenticate(otherSignature, now())).rejects.toThrow('signature could not be verified');
});

test('nobody can sign for somebody else', async () => {
  const [mallory, alice] = [Ed25519KeyIdentity.generate(), Ed25519KeyIdentity.generate()];
  const forged = await sign(mallory, (body) => {
    body.content['sender'] = alice.getPrincipal();
  });
  await expect(authenticate(forged, now())).rejects.toThrow('does not match the public key');
  const unsigned = parseEnvelope(Cbor.encode({ content: contentOf(alice) }));
  await expect(authenticate(unsigned, now())).rejects.toThrow(
    `Missing signature from user: ${alice.getPrincipal()}`,
  );
});

test('anonymous requests need no signature and may not carry one', async () => {
  const anonymous = contentOf({ getPrincipal: () => Principal.anonymous() });
  const accepted = await authenticate(parseEnvelope(Cbor.encode({ content: anonymous })), now());
  expect(accepted.targets).toBeUndefined();
  const signed = parseEnvelope(Cbor.encode({ content: anonymous, sender_sig: new Uint8Array(64) }));
  await expect(authenticate(signed, now())).rejects.toThrow(
    'Signature is not allowed for the anonymous user',
  );
});

test('a delegation chain is followed to its end', async () => {
  const root = await ECDSAKeyIdentity.generate();
  const middle = Secp256k1KeyIdentity.generate();
  const session = Ed25519KeyIdentity.generate();
  const first = await DelegationChain.create(root, middle.getPublicKey(), inAnHour());
  const chain = await DelegationChain.create(middle, session.getPublicKey(), inAnHour(), { previous: first });
  const identity = DelegationIdentity.fromDelegation(session, chain);
  expect(identity.getPrincipal().toText()).toBe(root.getPrincipal().toText());
  expect((await authenticate(await sign(identity), now())).targets).toBeUndefined();

  const stranger = Ed25519KeyIdentity.generate();
  const stolen = DelegationIdentity.fromDelegation(stranger, chain);
  await expect(sign(stolen).then((envelope) => authenticate(envelope, now()))).rejects.toThrow('Invalid');
});

test('a delegation limited to a canister does not cover another', async () => {
  const [root, session] = [Ed25519KeyIdentity.generate(), Ed25519KeyIdentity.generate()];
  const chain = await DelegationChain.create(root, session.getPublicKey(), inAnHour(), { targets: [other] });
  const identity = DelegationIdentity.fromDelegation(session, chain);
  const authorization = await authenticate(await sign(identity), now());
  expect(() => checkTarget(authorization, other.toUint8Array())).not.toThrow();
  expect(() => checkTarget(authorization, counter.toUint8Array())).toThrow(
    `Canister '${counter}' is not one of the delegation targets.`,
  );
});

test('expired, circular, overlong and read-only delegations are refused', async () => {
  const [root, session] = [Ed25519KeyIdentity.generate(), Ed25519KeyIdentity.generate()];
  const expired = await DelegationChain.create(root, session.getPublicKey(), new Date(Date.now() - 1000));
  expect(await refusal(session, expired)).toContain('Specified sender delegation has expired');

  const readOnly = await DelegationChain.create(root, session.getPublicKey(), inAnHour(), {
    permissions: 'queries',
  });
  expect(await refusal(session, readOnly)).toContain('queries only');

  const toSelf = await DelegationChain.create(root, root.getPublicKey(), inAnHour());
  expect(await refusal(root, toSelf)).toContain('cycle');

  let from = root;
  let chain: DelegationChain | undefined;
  for (let link = 0; link < 21; link += 1) {
    const to = Ed25519KeyIdentity.generate();
    chain = await DelegationChain.create(from, to.getPublicKey(), inAnHour(), { previous: chain });
    from = to;
  }
  expect(chain && (await refusal(from, chain))).toContain('got 21 delegations, but at most 20');
});

test('a delegation with too many targets is refused', async () => {
  const [root, session] = [Ed25519KeyIdentity.generate(), Ed25519KeyIdentity.generate()];
  const targets = Array.from({ length: 1001 }, () => counter);
  const chain = await DelegationChain.create(root, session.getPublicKey(), inAnHour(), { targets });
  expect(await refusal(session, chain)).toContain(
    'expected at most 1000 targets per delegation, but got 1001',
  );
});

test('a delegation that was seen before is still refused once it expired or was tampered with', async () => {
  const [root, session] = [Ed25519KeyIdentity.generate(), Ed25519KeyIdentity.generate()];
  const chain = await DelegationChain.create(root, session.getPublicKey(), inAnHour());
  const envelope = await sign(DelegationIdentity.fromDelegation(session, chain));
  await authenticate(envelope, now());
  await expect(authenticate(envelope, now() + 7_200_000_000_000n)).rejects.toThrow('has expired');
  const [delegation] = envelope.delegations;
  const signature = delegation?.signature.map((byte, index) => (index === 9 ? byte ^ 1 : byte));
  const tampered = { ...envelope, delegations: [{ ...delegation, signature }] } as Envelope;
  await expect(authenticate(tampered, now())).rejects.toThrow(
    'Invalid delegation: Invalid basic signature: Ed25519 signature could not be verified',
  );
});

test('a key in another encoding than the canonical one is another principal, and refused', async () => {
  const { publicKey } = generateKeyPairSync('ec', {
    namedCurve: 'prime256v1',
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  });
  const point = publicKey.subarray(-65);
  const compressed = Buffer.concat([Buffer.of(2 + ((point[64] ?? 0) & 1)), point.subarray(1, 33)]);
  const der = Buffer.concat([
    Buffer.from('3039301306072a8648ce3d020106082a8648ce3d030107032200', 'hex'),
    compressed,
  ]);
  expect(createPublicKey({ key: der, format: 'der', type: 'spki' }).asymmetricKeyType).toBe('ec');
  expect(() => importKey(der)).toThrow('not the canonical one');
  expect(() => importKey(Buffer.concat([publicKey, Buffer.of(0)]))).toThrow('not a DER-encoded key');
  expect(importKey(publicKey).kind).toBe('plain');
});

test('keys of schemes the network does not know are refused', () => {
  const generated = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const rsa = generated.publicKey.export({ type: 'spki', format: 'der' });
  expect(() => importKey(rsa)).toThrow('use Ed25519, or ECDSA on P-256 or secp256k1');
  expect(() => importKey(new Uint8Array(3))).toThrow('not a DER-encoded key');
});

function inAnHour(): Date {
  return new Date(Date.now() + 3_600_000);
}

function contentOf(identity: { getPrincipal(): Principal }): Record<string, unknown> {
  return {
    request_type: 'query',
    canister_id: counter.toUint8Array(),
    method_name: 'get',
    arg: new Uint8Array(),
    sender: identity.getPrincipal().toUint8Array(),
    ingress_expiry: now(),
  };
}

async function refusal(
  session: Pick<SignIdentity, 'sign' | 'getPublicKey'>,
  chain: DelegationChain,
): Promise<string> {
  const envelope = await sign(DelegationIdentity.fromDelegation(session, chain));
  try {
    await authenticate(envelope, now());
    return 'accepted';
  } catch (error) {
    return (error as Error).message;
  }
}
