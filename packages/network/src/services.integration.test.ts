import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Actor,
  Cbor,
  Certificate,
  type HttpAgent,
  type Identity,
  lookup_path,
  reconstruct,
} from '@icp-sdk/core/agent';
import { IDL } from '@icp-sdk/core/candid';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { Principal } from '@icp-sdk/core/principal';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountIdentifier } from '@cannery/system';
import { connect } from '../test/agent.ts';
import { CMC, CYCLES_LEDGER, ICP_LEDGER, OtherClient } from '../test/icp/other-client.ts';
import { managementActor } from '../test/management-actor.ts';
import { createLocalNetwork, type LocalNetwork } from './local-network.ts';
import { readServices } from './services/chosen-services.ts';

const E8S = 100_000_000n;
const FEE = 10_000n;
const RATE = 35_200n;
const CREATE = 0x41455243n;
const TOP_UP = 0x50555054n;
const MINT = 0x544e494dn;
const SYSTEM_CANISTERS = [ICP_LEDGER, CYCLES_LEDGER, CMC];

const tokens = IDL.Record({ e8s: IDL.Nat64 });
const ledgerInterface: IDL.InterfaceFactory = () =>
  IDL.Service({
    transfer: IDL.Func(
      [
        IDL.Record({
          memo: IDL.Nat64,
          amount: tokens,
          fee: tokens,
          from_subaccount: IDL.Opt(IDL.Vec(IDL.Nat8)),
          to: IDL.Vec(IDL.Nat8),
          created_at_time: IDL.Opt(IDL.Record({ timestamp_nanos: IDL.Nat64 })),
        }),
      ],
      [IDL.Variant({ Ok: IDL.Nat64, Err: IDL.Reserved })],
    ),
  });
const notifyError = IDL.Variant({
  Refunded: IDL.Record({ reason: IDL.Text, block_index: IDL.Opt(IDL.Nat64) }),
  Processing: IDL.Null,
  TransactionTooOld: IDL.Nat64,
  InvalidTransaction: IDL.Text,
  Other: IDL.Record({ error_code: IDL.Nat64, error_message: IDL.Text }),
});
const cmcInterface: IDL.InterfaceFactory = () =>
  IDL.Service({
    notify_top_up: IDL.Func(
      [IDL.Record({ block_index: IDL.Nat64, canister_id: IDL.Principal })],
      [IDL.Variant({ Ok: IDL.Nat, Err: notifyError })],
    ),
    notify_create_canister: IDL.Func(
      [IDL.Record({ block_index: IDL.Nat64, controller: IDL.Principal })],
      [IDL.Variant({ Ok: IDL.Principal, Err: notifyError })],
    ),
    notify_mint_cycles: IDL.Func(
      [
        IDL.Record({
          block_index: IDL.Nat64,
          to_subaccount: IDL.Opt(IDL.Vec(IDL.Nat8)),
          deposit_memo: IDL.Opt(IDL.Vec(IDL.Nat8)),
        }),
      ],
      [IDL.Variant({ Ok: IDL.Record({ minted: IDL.Nat, balance: IDL.Nat }), Err: notifyError })],
    ),
    get_default_subnets: IDL.Func([], [IDL.Vec(IDL.Principal)], ['query']),
    get_subnet_types_to_subnets: IDL.Func(
      [],
      [IDL.Record({ data: IDL.Vec(IDL.Tuple(IDL.Text, IDL.Vec(IDL.Principal))) })],
      ['query'],
    ),
    get_icp_xdr_conversion_rate: IDL.Func([], [rateResponse], ['query']),
    set_authorized_subnetwork_list: IDL.Func(
      [IDL.Record({ who: IDL.Opt(IDL.Principal), subnets: IDL.Vec(IDL.Principal) })],
      [],
    ),
  });
const rate = IDL.Record({ timestamp_seconds: IDL.Nat64, xdr_permyriad_per_icp: IDL.Nat64 });
const rateResponse = IDL.Record({
  data: rate,
  hash_tree: IDL.Vec(IDL.Nat8),
  certificate: IDL.Vec(IDL.Nat8),
});

type NotifyError =
  | { Refunded: { reason: string; block_index: [] | [bigint] } }
  | { Processing: null }
  | { InvalidTransaction: string }
  | { Other: { error_code: bigint; error_message: string } };
