import { createHash } from 'node:crypto';
import { Principal } from '@icp-sdk/core/principal';
import type { FeeProfile } from '@cannery/replica/cycles/fee-schedule';
import { canisterIdOf } from '@cannery/replica/state/canister-id';
import type { IdRange } from '@cannery/replica/state/id-range';
import { badRequest } from '../../http/transport/request-error.ts';
import { base64, type Fields, fieldsOf, listField, optionalField } from './fields.ts';
import type { Json } from './json.ts';

/** Canister IDs of one subnet, as the routing table of mainnet deals them out. */
const BLOCK = 0x10_0000n;
/** Where PocketIC begins to make canisters, one block further down for each subnet. */
const FIRST_BLOCK = 0xffff_ffff_ffe0_0000n;

type Ordinals = readonly (readonly [first: bigint, last: bigint])[];

interface Kind {
  /** Field of `subnet_config_set`. */
  readonly field: string;
  /** As the topology names it. */
  readonly name: string;
  /** Whether there may be several, in a list. */
  readonly isList: boolean;
  /** Nodes of such a subnet on mainnet. */
  readonly size: number;
  /** Whether canisters pay there. */
  readonly charges: boolean;
  /** IDs that it has on mainnet, which canisters get by `specified_id` only. */
  readonly known: Ordinals;
}

const block = (first: bigint): Ordinals => [[first, first + BLOCK - 1n]];

/** In the order in which a canister without a place finds its subnet, but for the application subnets, which come first. */
const KINDS: readonly Kind[] = [
  { field: 'application', name: 'Application', isList: true, size: 13, charges: true, known: [] },
  {
    field: 'verified_application',
    name: 'VerifiedApplication',
    isList: true,
    size: 13,
    charges: true,
    known: [],
  },
  { field: 'system', name: 'System', isList: true, size: 13, charges: false, known: [] },
  {
    field: 'fiduciary',
    name: 'Fiduciary',
    isList: false,
    size: 34,
    charges: true,
    known: block(0x230_0000n),
  },
  { field: 'sns', name: 'SNS', isList: false, size: 34, charges: false, known: block(0x200_0000n) },
  {
    field: 'ii',
    name: 'II',
    isList: false,
    size: 34,
    charges: false,
    known: [[7n, 7n], ...block(0x210_0000n)],
  },
  { field: 'bitcoin', name: 'Bitcoin', isList: false, size: 13, charges: false, known: block(0x1a0_0000n) },
  {
    field: 'nns',
    name: 'NNS',
    isList: false,
    size: 40,
    charges: false,
    known: [
      [0n, 6n],
      [8n, BLOCK - 1n],
    ],
  },
];

/** A subnet of an instance: a name for a part of the canister IDs of its engine. */
interface Subnet extends IdRange, SubnetWish {
  readonly kind: string;
  readonly size: number;
}

/** The subnets that were asked for; the first is where canisters go that were given no place. */
export interface Topology {
  readonly subnets: readonly Subnet[];
  readonly fees: FeeProfile;
}

const KNOWN_FIELDS = new Set([...KINDS.map(({ field }) => field), 'cloud_engine']);

/**
 * Reads `subnet_config_set`; throws `RequestError` 400 for what this program does not have.
 * @param needed fields whose subnet is there even when nobody asked for it
 */
