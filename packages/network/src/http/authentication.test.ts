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
import { authenticate, checkTarget } from './authentication.ts';
import { type Envelope, parseEnvelope } from './envelope.ts';

const now = (): bigint => BigInt(Date.now()) * 1_000_000n;
const counter = Principal.fromUint8Array(Uint8Array.of(0, 0, 0, 0, 1, 0, 0, 0, 1, 1));
const other = Principal.fromUint8Array(Uint8Array.of(0, 0, 0, 0, 1, 0, 0, 1, 1, 1));

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
  expect(authenticate(await sign(identity), now()).targets).toBeUndefined();
  const otherArg = await sign(identity, (body) => {
    body.content['arg'] = new Uint8Array(1);
  });
  expect(() => authenticate(otherArg, now())).toThrow('signature could not be verified');
  const otherSignature = await sign(identity, (body) => {
    body.sender_sig = body.sender_sig.map((byte, index) => (index === 5 ? byte ^ 1 : byte));
  });
  expect(() => authenticate(otherSignature, now())).toThrow('signature could not be verified');
});

test('nobody can sign for somebody else', async () => {
  const [mallory, alice] = [Ed25519KeyIdentity.generate(), Ed25519KeyIdentity.generate()];
  const forged = await sign(mallory, (body) => {
    body.content['sender'] = alice.getPrincipal();
  });
  expect(() => authenticate(forged, now())).toThrow('does not match the public key');
  const unsigned = parseEnvelope(Cbor.encode({ content: contentOf(alice) }));
  expect(() => authenticate(unsigned, now())).toThrow(`Missing signature from user: ${alice.getPrincipal()}`);
});

test('anonymous requests need no signature and may not carry one', async () => {
  const anonymous = contentOf({ getPrincipal: () => Principal.anonymous() });
  expect(authenticate(parseEnvelope(Cbor.encode({ content: anonymous })), now()).targets).toBeUndefined();
  const signed = parseEnvelope(Cbor.encode({ content: anonymous, sender_sig: new Uint8Array(64) }));
  expect(() => authenticate(signed, now())).toThrow('Signature is not allowed for the anonymous user');
});

test('a delegation chain is followed to its end', async () => {
  const root = await ECDSAKeyIdentity.generate();
  const middle = Secp256k1KeyIdentity.generate();
  const session = Ed25519KeyIdentity.generate();
  const first = await DelegationChain.create(root, middle.getPublicKey(), inAnHour());
  const chain = await DelegationChain.create(middle, session.getPublicKey(), inAnHour(), { previous: first });
  const identity = DelegationIdentity.fromDelegation(session, chain);
  expect(identity.getPrincipal().toText()).toBe(root.getPrincipal().toText());
  expect(authenticate(await sign(identity), now()).targets).toBeUndefined();

  const stranger = Ed25519KeyIdentity.generate();
  const stolen = DelegationIdentity.fromDelegation(stranger, chain);
  await expect(sign(stolen).then((envelope) => authenticate(envelope, now()))).rejects.toThrow('Invalid');
});

test('a delegation limited to a canister does not cover another', async () => {
  const [root, session] = [Ed25519KeyIdentity.generate(), Ed25519KeyIdentity.generate()];
  const chain = await DelegationChain.create(root, session.getPublicKey(), inAnHour(), { targets: [other] });
  const identity = DelegationIdentity.fromDelegation(session, chain);
  const authorization = authenticate(await sign(identity), now());
  expect(() => checkTarget(authorization, other.toUint8Array())).not.toThrow();
  expect(() => checkTarget(authorization, counter.toUint8Array())).toThrow(
    `Canister ${counter} is not one of the delegation targets`,
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

test('keys of kinds that are not supported yet are named in the refusal', async () => {
  const identity = Ed25519KeyIdentity.generate();
  const swapped = (oid: string): Promise<Envelope> =>
    sign(identity, (body) => {
      const der = Buffer.from(`301b300c060a${oid}030b00a501020326`, 'hex');
      body.sender_pubkey = der;
      body.content['sender'] = Principal.selfAuthenticating(der);
    });
  const canisterSignature = await swapped('2b0601040183b8430102');
  expect(() => authenticate(canisterSignature, now())).toThrow('canister signatures are not supported');
  const webAuthn = await swapped('2b0601040183b8430101');
  expect(() => authenticate(webAuthn, now())).toThrow('WebAuthn (COSE) keys are not supported');
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
    authenticate(envelope, now());
    return 'accepted';
  } catch (error) {
    return (error as Error).message;
  }
}