type Result<T> = { Ok: T } | { Err: NotifyError };

interface Cmc {
  notify_top_up(arg: { block_index: bigint; canister_id: Principal }): Promise<Result<bigint>>;
  notify_create_canister(arg: { block_index: bigint; controller: Principal }): Promise<Result<Principal>>;
  notify_mint_cycles(arg: {
    block_index: bigint;
    to_subaccount: [];
    deposit_memo: [];
  }): Promise<Result<{ minted: bigint; balance: bigint }>>;
  get_default_subnets(): Promise<Principal[]>;
  get_subnet_types_to_subnets(): Promise<{ data: unknown[] }>;
  get_icp_xdr_conversion_rate(): Promise<{
    data: { xdr_permyriad_per_icp: bigint };
    hash_tree: Uint8Array;
    certificate: Uint8Array;
  }>;
  set_authorized_subnetwork_list(arg: { who: []; subnets: Principal[] }): Promise<void>;
}

const folder = mkdtempSync(join(tmpdir(), 'cannery-services-'));
const dataDir = join(folder, 'data');
const services = readServices('default');
let network: LocalNetwork;
let client: OtherClient;

beforeAll(async () => {
  network = await createLocalNetwork({ dataDir, port: 0, services, fees: 'free' });
  client = await OtherClient.connect(network.url);
});
afterAll(async () => {
  await network.close();
  rmSync(folder, { recursive: true });
});

async function cmcFor(identity?: Identity): Promise<Cmc> {
  const agent = await connect(network.url, identity);
  return Actor.createActor<Cmc>(cmcInterface, { agent, canisterId: CMC });
}

/** The subaccount of a principal: its length, its bytes, zeros. */
function subaccountOf(id: Principal): Uint8Array {
  const bytes = id.toUint8Array();
  const subaccount = new Uint8Array(32);
  subaccount[0] = bytes.length;
  subaccount.set(bytes, 1);
  return subaccount;
}

/** Pays the CMC as the anonymous principal, which is rich here. The block of the payment. */
async function pay(owner: Principal, amount: bigint, memo: bigint, payer?: Identity): Promise<bigint> {
  const agent: HttpAgent = await connect(network.url, payer);
  const ledger = Actor.createActor<{ transfer(arg: object): Promise<{ Ok: bigint }> }>(ledgerInterface, {
    agent,
    canisterId: ICP_LEDGER,
  });
  const { Ok } = await ledger.transfer({
    memo,
    amount: { e8s: amount },
    fee: { e8s: FEE },
    from_subaccount: [],
    to: Buffer.from(accountIdentifier(CMC, subaccountOf(owner)), 'hex'),
    created_at_time: [],
  });
  return Ok;
}

async function newCanister(): Promise<Principal> {
  const ic = managementActor(await connect(network.url));
  const { canister_id } = (await ic('provisional_create_canister_with_cycles', {
    amount: [0n],
    settings: [],
    specified_id: [],
    sender_canister_version: [],
  })) as { canister_id: Principal };
  return canister_id;
}

const icpOf = (owner: Principal): Promise<bigint> => client.balance(ICP_LEDGER, owner);

test('the network controls its canisters, and nobody can take them over', async () => {
  const identity = Ed25519KeyIdentity.generate();
  const ic = managementActor(await connect(network.url, identity));
  for (const canister_id of SYSTEM_CANISTERS) {
    const { settings, module_hash } = await client.status(canister_id);
    expect(settings.controllers.map((each) => each.toUint8Array().at(-1))).toEqual([0x7f]);
    expect(module_hash).toHaveLength(1);
    await expect(ic('stop_canister', { canister_id })).rejects.toThrow('Only controllers');
    await expect(ic('uninstall_code', { canister_id, sender_canister_version: [] })).rejects.toThrow(
      'Only controllers',
    );
  }
  const [subnet] = await (await cmcFor()).get_default_subnets();
  expect(subnet).toBeDefined();
  const cmc = await cmcFor(identity);
  await expect(cmc.set_authorized_subnetwork_list({ who: [], subnets: [] })).rejects.toThrow(/governance/);
});

