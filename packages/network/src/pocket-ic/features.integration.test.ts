import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IcpFeaturesConfig, PocketIc } from '@dfinity/pic';
import { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPocketIc, type PocketIc as Program } from './server.ts';

/** System canisters that a test asks for (`icp_features`). */

const { DefaultConfig } = IcpFeaturesConfig;
const LEDGER = Principal.fromText('ryjl3-tyaaa-aaaaa-aaaba-cai');
const CMC = Principal.fromText('rkp4c-7iaaa-aaaaa-aaaca-cai');
const CYCLES_LEDGER = Principal.fromText('um5iw-rqaaa-aaaaq-qaaba-cai');
const IDENTITY = Principal.fromText('rdmx6-jaaaa-aaaaa-aaadq-cai');

const account = IDL.Record({ owner: IDL.Principal, subaccount: IDL.Opt(IDL.Vec(IDL.Nat8)) });

const folder = mkdtempSync(join(tmpdir(), 'cannery-pic-features-'));
let program: Program;
let url: string;

beforeAll(async () => {
  program = await startPocketIc({ port: 0, stateDir: folder });
  url = `http://127.0.0.1:${program.port}`;
});

afterAll(async () => {
  await program[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** What a reply has, which the test knows to be of this type. */
function decoded<T>(reply: Uint8Array, type: IDL.Type): T {
  return IDL.decode([type], Uint8Array.from(reply)) as unknown as T;
}

async function balanceOf(pic: PocketIc, ledger: Principal, owner: Principal): Promise<unknown> {
  const arg = IDL.encode([account], [{ owner, subaccount: [] }]);
  const reply = await pic.queryCall({ canisterId: ledger, method: 'icrc1_balance_of', arg });
  return IDL.decode([IDL.Nat], reply.slice())[0];
}

test('the ledgers, the cycles minting canister and the sign-in are at their IDs, with what PocketIC gives', async () => {
  const pic = await PocketIc.create(url, {
    processingTimeoutMs: 100_000,
    icpFeatures: {
      icpToken: DefaultConfig,
      cyclesToken: DefaultConfig,
      cyclesMinting: DefaultConfig,
      ii: DefaultConfig,
    },
  });
  try {
    // Nobody asked for their subnets.
    const kinds = (await pic.getTopology()).map(({ type }) => type);
    expect(kinds).toEqual(['Application', 'II', 'NNS']);
    const nns = (await pic.getNnsSubnet())?.id.toText();
    const ii = (await pic.getInternetIdentitySubnet())?.id.toText();
    for (const [id, subnet] of [
      [LEDGER, nns],
      [CMC, nns],
      [CYCLES_LEDGER, ii],
      [IDENTITY, ii],
    ] as const)
      expect((await pic.getCanisterSubnetId(id))?.toText()).toBe(subnet);
    expect(await balanceOf(pic, LEDGER, Principal.anonymous())).toBe(10n ** 17n);
    expect(await balanceOf(pic, CYCLES_LEDGER, Principal.anonymous())).toBe(2n ** 127n);
    expect(await pic.getTime()).toBeGreaterThanOrEqual(Date.UTC(2021, 4, 10, 8, 0, 1));

    const transfer = IDL.Record({
      to: account,
      amount: IDL.Nat,
      fee: IDL.Opt(IDL.Nat),
      memo: IDL.Opt(IDL.Vec(IDL.Nat8)),
      from_subaccount: IDL.Opt(IDL.Vec(IDL.Nat8)),
      created_at_time: IDL.Opt(IDL.Nat64),
    });
    // A payment to the cycles minting canister becomes cycles of a canister.
    const paidFor = await pic.createCanister();
    const id = paidFor.toUint8Array();
    const subaccount = Uint8Array.from({ length: 32 }, (_, at) => (at === 0 ? id.length : (id[at - 1] ?? 0)));
    const payment = {
      to: { owner: CMC, subaccount: [subaccount] },
      amount: 100_000_000n,
      memo: [Buffer.from('TPUP\0\0\0\0')],
      fee: [],
      from_subaccount: [],
      created_at_time: [],
    };
    const paid = await pic.updateCall({
      canisterId: LEDGER,
      method: 'icrc1_transfer',
      arg: IDL.encode([transfer], [payment]),
    });
    const [{ Ok: block_index }] = decoded<[{ Ok: bigint }]>(paid, IDL.Variant({ Ok: IDL.Nat }));
    const before = await pic.getCyclesBalance(paidFor);
    const topUp = IDL.Record({ block_index: IDL.Nat64, canister_id: IDL.Principal });
    const told = await pic.updateCall({
      canisterId: CMC,
      method: 'notify_top_up',
      arg: IDL.encode([topUp], [{ block_index, canister_id: paidFor }]),
    });
    const [{ Ok: cycles }] = decoded<[{ Ok: bigint }]>(told, IDL.Variant({ Ok: IDL.Nat }));
    expect(cycles).toBe(3_520_000_000_000n);
    expect(BigInt(await pic.getCyclesBalance(paidFor)) - BigInt(before)).toBeGreaterThan(3_519_000_000_000n);
    const subnets = await pic.queryCall({
      canisterId: CMC,
      method: 'get_default_subnets',
      arg: IDL.encode([], []),
    });
    const application = (await pic.getApplicationSubnets()).map(({ id }) => id.toText());
    const [listed] = decoded<[Principal[]]>(subnets, IDL.Vec(IDL.Principal));
    expect(listed.map((id) => id.toText())).toEqual(application);
  } finally {
    await pic.tearDown();
  }
}, 120_000);

async function create(
  body: unknown,
): Promise<{ Created?: { instance_id: number }; Error?: { message: string } }> {
  const answer = await fetch(`${url}/instances`, { method: 'POST', body: JSON.stringify(body) });
  return (await answer.json()) as Awaited<ReturnType<typeof create>>;
}

const application = [{ state_config: 'New' }];

test('what is not here is refused by name, and leaves nothing', async () => {
  const wanted = (icp_features: unknown): Promise<string | undefined> =>
    create({ subnet_config_set: { application }, icp_features }).then(({ Error }) => Error?.message);
  expect(
    await wanted({ icp_token: 'DefaultConfig', nns_governance: 'DefaultConfig', sns: 'DefaultConfig' }),
  ).toBe(
    'These icp_features are not available here: nns_governance (the governance and root canisters of the NNS), sns (the canisters that make an SNS).',
  );
  expect(await wanted({ constructor: 'DefaultConfig' })).toBe(
    'These icp_features are not available here: constructor.',
  );
  expect(await wanted({ icp_token: 'Other' })).toMatch(/DefaultConfig only/);
  expect(await wanted({ icp_token: { DefaultConfig: null } })).toMatch(/DefaultConfig only/);
  expect(await wanted('all')).toMatch(/must be an object/);
  expect(
    (
      await wanted(
        Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`${index}${'x'.repeat(500)}`, 1])),
      )
    )?.length,
  ).toBeLessThan(3_000);
  expect(await wanted({ registry: null, icp_token: null })).toBeUndefined();
});

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** Calls a method as the anonymous principal and returns the reply; PicJS cannot name a state to keep. */
async function call(
  instance: number,
  canisterId: Uint8Array,
  method: string,
  arg: Uint8Array,
  about = canisterId,
): Promise<Uint8Array> {
  const post = async (path: string, body: unknown): Promise<{ Ok: unknown }> => {
    const options = { method: 'POST', body: JSON.stringify(body) };
    return (await (await fetch(`${url}/instances/${instance}/update/${path}`, options)).json()) as {
      Ok: unknown;
    };
  };
  const { Ok: message } = await post('submit_ingress_message', {
    sender: base64(Principal.anonymous().toUint8Array()),
    canister_id: base64(canisterId),
    effective_principal: { CanisterId: base64(about) },
    method,
    payload: base64(arg),
  });
  return Buffer.from(String((await post('await_ingress_message', message)).Ok), 'base64');
}

