import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Certificate, check_canister_ranges, lookup_path, LookupPathStatus } from '@icp-sdk/core/agent';
import { Principal } from '@icp-sdk/core/principal';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RequestLeaf } from '../state-leaves.ts';
import { utf8 } from './bytes.ts';
import { certificateFrom, Certifier } from './certifier.ts';
import { KeyFileError, loadOrCreateKeys, type NetworkKeys } from './signatures/keys.ts';
import { type RootSigner, startSigner } from './signatures/signer.ts';
import { StateTree } from './tree/state-tree.ts';
import { subnetDirectory } from './tree/subnet-leaves.ts';

const canisterId = Uint8Array.of(0, 0, 0, 0, 1, 0, 0, 0, 1, 1);
const requestId = new Uint8Array(32).fill(7);
const now = (): bigint => BigInt(Date.now()) * 1_000_000n;
const request = (status: RequestLeaf['status'], expiryNanos = now()): RequestLeaf => ({
  requestId,
  canisterId,
  sender: Uint8Array.of(4),
  effectiveCanisterId: canisterId,
  status,
  expiryNanos,
});

let dataDir: string;
let keys: NetworkKeys;
let signer: RootSigner;
let signatures = 0;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'cannery-keys-'));
  keys = await loadOrCreateKeys(dataDir);
  const real = startSigner(keys.rootSecretKey);
  signer = {
    ...real,
    sign(hash) {
      signatures += 1;
      return real.sign(hash);
    },
  };
});

afterAll(async () => {
  await signer.close();
  rmSync(dataDir, { recursive: true });
});

function newState(): StateTree {
  const state = new StateTree(subnetDirectory(keys));
  state.apply(
    {
      canisters: [
        {
          canisterId,
          controllers: [Uint8Array.of(4)],
          moduleHash: new Uint8Array(32).fill(1),
          certifiedData: utf8('certified'),
          createdAtNanos: 1_700_000_000_000_000_000n,
          installedAtNanos: 1_700_000_000_000_000_001n,
          metadata: [{ name: 'candid:service', visibility: 'public', content: utf8('service : {}') }],
        },
      ],
      deleted: [],
      requests: [request({ status: 'replied', reply: utf8('DIDL') })],
    },
    now(),
  );
  return state;
}

async function verified(certificate: Uint8Array, rootKey = keys.rootKey): Promise<Certificate> {
  return Certificate.create({
    certificate,
    rootKey,
    principal: { canisterId: Principal.fromUint8Array(canisterId) },
  });
}

const found = (certificate: Certificate, ...path: (string | Uint8Array)[]): string | undefined => {
  const result = certificate.lookup_path(path);
  return result.status === LookupPathStatus.Found ? Buffer.from(result.value).toString() : undefined;
};

test('the agent accepts a certificate and finds every leaf of a canister and a request in it', async () => {
  const certifier = new Certifier(newState(), signer, now);
  const certificate = await verified(
    await certifier.certificate([
      [utf8('canister'), canisterId],
      [utf8('request_status'), requestId],
    ]),
  );
  expect(found(certificate, 'canister', canisterId, 'certified_data')).toBe('certified');
  expect(found(certificate, 'canister', canisterId, 'metadata', 'candid:service')).toBe('service : {}');
  expect(found(certificate, 'canister', canisterId, 'module_hash')).toBe('\u0001'.repeat(32));
  expect(found(certificate, 'request_status', requestId, 'status')).toBe('replied');
  expect(found(certificate, 'request_status', requestId, 'reply')).toBe('DIDL');
});

test('the agent rejects a certificate of another network', async () => {
  const otherDir = mkdtempSync(join(tmpdir(), 'cannery-keys-'));
  const other = await loadOrCreateKeys(otherDir);
  rmSync(otherDir, { recursive: true });
  const certifier = new Certifier(newState(), signer, now);
  await expect(verified(await certifier.certificate([]), other.rootKey)).rejects.toThrow(/[Ss]ignature/);
});

test('the subnet part names the node key and covers all canister ids', async () => {
  const certifier = new Certifier(newState(), signer, now);
  const certificate = await verified(await certifier.certificate([[utf8('subnet')]]));
  const subnet = Principal.selfAuthenticating(keys.rootKey);
  expect(keys.subnetId).toEqual(subnet.toUint8Array());
  expect(
    lookup_path(
      ['subnet', keys.subnetId, 'node', keys.nodeId, 'public_key'].map((part) =>
        typeof part === 'string' ? utf8(part) : part,
      ),
      certificate.cert.tree,
    ).status,
  ).toBe(LookupPathStatus.Found);
  for (const id of [canisterId, Uint8Array.of(255, 255, 255, 255, 255, 255, 255, 255, 1, 1)]) {
    const range = { canisterId: Principal.fromUint8Array(id), subnetId: subnet, tree: certificate.cert.tree };
    expect(check_canister_ranges(range)).toBe(true);
  }
});

