import { CyclesLedgerCanister } from '@icp-sdk/canisters/ledger/cycles';
import { IcrcLedgerCanister } from '@icp-sdk/canisters/ledger/icrc';
import type { Identity } from '@icp-sdk/core/agent';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { Principal } from '@icp-sdk/core/principal';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { idlFactory } from '../../../node_modules/@icp-sdk/canisters/declarations/cycles-ledger/cycles-ledger.idl.js';
import type { _SERVICE as CyclesLedger } from '../../../node_modules/@icp-sdk/canisters/declarations/cycles-ledger/cycles-ledger.d.ts';
import { managementActor } from '../../../packages/network/test/management-actor.ts';
import { compileMotoko } from '../../../packages/network/test/compile-motoko.ts';
import { cyclesLedger } from '../index.ts';
import { checkedBlocks, replay } from './blocks.ts';
import { accountOf, refusal, startSystem, type SystemNetwork, T } from './system-network.ts';
import { type Wallet, WALLET_SOURCE, walletInterface } from './wallet.ts';

const FEE = 100_000_000n;
const HOUR = 3_600_000_000_000n;
const LEDGER = Principal.fromText(cyclesLedger.id);
/** No canister has it: its creation would be the two millionth. */
const NOBODY = Principal.fromUint8Array(Uint8Array.of(0, 0, 0, 0, 0, 30, 132, 128, 1, 1));

const person = (): Ed25519KeyIdentity => Ed25519KeyIdentity.generate();
const ada = person();
const bob = person();

let system: SystemNetwork;
let subnet: Principal;
beforeAll(async () => {
  const cycles = [ada, bob].map((who) => ({ owner: who.getPrincipal(), amount: 1_000n * T }));
  subnet = person().getPrincipal();
  system = await startSystem([cyclesLedger], { cycles, subnetId: subnet });
});
afterAll(() => system.close());

const ledgerOf = (who?: Identity): Promise<CyclesLedger> => system.actor(LEDGER, idlFactory, who);

async function balanceOf(who: Identity | Principal): Promise<bigint> {
  return (await ledgerOf()).icrc1_balance_of(accountOf(who));
}

/** Somebody with cycles, and nothing that another test did. */
async function rich(amount: bigint): Promise<Ed25519KeyIdentity> {
  const who = person();
  const args = { to: accountOf(who), amount, from_subaccount: [], fee: [], memo: [], created_at_time: [] };
  expect(await (await ledgerOf(ada)).icrc1_transfer(args as never)).toHaveProperty('Ok');
  return who;
}

function withdrawal(to: Principal, amount: bigint, time?: bigint): Parameters<CyclesLedger['withdraw']>[0] {
  return { to, amount, from_subaccount: [], created_at_time: time === undefined ? [] : [time] };
}

function creation(amount: bigint, time?: bigint): Parameters<CyclesLedger['create_canister']>[0] {
  return {
    amount,
    from_subaccount: [],
    created_at_time: time === undefined ? [] : [time],
    creation_args: [],
  };
}

test('the ledger tells its name, its fee and its standards, and that it is for development', async () => {
  const ledger = IcrcLedgerCanister.create({ agent: await system.agent(), canisterId: LEDGER });
  expect(Object.fromEntries(await ledger.metadata({}))).toMatchObject({
    'icrc1:name': { Text: 'Trillion Cycles' },
    'icrc1:symbol': { Text: 'TCYCLES' },
    'icrc1:decimals': { Nat: 12n },
    'icrc1:fee': { Nat: FEE },
    'cannery:purpose': { Text: expect.stringContaining('for development') },
  });
  const names = (await ledger.icrc10SupportedStandards({})).map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(['ICRC-1', 'ICRC-2', 'ICRC-3', 'ICRC-10', 'ICRC-21']));
  expect(await ledger.getMintingAccount({})).toEqual([]);
  await expect(ledger.getIndexPrincipal({})).rejects.toThrow();
});

