import { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';
import { describe, expect, test } from 'vitest';
import { isDuplicate, ledgerFunding, ledgerOutcome } from './cycles-ledger.ts';

const LEDGER = 'um5iw-rqaaa-aaaaq-qaaba-cai';
const CANISTER = Principal.fromText('rrkah-fqaaa-aaaaa-aaaaq-cai');
const { Nat, Nat64, Null, Opt, Record, Text, Variant, Vec, Nat8 } = IDL;
const account = Opt(Vec(Nat8));

/** The replies as cycles-ledger.did has them, with every field and case. */
const common = {
  InsufficientFunds: Record({ balance: Nat }),
  TooOld: Null,
  CreatedInFuture: Record({ ledger_time: Nat64 }),
  TemporarilyUnavailable: Null,
  GenericError: Record({ message: Text, error_code: Nat }),
};
const createReply = Variant({
  Ok: Record({ block_id: Nat, canister_id: IDL.Principal }),
  Err: Variant({
    ...common,
    Duplicate: Record({ duplicate_of: Nat, canister_id: Opt(IDL.Principal) }),
    FailedToCreate: Record({ fee_block: Opt(Nat), refund_block: Opt(Nat), error: Text }),
  }),
});
const rejectionCode = Variant({
  NoError: Null,
  CanisterError: Null,
  SysTransient: Null,
  DestinationInvalid: Null,
  Unknown: Null,
  SysFatal: Null,
  CanisterReject: Null,
});
const withdrawReply = Variant({
  Ok: Nat,
  Err: Variant({
    ...common,
    FailedToWithdraw: Record({
      fee_block: Opt(Nat),
      rejection_code: rejectionCode,
      rejection_reason: Text,
    }),
    Duplicate: Record({ duplicate_of: Nat }),
    BadFee: Record({ expected_fee: Nat }),
    InvalidReceiver: Record({ receiver: IDL.Principal }),
  }),
});
const created = (value: unknown) => IDL.encode([createReply], [value]);
const withdrawn = (value: unknown) => IDL.encode([withdrawReply], [value]);

const NOW = BigInt(Date.now()) * 1_000_000n;
const HOUR = 3_600_000_000_000n;
const funding = ledgerFunding(LEDGER, async () => Date.now());

describe('a payment', () => {
  test('is a call of the ledger: fee and amount are together what was asked for', async () => {
    const environmentVariables = [{ name: 'A', value: 'b' }];
    const call = await funding.create({ cyclesAmount: 2_000_000_000_000n, environmentVariables });
    expect(call).toMatchObject({
      canisterId: LEDGER,
      effectiveCanisterId: LEDGER,
      method: 'create_canister',
    });
    const settings = Record({ environment_variables: Opt(Vec(Record({ name: Text, value: Text }))) });
    const creation = Record({ settings: Opt(settings), subnet_selection: Opt(Text) });
    const args = Record({
      from_subaccount: account,
      created_at_time: Opt(Nat64),
      amount: Nat,
      creation_args: Opt(creation),
    });
    expect(IDL.decode([args], call.arg)[0]).toMatchObject({
      from_subaccount: [],
      created_at_time: [call.ledgerTime],
      amount: 1_999_900_000_000n,
      creation_args: [{ settings: [{ environment_variables: [environmentVariables] }] }],
    });

    const topUp = await funding.topUp(CANISTER.toText(), 1_000_000_000_000n);
    const withdrawArgs = Record({
      amount: Nat,
      from_subaccount: account,
      to: IDL.Principal,
      created_at_time: Opt(Nat64),
    });
    expect(IDL.decode([withdrawArgs], topUp.arg)[0]).toEqual({
      amount: 999_900_000_000n,
      from_subaccount: [],
      to: CANISTER,
      created_at_time: [topUp.ledgerTime],
    });
  });

  test('has a time that no other has, since the ledger takes two creations of one time for one', async () => {
    const calls = await Promise.all(Array.from({ length: 1000 }, () => funding.topUp(CANISTER.toText(), 1n)));
    expect(new Set(calls.map(({ ledgerTime }) => ledgerTime)).size).toBe(calls.length);
  });

  test('has the time of its network again when that was made again with an earlier time', async () => {
    let now = Date.now() + 25 * 3_600_000;
    const moved = ledgerFunding(LEDGER, async () => now);
    await moved.topUp(CANISTER.toText(), 1n);
    now = Date.now();
    const { ledgerTime = 0n } = await moved.topUp(CANISTER.toText(), 1n);
    expect(Number(ledgerTime / 1_000_000n)).toBe(now);
  });
});

describe('an answer', () => {
  test.each([
    ['Ok', created({ Ok: { block_id: 7n, canister_id: CANISTER } })],
    ['Duplicate', created({ Err: { Duplicate: { duplicate_of: 7n, canister_id: [CANISTER] } } })],
  ])('%s to a creation is success', (_name, reply) => {
    expect(ledgerOutcome('create_canister', reply, NOW, Date.now())).toEqual({ status: 'replied', reply });
    expect(funding.createdCanisterId(reply)).toBe(CANISTER.toText());
    expect(funding.ledgerNote('create', reply)).toEqual({ ledger_block: '7', ledger_fee: '100000000' });
  });

  test.each([
    ['Ok', withdrawn({ Ok: 9n }), false],
    ['Duplicate', withdrawn({ Err: { Duplicate: { duplicate_of: 9n } } }), true],
  ])('%s to a withdrawal is success', (_name, reply, repeated) => {
    expect(ledgerOutcome('withdraw', reply, NOW, Date.now())).toEqual({ status: 'replied', reply });
    expect(isDuplicate('withdraw', reply)).toBe(repeated);
    expect(funding.ledgerNote('topup', reply)).toEqual({ ledger_block: '9', ledger_fee: '100000000' });
  });

  test('Duplicate without a canister: the creation is under way, and after a while it has failed', () => {
    const reply = created({ Err: { Duplicate: { duplicate_of: 7n, canister_id: [] } } });
    expect(ledgerOutcome('create_canister', reply, NOW, Date.now()).status).toBe('again');
    expect(ledgerOutcome('create_canister', reply, NOW - HOUR, Date.now())).toEqual({
      status: 'rejected',
      message: 'The cycles ledger could not create the canister.',
    });
  });

  test.each([
    [{ InsufficientFunds: { balance: 1_500_000_000_000n } }, 'rejected', 'has only 1.5 T left'],
    [{ TooOld: null }, 'expired', 'older than a day'],
    [
      { CreatedInFuture: { ledger_time: NOW - 90_000_000_000n } },
      'rejected',
      'clock of this server is 90 s ahead',
    ],
    [{ TemporarilyUnavailable: null }, 'again', 'temporarily unavailable'],
    [{ GenericError: { message: 'no zero', error_code: 4n } }, 'rejected', 'refused: no zero'],
    [
      { FailedToWithdraw: { fee_block: [], rejection_code: { SysFatal: null }, rejection_reason: 'gone' } },
      'rejected',
      'did not reach the canister: gone',
    ],
    [{ BadFee: { expected_fee: 5n } }, 'rejected', 'a fee of 5 cycles'],
    [{ InvalidReceiver: { receiver: CANISTER } }, 'rejected', `${CANISTER.toText()} is not a canister`],
  ])('%o is put in words', (error, status, words) => {
    expect(ledgerOutcome('withdraw', withdrawn({ Err: error }), NOW, Date.now())).toEqual({
      status,
      message: expect.stringContaining(words),
    });
  });

  test('a failed creation says why', () => {
    const failed = { FailedToCreate: { fee_block: [], refund_block: [8n], error: 'no subnet' } };
    expect(ledgerOutcome('create_canister', created({ Err: failed }), NOW, Date.now())).toEqual({
      status: 'rejected',
      message: 'The canister could not be created: no subnet',
    });
  });

  test('what cannot be read decides nothing', () => {
    const unknown = IDL.encode([Variant({ Err: Variant({ Novelty: Null }) })], [{ Err: { Novelty: null } }]);
    for (const reply of [unknown, new Uint8Array([1, 2])])
      expect(ledgerOutcome('create_canister', reply, NOW, Date.now()).status).toBe('again');
  });
});