test('a later start finds them as they were', async () => {
  const before = await Promise.all(SYSTEM_CANISTERS.map((id) => client.status(id)));
  await network.close();
  network = await createLocalNetwork({ dataDir, port: 0, services, fees: 'free' });
  client = await OtherClient.connect(network.url);
  const after = await Promise.all(SYSTEM_CANISTERS.map((id) => client.status(id)));
  expect(after.map(({ module_hash, cycles }) => ({ module_hash, cycles }))).toEqual(
    before.map(({ module_hash, cycles }) => ({ module_hash, cycles })),
  );
});

test("somebody's canister at the ID of a service stays his, with a warning, and the others are installed", async () => {
  const place = join(folder, 'taken');
  let other = await createLocalNetwork({ dataDir: place, port: 0 });
  const owner = Ed25519KeyIdentity.generate();
  const ic = managementActor(await connect(other.url, owner));
  const specified = { amount: [], settings: [], specified_id: [CYCLES_LEDGER], sender_canister_version: [] };
  await ic('provisional_create_canister_with_cycles', specified);
  await other.close();
  const warned = new Promise<Error>((resolve) => process.once('warning', resolve));
  other = await createLocalNetwork({
    dataDir: place,
    port: 0,
    services: readServices('icp-ledger,cycles-ledger'),
  });
  try {
    expect((await warned).message).toContain(CYCLES_LEDGER.toText());
    const seen = await OtherClient.connect(other.url, owner);
    expect((await seen.status(CYCLES_LEDGER)).module_hash).toEqual([]);
    expect((await seen.status(ICP_LEDGER)).module_hash).toHaveLength(1);
  } finally {
    await other.close();
  }
});

test('where nobody makes cycles from nothing, nobody is rich', async () => {
  const closed = await createLocalNetwork({
    dataDir: join(folder, 'closed'),
    port: 0,
    services,
    provisional: 'nobody',
  });
  try {
    const seen = await OtherClient.connect(closed.url);
    expect(await seen.supply(ICP_LEDGER)).toBe(0n);
    expect(await seen.supply(CYCLES_LEDGER)).toBe(0n);
  } finally {
    await closed.close();
  }
});

test('the rate is certified', async () => {
  const cmc = await cmcFor();
  const { data, hash_tree: tree, certificate } = await cmc.get_icp_xdr_conversion_rate();
  expect(data.xdr_permyriad_per_icp).toBe(RATE);
  const proven = await Certificate.create({
    certificate,
    rootKey: network.rootKey,
    principal: { canisterId: CMC },
  });
  const certified = proven.lookup_path(['canister', CMC.toUint8Array(), 'certified_data']);
  const hashTree = Cbor.decode<Parameters<typeof reconstruct>[0]>(tree);
  expect(certified).toMatchObject({ value: await reconstruct(hashTree) });
  const leaf = lookup_path(['ICP_XDR_CONVERSION_RATE'], hashTree);
  const value = 'value' in leaf && leaf.value instanceof Uint8Array ? leaf.value : new Uint8Array();
  expect(IDL.decode([rate], value)[0]).toEqual(data);
});

test('a payment tops a canister up once, however often and at once it is told of', async () => {
  const cmc = await cmcFor();
  const canister = await newCanister();
  const supply = await client.supply(ICP_LEDGER);
  const block_index = await pay(canister, 2n * E8S, TOP_UP);
  const calls = Array.from({ length: 12 }, () => cmc.notify_top_up({ block_index, canister_id: canister }));
  const answers = await Promise.all(calls);
  for (const answer of answers)
    expect([{ Ok: 2n * E8S * RATE }, { Err: { Processing: null } }]).toContainEqual(answer);
  expect(await cmc.notify_top_up({ block_index, canister_id: canister })).toEqual({ Ok: 2n * E8S * RATE });
  const controller = await OtherClient.connect(network.url);
  expect((await controller.status(canister)).cycles).toBe(2n * E8S * RATE);
  // It was burned: what was paid, and the fee of paying.
  expect(await client.supply(ICP_LEDGER)).toBe(supply - 2n * E8S - FEE);
  const used = await cmc.notify_mint_cycles({ block_index, to_subaccount: [], deposit_memo: [] });
  expect(used).toMatchObject({ Err: { InvalidTransaction: expect.stringContaining('already processed') } });
});