test('a canister deposits cycles it holds, less the fee; too few stay with it', async () => {
  const id = await system.createCanister(20n * T);
  await system.ic('install_code', {
    mode: { install: null },
    canister_id: id,
    wasm_module: compileMotoko(WALLET_SOURCE),
    arg: new Uint8Array(Buffer.from('4449444c0000', 'hex')),
    sender_canister_version: [],
  });
  const wallet = await system.actor<Wallet>(id, walletInterface);
  const who = person();
  const held = await system.cyclesOf(LEDGER);
  const supply = await (await ledgerOf()).icrc1_total_supply();
  expect(await wallet.deposit(LEDGER, accountOf(who), [], 5n * T)).toEqual({ ok: 5n * T - FEE });
  expect(await balanceOf(who)).toBe(5n * T - FEE);
  expect((await system.cyclesOf(LEDGER)) - held).toBeGreaterThan(5n * T - FEE);
  expect(await (await ledgerOf()).icrc1_total_supply()).toBe(supply + 5n * T - FEE);

  const before = await system.cyclesOf(id);
  expect(await wallet.deposit(LEDGER, accountOf(who), [], FEE)).toEqual({
    err: expect.stringContaining('more than the fee'),
  });
  const memo = new Uint8Array(33);
  expect(await wallet.deposit(LEDGER, accountOf(who), [memo], T)).toEqual({
    err: expect.stringContaining('32 bytes'),
  });
  const odd = accountOf(who, new Uint8Array(31));
  expect(await wallet.deposit(LEDGER, odd, [], T)).toEqual({ err: expect.stringContaining('32 bytes') });
  // The cycles that were attached came back; calls cost a little.
  expect(before - (await system.cyclesOf(id))).toBeLessThan(FEE);
  expect(await balanceOf(who)).toBe(5n * T - FEE);

  // Two withdrawals under way at once: what one has taken the other cannot take.
  await wallet.deposit(LEDGER, accountOf(id), [], 2n * T);
  expect((await wallet.withdrawTwice(LEDGER, (3n * T) / 2n)).toSorted()).toEqual([false, true]);
  expect(await balanceOf(id)).toBe(T / 2n - 2n * FEE);
});

test('cycles are withdrawn to a canister by the public client, and what cannot be is given back', async () => {
  const who = await rich(20n * T);
  const ledger = CyclesLedgerCanister.create({ agent: await system.agent(who), canisterId: LEDGER });
  const canister = await system.createCanister(2n * T);
  const cycles = await system.cyclesOf(canister);
  const held = await system.cyclesOf(LEDGER);
  expect(await ledger.withdraw({ to: canister, amount: 3n * T })).toHaveProperty('Ok');
  expect(await balanceOf(who)).toBe(17n * T - FEE);
  expect(await system.cyclesOf(canister)).toBe(cycles + 3n * T);
  expect(held - (await system.cyclesOf(LEDGER))).toBeGreaterThanOrEqual(3n * T);

  // Each block costs a fee: that of the attempt, and that of what comes back.
  const failed = await ledger.withdraw({ to: NOBODY, amount: 3n * T });
  expect(failed).toMatchObject({
    Err: {
      FailedToWithdraw: { fee_block: [expect.any(BigInt)], rejection_code: { DestinationInvalid: null } },
    },
  });
  expect(await balanceOf(who)).toBe(17n * T - 3n * FEE);
  // No more than a fee is not worth a block.
  expect(await ledger.withdraw({ to: NOBODY, amount: FEE })).toMatchObject({
    Err: { FailedToWithdraw: { fee_block: [] } },
  });
  expect(await balanceOf(who)).toBe(17n * T - 5n * FEE);

  expect(await ledger.withdraw({ to: who.getPrincipal(), amount: T })).toEqual({
    Err: { InvalidReceiver: { receiver: who.getPrincipal() } },
  });
  expect(await ledger.withdraw({ to: canister, amount: 0n })).toMatchObject({ Err: { GenericError: {} } });
  expect(await ledger.withdraw({ to: canister, amount: 17n * T })).toEqual({
    Err: { InsufficientFunds: { balance: 17n * T - 5n * FEE } },
  });
  expect(await ledger.withdraw({ to: canister, amount: 2n ** 300n })).toMatchObject({
    Err: { GenericError: {} },
  });
  const odd = new Uint8Array(31);
  await expect(ledger.withdraw({ to: canister, amount: T, fromSubaccount: odd })).rejects.toThrow('32 bytes');
});

