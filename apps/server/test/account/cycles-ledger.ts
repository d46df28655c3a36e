import { readFileSync } from 'node:fs';
import { Actor, HttpAgent } from '@icp-sdk/core/agent';
import { IDL } from '@icp-sdk/core/candid';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { Principal } from '@icp-sdk/core/principal';
import { compileMotoko } from '../../../../packages/network/test/compile-motoko.ts';
import { createIcClient } from '../../src/ic/create-ic-client.ts';

const T = 1_000_000_000_000n;
const SOURCE = new URL('./cycles-ledger.mo', import.meta.url);

/** What the ledger takes for each block. */
export const LEDGER_FEE = 100_000_000n;

const account = IDL.Record({ owner: IDL.Principal, subaccount: IDL.Opt(IDL.Vec(IDL.Nat8)) });
const initArgs = IDL.Variant({
  Init: IDL.Record({
    max_blocks_per_request: IDL.Nat64,
    index_id: IDL.Opt(IDL.Principal),
    initial_balances: IDL.Opt(IDL.Vec(IDL.Tuple(account, IDL.Nat))),
  }),
});
const idl: IDL.InterfaceFactory = () =>
  IDL.Service({
    icrc1_balance_of: IDL.Func([account], [IDL.Nat], ['query']),
    blockCount: IDL.Func([], [IDL.Nat], ['query']),
    mint: IDL.Func([IDL.Principal, IDL.Nat], [], []),
    pause: IDL.Func([IDL.Bool], [], []),
  });

/** A cycles ledger that runs on a network. */
export interface TestLedger {
  readonly id: string;
  balanceOf(principal: string): Promise<bigint>;
  blockCount(): Promise<bigint>;
  mint(principal: string, cycles: bigint): Promise<void>;
  /** While paused, the ledger answers that it is temporarily unavailable. */
  pause(paused: boolean): Promise<void>;
}

/** Puts a cycles ledger on a network, with an account that holds the given cycles. */
export async function installCyclesLedger(
  networkUrl: string,
  opening: { principal: string; cycles: bigint },
): Promise<TestLedger> {
  const identity = Ed25519KeyIdentity.generate();
  const client = createIcClient({ icUrl: networkUrl, identity });
  const id = await client.createCanister({ cyclesAmount: 10_000n * T });
  const owner = { owner: Principal.fromText(opening.principal), subaccount: [] };
  const init = { max_blocks_per_request: 100n, index_id: [], initial_balances: [[[owner, opening.cycles]]] };
  const installation = await client.signInstall({
    canisterId: id,
    wasm: compileMotoko(readFileSync(SOURCE, 'utf8')),
    arg: IDL.encode([initArgs], [{ Init: init }]),
    mode: 'install',
  });
  const outcome = await client.submit(installation);
  if (outcome.status !== 'replied') throw new Error(`The ledger was not installed: ${outcome.status}`);
  const agent = await HttpAgent.create({ host: networkUrl, identity, shouldFetchRootKey: true });
  const actor = Actor.createActor<{
    icrc1_balance_of(account: { owner: Principal; subaccount: [] }): Promise<bigint>;
    blockCount(): Promise<bigint>;
    mint(owner: Principal, cycles: bigint): Promise<void>;
    pause(paused: boolean): Promise<void>;
  }>(idl, { agent, canisterId: id });
  return {
    id,
    balanceOf: (principal) =>
      actor.icrc1_balance_of({ owner: Principal.fromText(principal), subaccount: [] }),
    blockCount: () => actor.blockCount(),
    mint: (principal, cycles) => actor.mint(Principal.fromText(principal), cycles),
    pause: (paused) => actor.pause(paused),
  };
}