export function readTopology(value: Json | undefined, needed: ReadonlySet<string> = new Set()): Topology {
  const set = fieldsOf(value, 'subnet_config_set');
  for (const [name, given] of Object.entries(set)) {
    const isEmpty = given === null || given === undefined || (Array.isArray(given) && given.length === 0);
    if (!isEmpty && (name === 'cloud_engine' || !KNOWN_FIELDS.has(name)))
      throw badRequest(`Subnets of the kind ${name.slice(0, 50)} are not available here.`);
  }
  const specified = KINDS.flatMap((kind) =>
    specifiedOf(set, kind, needed).map((spec) => ({ kind, ...readSubnet(spec) })),
  );
  if (specified.length === 0) throw badRequest('The instance would have no subnet.');
  if (specified.length > MOST_SUBNETS) throw badRequest(`An instance has ${MOST_SUBNETS} subnets at most.`);
  const subnets = specified.map(({ kind, isFree, instructions }, index): Subnet => {
    const makesFrom = FIRST_BLOCK - BigInt(index) * BLOCK;
    const ordinals = [...kind.known, ...block(makesFrom)];
    return { kind: kind.name, size: kind.size, isFree, instructions, makesFrom, ordinals };
  });
  return { subnets, fees: feesOf(specified) };
}

const MOST_SUBNETS = 64;

function specifiedOf(set: Fields, { field, isList }: Kind, needed: ReadonlySet<string>): readonly Json[] {
  if (isList) return listField(set, field);
  const one = optionalField(set, field) ?? (needed.has(field) ? {} : undefined);
  return one === undefined ? [] : [one];
}

/** What is said of a subnet. */
interface SubnetWish {
  readonly isFree: boolean;
  /** What was said of the limits of instructions; they are those of mainnet all the same. */
  readonly instructions: 'Production' | 'Benchmarking';
}

function readSubnet(value: Json): SubnetWish {
  const spec = fieldsOf(value, 'A subnet');
  if ((optionalField(spec, 'state_config') ?? 'New') !== 'New')
    throw badRequest(
      'A subnet begins empty here (state_config New): states of the real replica cannot be read.',
    );
  return {
    isFree: optionalField(spec, 'cost_schedule') === 'Free',
    instructions:
      optionalField(spec, 'instruction_config') === 'Benchmarking' ? 'Benchmarking' : 'Production',
  };
}

/** All canisters of an instance pay the same: nothing where no subnet charges. */
function feesOf(subnets: readonly { readonly kind: Kind; readonly isFree: boolean }[]): FeeProfile {
  const charging = subnets.filter(({ kind, isFree }) => kind.charges && !isFree);
  if (charging.length === 0) return 'free';
  if (subnets.some(({ isFree }) => isFree))
    throw badRequest('Subnets with and without cost cannot be together in one instance here.');
  return 'docs-2026-08';
}

/** The IDs of the subnets: that of the network, and others that are made of it. */
export function subnetIds(networkId: Uint8Array, { subnets }: Topology): readonly Uint8Array[] {
  return subnets.map((_, index) => {
    if (index === 0) return networkId;
    const hash = createHash('sha224').update(networkId).update(Buffer.of(index)).digest();
    return Uint8Array.of(...hash, SELF_AUTHENTICATING);
  });
}

/** The last byte of a principal that was made of a key (interface specification, "Principals"). */
const SELF_AUTHENTICATING = 2;

/** Names the state of a subnet in PocketIC; clients only want 32 bytes. */
const seedOf = (id: Uint8Array): Uint8Array => createHash('sha256').update(id).digest();

/** What `/_/topology` and the creation of an instance answer. */
export function topologyAnswer({ subnets }: Topology, ids: readonly Uint8Array[]): Json {
  const id = (ordinal: bigint): Json => ({ canister_id: base64(canisterIdOf(ordinal)) });
  return {
    subnet_configs: Object.fromEntries(
      subnets.map(({ kind, size, isFree, instructions, ordinals }, index) => [
        Principal.fromUint8Array(ids[index] ?? new Uint8Array()).toText(),
        {
          subnet_kind: kind,
          subnet_admins: null,
          subnet_seed: [...seedOf(ids[index] ?? new Uint8Array())],
          size,
          cost_schedule: isFree ? 'Free' : 'Normal',
          instruction_config: instructions,
          canister_ranges: ordinals.map(([first, last]) => ({ start: id(first), end: id(last) })),
        },
      ]),
    ),
    default_effective_canister_id: id(subnets[0]?.makesFrom ?? 0n),
  };
}
