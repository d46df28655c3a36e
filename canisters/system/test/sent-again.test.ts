import { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';
import { expect, test } from 'vitest';
import { idlFactory as cyclesInterface } from '../../../node_modules/@icp-sdk/canisters/declarations/cycles-ledger/cycles-ledger.idl.js';
import { idlFactory as icpInterface } from '../../../node_modules/@icp-sdk/canisters/declarations/ledger-icp/ledger.idl.js';
import { TestNetwork } from '../../../packages/network/src/test-network/test-network.ts';
import { cyclesLedger, icpLedger } from '../index.ts';
import { accountOf } from './system-network.ts';

interface Ledger {
  icrc1_transfer(args: object): Promise<object>;
  icrc2_approve(args: object): Promise<object>;
}

const ADA = Principal.selfAuthenticating(Uint8Array.of(1));
const LATEST = 2n ** 64n - 1n;

test.each([
  ['icp-ledger', icpLedger, icpInterface],
  ['cycles-ledger', cyclesLedger, cyclesInterface],
] as const)(
  'what %s carried out is told to who sends it again, and what is of the future is refused',
  async (service, { id }, idl) => {
    await using network = await TestNetwork.open({ services: [service] });
    const ledger = network.actor<Ledger>(Principal.fromText(id), idl as unknown as IDL.InterfaceFactory);
    const approval = {
      from_subaccount: [],
      spender: accountOf(ADA),
      amount: 1_000n,
      // What is allowed has changed by the first of the two.
      expected_allowance: [0n],
      expires_at: [],
      fee: [],
      memo: [],
      created_at_time: [network.time()],
    };
    expect(await ledger.icrc2_approve(approval)).toEqual({ Ok: 1n });
    expect(await ledger.icrc2_approve(approval)).toEqual({ Err: { Duplicate: { duplicate_of: 1n } } });
    for (const time of [LATEST, LATEST - 86_400_000_000_000n, 2n ** 63n]) {
      const late = { ...approval, expected_allowance: [], created_at_time: [time] };
      const refusal = { Err: { CreatedInFuture: { ledger_time: expect.any(BigInt) } } };
      expect(await ledger.icrc2_approve(late), `${time}`).toEqual(refusal);
      const transfer = {
        from_subaccount: [],
        to: accountOf(ADA),
        amount: 1n,
        fee: [],
        memo: [],
        created_at_time: [time],
      };
      expect(await ledger.icrc1_transfer(transfer), `${time}`).toEqual(refusal);
    }
  },
  120_000,
);
