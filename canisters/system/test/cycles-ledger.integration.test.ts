import { IcrcLedgerCanister } from '@icp-sdk/canisters/ledger/icrc';
import { CyclesLedgerCanister } from '@icp-sdk/canisters/ledger/cycles';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { Principal } from '@icp-sdk/core/principal';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cyclesLedger } from '../index.ts';
import { accountOf, refusal, startSystem, type SystemNetwork, T } from './system-network.ts';

const FEE = 100_000_000n;
const ada = Ed25519KeyIdentity.generate();
const bob = Ed25519KeyIdentity.generate();
const LEDGER = Principal.fromText(cyclesLedger.id);

let system: SystemNetwork;
beforeAll(async () => {
  const cycles = [ada, bob].map((who) => ({ owner: who.getPrincipal(), amount: 1_000n * T }));
  system = await startSystem([cyclesLedger], { cycles });
});
afterAll(() => system.close());

async function icrc(identity = ada): Promise<IcrcLedgerCanister> {
  return IcrcLedgerCanister.create({ agent: await system.agent(identity), canisterId: LEDGER });
}

async function balanceOf(identity = ada): Promise<bigint> {
  return (await icrc()).balance({ owner: identity.getPrincipal(), certified: false });
}

test('cycles are withdrawn to a canister, and what cannot be is given back', async () => {
  const ledger = CyclesLedgerCanister.create({ agent: await system.agent(ada), canisterId: LEDGER });
  const canister = await system.createCanister(2n * T);
  const before = await balanceOf();
  const cycles = await system.cyclesOf(canister);
  const held = await system.cyclesOf(LEDGER);
  await ledger.withdraw({ to: canister, amount: 3n * T });
  expect(await balanceOf()).toBe(before - 3n * T - FEE);
  expect(await system.cyclesOf(canister)).toBe(cycles + 3n * T);
  console.log(held - (await system.cyclesOf(LEDGER)));
  const nobody = Principal.fromText('rkp4c-7iaaa-aaaaa-aaaca-cai');
  console.log(await refusal(ledger.withdraw({ to: nobody, amount: 3n * T })));
  console.log(await ledger.withdraw({ to: nobody, amount: 3n * T }).catch(String));
  expect(await balanceOf()).toBe(before - 3n * T - FEE);
});