test('a payment that is sent twice happens once, and one that failed is not sent again', async () => {
  const who = await rich(20n * T);
  const ledger = await ledgerOf(who);
  const canister = await system.createCanister(T);
  const time = system.network.now();
  const sent = withdrawal(canister, T, time);
  const answers = await Promise.all(Array.from({ length: 8 }, () => ledger.withdraw(sent)));
  const [block] = answers.flatMap((answer) => ('Ok' in answer ? [answer.Ok] : []));
  expect(answers.filter((answer) => 'Ok' in answer)).toHaveLength(1);
  expect(answers.filter((answer) => 'Err' in answer)).toEqual(
    Array(7).fill({ Err: { Duplicate: { duplicate_of: block } } }),
  );
  expect(await balanceOf(who)).toBe(19n * T - FEE);

  const lost = withdrawal(NOBODY, T, time);
  expect(await ledger.withdraw(lost)).toHaveProperty('Err.FailedToWithdraw');
  expect(await ledger.withdraw(lost)).toHaveProperty('Err.Duplicate');
  expect(await ledger.withdraw(withdrawal(canister, T, time - 25n * HOUR))).toEqual({
    Err: { TooOld: null },
  });
  expect(await ledger.withdraw(withdrawal(canister, T, time + HOUR))).toHaveProperty('Err.CreatedInFuture');
});

test('a canister is created for the caller, once; what a failed creation took comes back', async () => {
  const who = await rich(20n * T);
  const ledger = await ledgerOf(who);
  const time = system.network.now();
  const made = await ledger.create_canister(creation(3n * T, time));
  if (!('Ok' in made)) throw new Error('No canister was created.');
  const { block_id, canister_id } = made.Ok;
  expect(await balanceOf(who)).toBe(17n * T - FEE);
  const status = await managementActor(await system.agent(who))('canister_status', { canister_id });
  expect(status).toMatchObject({ settings: { controllers: [who.getPrincipal()] } });
  expect(await ledger.create_canister(creation(3n * T, time))).toEqual({
    Err: { Duplicate: { duplicate_of: block_id, canister_id: [canister_id] } },
  });
  const withSettings = (settings: object, selection: object[] = []): never =>
    ({
      ...creation(3n * T),
      creation_args: [{ settings: [settings], subnet_selection: selection }],
    }) as never;
  const none = {
    compute_allocation: [],
    memory_allocation: [],
    freezing_threshold: [],
    reserved_cycles_limit: [],
  };
  const other = {
    ...none,
    freezing_threshold: [12_345n],
    controllers: [[bob.getPrincipal(), who.getPrincipal()]],
  };
  const second = await ledger.create_canister(withSettings(other, [{ Subnet: { subnet } }]));
  if (!('Ok' in second)) throw new Error('No canister was created.');
  const settings = await managementActor(await system.agent(who))('canister_status', {
    canister_id: second.Ok.canister_id,
  });
  expect(settings).toMatchObject({ settings: { freezing_threshold: 12_345n } });

  const before = await balanceOf(who);
  const poor = await ledger.create_canister(creation(2n * FEE));
  expect(poor).toMatchObject({
    Err: { FailedToCreate: { fee_block: [expect.any(BigInt)], refund_block: [expect.any(BigInt)] } },
  });
  expect(await balanceOf(who)).toBe(before - 2n * FEE);
  const elsewhere = [{ Subnet: { subnet: NOBODY } }];
  expect(await ledger.create_canister(withSettings({ ...none, controllers: [] }, elsewhere))).toMatchObject({
    Err: { FailedToCreate: { error: expect.stringContaining('no subnet') } },
  });
  expect(await balanceOf(who)).toBe(before - 4n * FEE);
});