test('absent canisters, metadata and requests are provably absent', async () => {
  const certifier = new Certifier(newState(), signer, now);
  const paths = [
    [utf8('canister'), Uint8Array.of(9, 9), utf8('module_hash')],
    [utf8('canister'), canisterId, utf8('metadata'), utf8('candid:args')],
    [utf8('request_status'), new Uint8Array(32).fill(9), utf8('status')],
  ];
  const certificate = await verified(await certifier.certificate(paths));
  for (const path of paths) expect(certificate.lookup_path(path).status).toBe(LookupPathStatus.Absent);
});

test('one signature serves everybody who waits, and a change of the state needs a new one', async () => {
  const state = newState();
  const certifier = new Certifier(state, signer, now);
  signatures = 0;
  await Promise.all(Array.from({ length: 50 }, () => certifier.certificate([])));
  expect(signatures).toBe(1);
  const before = await certifier.signedState();
  expect(signatures).toBe(1);
  state.apply({ canisters: [], deleted: [canisterId], requests: [] }, now());
  const after = await certifier.signedState();
  expect(signatures).toBe(2);
  expect(after.timeNanos).toBeGreaterThan(before.timeNanos);
  const certificate = await verified(certificateFrom(after, [[utf8('canister'), canisterId]]));
  expect(certificate.lookup_path(['canister', canisterId]).status).toBe(LookupPathStatus.Absent);
});

test('a certificate asked for after a change includes it even while an older state is being signed', async () => {
  const state = newState();
  const certifier = new Certifier(state, signer, now);
  const early = certifier.signedState();
  await Promise.resolve();
  await Promise.resolve();
  state.apply({ canisters: [], deleted: [], requests: [request({ status: 'processing' })] }, now());
  const late = await certifier.signedState();
  expect((await early).version).toBeLessThan(late.version);
  const certificate = await verified(certificateFrom(late, [[utf8('request_status'), requestId]]));
  expect(found(certificate, 'request_status', requestId, 'status')).toBe('processing');
});

test('a canister without code shows its controllers only, and loses its metadata', async () => {
  const state = newState();
  const empty = { canisterId, controllers: [], createdAtNanos: 0n, certifiedData: new Uint8Array() };
  state.apply({ canisters: [empty], deleted: [], requests: [] }, now());
  const certifier = new Certifier(state, signer, now);
  const certificate = await verified(await certifier.certificate([[utf8('canister'), canisterId]]));
  expect(certificate.lookup_path(['canister', canisterId, 'controllers']).status).toBe(
    LookupPathStatus.Found,
  );
  expect(certificate.lookup_path(['canister', canisterId, 'module_hash']).status).toBe(
    LookupPathStatus.Absent,
  );
  expect(state.metadata(canisterId, 'candid:service')).toBeUndefined();
});

test('requests are forgotten five minutes after they expired', () => {
  const state = newState();
  state.apply({ canisters: [], deleted: [], requests: [] }, now() + 290_000_000_000n);
  expect(state.request(requestId)).toBeDefined();
  state.apply({ canisters: [], deleted: [], requests: [] }, now() + 310_000_000_000n);
  expect(state.request(requestId)).toBeUndefined();
});

test('a request that still has no answer is not forgotten, nor does it keep later ones from it', () => {
  const state = new StateTree(subnetDirectory(keys));
  const later = {
    ...request({ status: 'replied', reply: utf8('DIDL') }),
    requestId: new Uint8Array(32).fill(8),
  };
  state.apply({ canisters: [], deleted: [], requests: [request({ status: 'processing' }), later] }, now());
  state.apply({ canisters: [], deleted: [], requests: [] }, now() + 310_000_000_000n);
  expect(state.request(requestId)?.status.status).toBe('processing');
  expect(state.request(later.requestId)).toBeUndefined();
});

test('who waits for a request is woken by its answer, and at once if it is there already', async () => {
  const state = newState();
  await state.finished(requestId);
  state.apply({ canisters: [], deleted: [], requests: [request({ status: 'processing' })] }, now());
  let done = false;
  const waiting = state.finished(requestId).then(() => {
    done = true;
  });
  await Promise.resolve();
  expect(done).toBe(false);
  const answer = request({ status: 'rejected', rejectCode: 5, message: 'no', errorCode: 'IC0503' });
  state.apply({ canisters: [], deleted: [], requests: [answer] }, now());
  await waiting;
});

test('keys survive a restart, in a file only their owner may read', async () => {
  const again = await loadOrCreateKeys(dataDir);
  expect(again.rootKey).toEqual(keys.rootKey);
  expect(again.nodePublicKey).toEqual(keys.nodePublicKey);
  expect(again.rootKey).toHaveLength(133);
  expect(statSync(join(dataDir, 'network-keys.json')).mode & 0o777).toBe(0o600);
});

test('a damaged key file is refused instead of replaced', async () => {
  const broken = mkdtempSync(join(tmpdir(), 'cannery-keys-'));
  writeFileSync(join(broken, 'network-keys.json'), '{');
  await expect(loadOrCreateKeys(broken)).rejects.toThrow(KeyFileError);
  rmSync(broken, { recursive: true });
});
