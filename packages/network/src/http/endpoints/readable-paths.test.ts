import { expect, test } from 'vitest';
import { utf8 } from '@cannery/ic/certification/bytes';
import { EMPTY } from '@cannery/ic/certification/tree/hash-tree';
import { StateTree } from '@cannery/ic/certification/tree/state-tree';
import { checkReadable, type Reader } from './readable-paths.ts';
import { RequestError } from '../transport/request-error.ts';

const user = Uint8Array.of(1, 2);
const controller = Uint8Array.of(1, 3);
const canister = Uint8Array.of(0, 0, 0, 0, 1, 0, 0, 0, 1, 1);
const other = Uint8Array.of(0, 0, 0, 0, 1, 0, 0, 1, 1, 1);
const subnet = new Uint8Array(29).fill(5);
const foreignSubnet = new Uint8Array(29).fill(6);
const known = new Uint8Array(32).fill(7);
const unknown = new Uint8Array(32).fill(8);

const state = new StateTree(EMPTY);
state.apply(
  {
    canisters: [
      {
        canisterId: canister,
        controllers: [controller],
        moduleHash: new Uint8Array(32),
        certifiedData: new Uint8Array(),
        createdAtNanos: 1n,
        installedAtNanos: 2n,
        metadata: [{ name: 'secret', visibility: 'private', content: new Uint8Array() }],
      },
    ],
    deleted: [],
    requests: [
      {
        requestId: known,
        canisterId: canister,
        effectiveCanisterId: canister,
        sender: user,
        status: { status: 'received' },
        expiryNanos: 10n ** 18n,
      },
    ],
  },
  0n,
);

const atCanister: Reader = {
  sender: user,
  targets: undefined,
  scope: 'canister',
  version: 3,
  target: canister,
  rootSubnet: subnet,
};
const atSubnet: Reader = { ...atCanister, scope: 'subnet', target: subnet };

type Label = string | Uint8Array;
const path = (...labels: Label[]): Uint8Array[] =>
  labels.map((label) => (typeof label === 'string' ? utf8(label) : label));

/** 200, or the status of the refusal. */
function status(reader: Partial<Reader>, ...paths: Uint8Array[][]): number {
  try {
    checkReadable(paths, { ...(reader.scope === 'subnet' ? atSubnet : atCanister), ...reader }, state);
    return 200;
  } catch (error) {
    if (error instanceof RequestError) return error.status;
    throw error;
  }
}

test('what everybody may read of the subnet, at both addresses', () => {
  for (const scope of ['canister', 'subnet'] as const) {
    for (const each of [
      path('time'),
      path('subnet'),
      path('subnet', subnet),
      path('subnet', subnet, 'public_key'),
      path('subnet', subnet, 'type'),
      path('subnet', subnet, 'node'),
      path('subnet', foreignSubnet, 'node', user),
      path('subnet', subnet, 'node', user, 'public_key'),
      path('subnet', subnet, 'canister_ranges'),
      path('api_boundary_nodes'),
      path('api_boundary_nodes', user, 'domain'),
    ]) {
      expect(status({ scope }, each), String(each)).toBe(200);
    }
    for (const each of [
      path(),
      path('nothing'),
      path('time', 'x'),
      path('subnet', subnet, 'secrets'),
      path('subnet', subnet, 'node', user, 'public_key', 'x'),
      path('api_boundary_nodes', user, 'owner'),
      path('canister'),
      path('canister', canister),
      path('canister', canister, 'certified_data'),
      path('canister', canister, 'metadata'),
      path('request_status'),
      path('request_status', known, 'secret'),
      path('request_status', known, 'status', 'x'),
    ]) {
      expect(status({ scope }, each), String(each)).toBe(404);
    }
  }
});

test('canister ranges and metrics are read at the address of the subnet', () => {
  expect(status({ scope: 'subnet' }, path('canister_ranges', subnet))).toBe(200);
  expect(status({ scope: 'canister' }, path('canister_ranges', subnet))).toBe(404);
  expect(
    status({ scope: 'subnet' }, path('canister_ranges', subnet), path('canister_ranges', foreignSubnet)),
  ).toBe(400);
  expect(status({ scope: 'subnet' }, path('subnet', subnet, 'metrics'))).toBe(200);
  expect(status({ scope: 'subnet' }, path('subnet', foreignSubnet, 'metrics'))).toBe(400);
  expect(status({ scope: 'canister' }, path('subnet', subnet, 'metrics'))).toBe(404);
});

test('ranges of other subnets are only read the old way', () => {
  expect(status({ version: 2 }, path('subnet', foreignSubnet, 'canister_ranges'))).toBe(200);
  expect(status({ version: 3 }, path('subnet', foreignSubnet, 'canister_ranges'))).toBe(404);
});

test('the fields of a canister are read at its own address only', () => {
  for (const field of [
    'controllers',
    'module_hash',
    'canister_creation_timestamp',
    'last_install_timestamp',
  ]) {
    expect(status({}, path('canister', canister, field))).toBe(200);
    expect(status({}, path('canister', other, field))).toBe(400);
    expect(status({ scope: 'subnet' }, path('canister', canister, field))).toBe(404);
  }
});

test('private metadata is for controllers, all other metadata for everybody', () => {
  expect(status({}, path('canister', canister, 'metadata', 'secret'))).toBe(403);
  expect(status({ sender: controller }, path('canister', canister, 'metadata', 'secret'))).toBe(200);
  expect(status({}, path('canister', canister, 'metadata', 'absent'))).toBe(200);
  expect(status({}, path('canister', canister, 'metadata', Uint8Array.of(0xff)))).toBe(400);
});

test('the status of a call is for its sender, at its address, within the targets of the delegation', () => {
  const target = (id: Uint8Array): ReadonlySet<string> => new Set([Buffer.from(id).toString('hex')]);
  expect(status({}, path('request_status', known, 'reply'), path('request_status', known))).toBe(200);
  expect(status({ sender: controller }, path('request_status', known))).toBe(403);
  expect(status({ target: other }, path('request_status', known))).toBe(403);
  expect(status({ targets: target(canister) }, path('request_status', known))).toBe(200);
  expect(status({ targets: target(other) }, path('request_status', known))).toBe(403);
  expect(status({ sender: controller }, path('request_status', unknown))).toBe(200);
  expect(status({}, path('request_status', known), path('request_status', unknown))).toBe(400);
  expect(status({}, path('request_status', new Uint8Array(31)))).toBe(400);
  expect(status({ scope: 'subnet', version: 2 }, path('request_status', unknown))).toBe(404);
  expect(status({ scope: 'subnet', version: 3 }, path('request_status', unknown))).toBe(200);
});