test('a spender pays with an approval, which comes back with what was not used', async () => {
  const who = await rich(50n * T);
  const spender = await rich(T);
  const approval = {
    spender: accountOf(spender),
    amount: 10n * T,
    from_subaccount: [],
    expected_allowance: [],
    expires_at: [],
    fee: [],
    memo: [],
    created_at_time: [],
  };
  expect(await (await ledgerOf(who)).icrc2_approve(approval as never)).toHaveProperty('Ok');
  const ledger = await ledgerOf(spender);
  const pair = { account: accountOf(who), spender: accountOf(spender) };
  const left = async (): Promise<bigint> => (await ledger.icrc2_allowance(pair)).allowance;
  const common = { from: accountOf(who), spender_subaccount: [] as [], created_at_time: [] as [] };

  const canister = await system.createCanister(T);
  expect(await ledger.withdraw_from({ ...common, to: canister, amount: T })).toHaveProperty('Ok');
  expect(await left()).toBe(9n * T - FEE);
  const made = await ledger.create_canister_from({ ...common, amount: 2n * T, creation_args: [] });
  expect(made).toHaveProperty('Ok');
  expect(await left()).toBe(7n * T - 2n * FEE);
  const before = await balanceOf(who);
  expect(await ledger.withdraw_from({ ...common, to: NOBODY, amount: T })).toMatchObject({
    Err: {
      FailedToWithdrawFrom: {
        withdraw_from_block: [expect.any(BigInt)],
        refund_block: [expect.any(BigInt)],
        approval_refund_block: [expect.any(BigInt)],
      },
    },
  });
  // Three blocks, three fees; the allowance is what it was, less those.
  expect(await balanceOf(who)).toBe(before - 3n * FEE);
  expect(await left()).toBe(7n * T - 5n * FEE);
  expect(
    await ledger.create_canister_from({ ...common, amount: 2n * FEE, creation_args: [] }),
  ).toHaveProperty('Err.FailedToCreateFrom.refund_block', [expect.any(BigInt)]);
  const allowance = await left();
  expect(await ledger.withdraw_from({ ...common, to: canister, amount: allowance })).toEqual({
    Err: { InsufficientAllowance: { allowance } },
  });
  const found = await (await ledgerOf(who)).icrc103_get_allowances({
    from_account: [],
    prev_spender: [],
    take: [],
  });
  expect(found).toEqual({
    Ok: [{ from_account: accountOf(who), to_spender: accountOf(spender), allowance, expires_at: [] }],
  });
});

test('the management canister owns nothing, and odd numbers change nothing', async () => {
  const ledger = await ledgerOf(bob);
  const before = await balanceOf(bob);
  const plain = { from_subaccount: [], fee: [], memo: [], created_at_time: [] };
  const send = (more: object): Promise<unknown> =>
    ledger.icrc1_transfer({ to: accountOf(ada), amount: 1n, ...plain, ...more } as never);
  expect(await send({ to: accountOf(Principal.managementCanister()) })).toHaveProperty('Err.GenericError');
  expect(await send({ amount: 2n ** 100_000n })).toHaveProperty('Err.GenericError');
  expect(await send({ fee: [2n ** 100_000n] })).toHaveProperty('Err.BadFee');
  expect(await send({ memo: [new Uint8Array(1_000_000)] })).toHaveProperty('Err.GenericError');
  expect(await send({ to: accountOf(ada, new Uint8Array(33)) })).toHaveProperty('Err.GenericError');
  const approval = {
    spender: accountOf(ada),
    amount: 1n,
    expected_allowance: [2n ** 100_000n],
    expires_at: [],
    ...plain,
  };
  const timed = { ...approval, created_at_time: [system.network.now()] };
  expect(await ledger.icrc2_approve(timed as never)).toHaveProperty('Err.GenericError');
  expect(await balanceOf(bob)).toBe(before);
  const everybody = await ledgerOf();
  expect(await everybody.withdraw(withdrawal(LEDGER, T))).toEqual({
    Err: { InsufficientFunds: { balance: 0n } },
  });
  expect(await refusal(everybody.icrc3_get_blocks([{ start: 2n ** 70n, length: 2n ** 70n }]))).toMatchObject({
    unexpected: { blocks: [] },
  });
});

test('an upgrade keeps everything, and replaying the blocks gives every balance and the sum', async () => {
  const balance = await balanceOf(ada);
  await system.upgrade(cyclesLedger);
  expect(await balanceOf(ada)).toBe(balance);
  const ledger = await ledgerOf();
  const blocks = await checkedBlocks(ledger, LEDGER, system.network.rootKey);
  const balances = replay(blocks);
  expect(balances.get(Buffer.from(ada.getPrincipal().toUint8Array()).toString('hex'))).toBe(balance);
  const sum = [...balances.values()].reduce((total, each) => total + each, 0n);
  expect([...balances.values()].every((each) => each >= 0n)).toBe(true);
  const supply = await ledger.icrc1_total_supply();
  expect(sum).toBe(supply);
  // Every cycle of an account is there.
  expect(await system.cyclesOf(LEDGER)).toBeGreaterThan(supply);
});