test('a kept state keeps its system canisters, and one that a test made there is not replaced', async () => {
  const body = {
    subnet_config_set: { application, nns: application[0] },
    icp_features: { icp_token: 'DefaultConfig' },
    state_dir: 'with-ledger',
  };
  const ledger = LEDGER.toUint8Array();
  const other = Principal.fromUint8Array(Uint8Array.of(7));
  const balance = async (instance: number): Promise<bigint> => {
    const arg = IDL.encode([account], [{ owner: other, subaccount: [] }]);
    return decoded<[bigint]>(await call(instance, ledger, 'icrc1_balance_of', arg), IDL.Nat)[0];
  };
  const end = (id: number): Promise<unknown> => fetch(`${url}/instances/${id}`, { method: 'DELETE' });
  const first = (await create(body)).Created?.instance_id ?? -1;
  const payment = IDL.Record({ to: account, amount: IDL.Nat });
  const paid = IDL.encode([payment], [{ to: { owner: other, subaccount: [] }, amount: 321n }]);
  await call(first, ledger, 'icrc1_transfer', paid);
  expect(await balance(first)).toBe(321n);
  await end(first);
  const second = (await create(body)).Created?.instance_id ?? -1;
  expect(await balance(second)).toBe(321n);
  await end(second);

  const own = { ...body, state_dir: 'own', icp_features: undefined };
  const third = (await create(own)).Created?.instance_id ?? -1;
  const at = IDL.Record({ specified_id: IDL.Opt(IDL.Principal) });
  const arg = IDL.encode([at], [{ specified_id: [LEDGER] }]);
  await call(third, new Uint8Array(), 'provisional_create_canister_with_cycles', arg, ledger);
  await end(third);
  expect((await create({ ...own, icp_features: body.icp_features })).Error?.message).toMatch(
    /cannot be installed: canister_status: Only controllers/,
  );
  // The folder of the one that was refused is free again.
  await end((await create(own)).Created?.instance_id ?? -1);
}, 120_000);

test('the program that is told to end while features are installed leaves nothing', async () => {
  const before = readdirSync(tmpdir()).filter((name) => name.startsWith('cannery-pocket-ic-'));
  const other = await startPocketIc({ port: 0 });
  const cut = fetch(`http://127.0.0.1:${other.port}/instances`, {
    method: 'POST',
    body: JSON.stringify({
      subnet_config_set: { application },
      icp_features: { icp_token: 'DefaultConfig' },
    }),
  }).then(
    (answer) => answer.status,
    () => undefined,
  );
  const made = (): readonly string[] =>
    readdirSync(tmpdir()).filter((name) => name.startsWith('cannery-pocket-ic-') && !before.includes(name));
  await expect.poll(made, { interval: 1, timeout: 10_000 }).toHaveLength(1);
  // Its number is known before it is there; nobody gets hold of it.
  const early = await fetch(`http://127.0.0.1:${other.port}/instances/0`, { method: 'DELETE' });
  expect(early.status).toBe(404);
  await other[Symbol.asyncDispose]();
  await cut;
  expect(made()).toEqual([]);
}, 120_000);