test('what cannot be done is paid back, less fees, and once', async () => {
  const payer = Ed25519KeyIdentity.generate();
  const owner = payer.getPrincipal();
  const fund = await pay(owner, E8S, MINT);
  await (await cmcFor(payer)).notify_mint_cycles({ block_index: fund, to_subaccount: [], deposit_memo: [] });
  const agent = await connect(network.url);
  const ledger = Actor.createActor<{ transfer(arg: object): Promise<unknown> }>(ledgerInterface, {
    agent,
    canisterId: ICP_LEDGER,
  });
  const to = Buffer.from(accountIdentifier(owner), 'hex');
  const plain = { memo: 0n, fee: { e8s: FEE }, from_subaccount: [], created_at_time: [] };
  await ledger.transfer({ ...plain, to, amount: { e8s: 10n * E8S } });
  const missing = Principal.fromText('aaaaa-aa');
  const supply = await client.supply(ICP_LEDGER);
  const block_index = await pay(missing, E8S, TOP_UP, payer);
  const cmc = await cmcFor(payer);
  const calls = Array.from({ length: 6 }, () => cmc.notify_top_up({ block_index, canister_id: missing }));
  await Promise.all(calls);
  const answer = await cmc.notify_top_up({ block_index, canister_id: missing });
  expect(answer).toMatchObject({ Err: { Refunded: { block_index: [expect.any(BigInt)] } } });
  // The fee of paying, the fee of paying back, and two that the refund costs.
  expect(await icpOf(owner)).toBe(10n * E8S - 4n * FEE);
  expect(await client.supply(ICP_LEDGER)).toBe(supply - 4n * FEE);
});

test('payments without a purpose go back, and those for others or to others are refused', async () => {
  const payer = Ed25519KeyIdentity.generate();
  const cmc = await cmcFor(payer);
  const anonymous = Principal.anonymous();
  const noPurpose = await pay(anonymous, E8S, 7n);
  const asAnybody = await cmcFor();
  const before = await icpOf(anonymous);
  const back = await asAnybody.notify_mint_cycles({
    block_index: noPurpose,
    to_subaccount: [],
    deposit_memo: [],
  });
  expect(back).toMatchObject({ Err: { Refunded: { reason: expect.stringContaining('Memo (7)') } } });
  expect(await icpOf(anonymous)).toBe(before + E8S - FEE);
  const forAnonymous = await pay(anonymous, E8S, MINT);
  const others = { block_index: forAnonymous, to_subaccount: [], deposit_memo: [] } as const;
  expect(await cmc.notify_mint_cycles({ ...others, to_subaccount: [], deposit_memo: [] })).toMatchObject({
    Err: { InvalidTransaction: expect.stringContaining('Destination account') },
  });
  expect(
    await cmc.notify_create_canister({ block_index: forAnonymous, controller: anonymous }),
  ).toMatchObject({ Err: { Other: { error_message: expect.stringContaining('Only the controller') } } });
  expect(
    await asAnybody.notify_create_canister({ block_index: forAnonymous, controller: anonymous }),
  ).toMatchObject({ Err: { InvalidTransaction: expect.stringContaining('Intent') } });
  const made = await pay(anonymous, E8S, CREATE);
  const created = await asAnybody.notify_create_canister({ block_index: made, controller: anonymous });
  expect(created).toMatchObject({ Ok: expect.anything() });
  expect(await asAnybody.notify_create_canister({ block_index: made, controller: anonymous })).toEqual(
    created,
  );
});

test('the address of the Candid UI shows the interface of a canister, or leads to the console', async () => {
  const address = (at: LocalNetwork, id: string): string =>
    `${at.url}/?canisterId=a4gq6-oaaaa-aaaab-qaa4q-cai&id=${encodeURIComponent(id)}`;
  const page = await fetch(address(network, CMC.toText()));
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await page.text()).toContain('notify_top_up');
  const hostile = await (await fetch(address(network, '<script>alert(1)</script>'))).text();
  expect(hostile).not.toContain('<script');
  const led = await createLocalNetwork({
    dataDir: join(folder, 'led'),
    port: 0,
    services: readServices('candid-ui'),
    candidUrl: 'http://localhost:4000/candid/?id={canisterId}',
  });
  try {
    const answer = await fetch(address(led, CMC.toText()), { redirect: 'manual' });
    expect(answer.headers.get('location')).toBe(`http://localhost:4000/candid/?id=${CMC.toText()}`);
  } finally {
    await led.close();
  }
});
