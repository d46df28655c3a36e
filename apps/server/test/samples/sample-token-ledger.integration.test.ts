import { AnonymousIdentity } from '@icp-sdk/core/agent';
import { IDL } from '@icp-sdk/core/candid';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  accountOf,
  certifiedTip,
  type Fields,
  ledgerArgument,
  ledgerOf,
  quickTransfers,
  readBlock,
} from './ledger-client.ts';
import { type SampleCanister, START_MS, startSample } from './sample-canister.ts';

const SECOND = 1_000_000_000n;
const HOUR = 3_600n * SECOND;
const FEE = 10n;

const [minter, ada, bob, carol, dan] = Array.from({ length: 5 }, () => Ed25519KeyIdentity.generate()) as [
  Ed25519KeyIdentity,
  Ed25519KeyIdentity,
  Ed25519KeyIdentity,
  Ed25519KeyIdentity,
  Ed25519KeyIdentity,
];

let sample: SampleCanister;
beforeAll(async () => {
  const balances: Parameters<typeof ledgerArgument>[1] = [
    [accountOf(ada), 1_000_000n],
    [accountOf(dan), 1_000_000n],
  ];
  sample = await startSample('token-ledger', ledgerArgument(accountOf(minter), balances));
}, START_MS);
afterAll(() => sample.close());

/** The error that a call is refused with, as the ledger gave it. */
async function refusal(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    (value) => ({ unexpected: value }),
    (error: { errorType?: unknown }) => error.errorType ?? error,
  );
}

async function balanceOf(...who: Parameters<typeof accountOf>): Promise<bigint> {
  const { owner, subaccount } = accountOf(...who);
  return (await ledgerOf(sample)).balance({ owner, subaccount: subaccount[0], certified: false });
}

test('the token tells its name, its fee and the standards it keeps', async () => {
  const ledger = await ledgerOf(sample);
  expect(Object.fromEntries(await ledger.metadata({}))).toEqual({
    'icrc1:name': { Text: 'Test token' },
    'icrc1:symbol': { Text: 'TEST' },
    'icrc1:decimals': { Nat: 8n },
    'icrc1:fee': { Nat: FEE },
    'icrc1:max_memo_length': { Nat: 32n },
  });
  expect((await ledger.icrc1SupportedStandards({})).map(({ name }: { name: string }) => name)).toEqual([
    'ICRC-1',
    'ICRC-2',
    'ICRC-3',
  ]);
  expect(await ledger.transactionFee({})).toBe(FEE);
  expect(await ledger.getMintingAccount({})).toEqual([accountOf(minter)]);
});

test('a transfer moves tokens and burns the fee; what cannot be paid is refused', async () => {
  const ledger = await ledgerOf(sample, ada);
  const supply = await ledger.totalTokensSupply({});
  const before = await balanceOf(ada);
  const savings = new Uint8Array(32).fill(7);
  await ledger.transfer({ to: accountOf(ada, savings), amount: 500n });
  expect(await balanceOf(ada)).toBe(before - 510n);
  await ledger.transfer({ from_subaccount: savings, to: accountOf(bob), amount: 400n, fee: FEE });
  expect(await balanceOf(ada, savings)).toBe(90n);
  expect(await balanceOf(bob)).toBe(400n);
  // The account of zeros is the one that has no subaccount.
  expect(await balanceOf(bob, new Uint8Array(32))).toBe(400n);
  expect(await ledger.totalTokensSupply({})).toBe(supply - 20n);

  const toBob = { to: accountOf(bob), amount: 1n };
  expect(await refusal(ledger.transfer({ ...toBob, fee: 9n }))).toEqual({ BadFee: { expected_fee: FEE } });
  expect(
    await refusal(ledger.transfer({ from_subaccount: savings, to: accountOf(bob), amount: 81n })),
  ).toEqual({
    InsufficientFunds: { balance: 90n },
  });
  expect(await refusal(ledger.transfer({ ...toBob, memo: new Uint8Array(33) }))).toMatchObject({
    GenericError: { message: 'A memo has 32 bytes at most.' },
  });
  expect(await refusal(ledger.transfer({ ...toBob, from_subaccount: new Uint8Array(31) }))).toMatchObject({
    GenericError: { message: 'A subaccount has 32 bytes.' },
  });
  expect(await refusal(ledger.transfer({ to: accountOf(bob), amount: 2n ** 256n }))).toMatchObject({
    GenericError: { message: 'The amount is too large.' },
  });
});

test('the same transaction happens once; one of another time or memo is another', async () => {
  const ledger = await ledgerOf(sample, ada);
  const now = sample.network.now();
  const sent = { to: accountOf(bob), amount: 5n, created_at_time: now, memo: new Uint8Array([1]) };
  const before = await balanceOf(bob);
  const block = await ledger.transfer(sent);
  expect(await refusal(ledger.transfer(sent))).toEqual({ Duplicate: { duplicate_of: block } });
  expect(await balanceOf(bob)).toBe(before + 5n);
  await ledger.transfer({ ...sent, memo: new Uint8Array([2]) });
  await ledger.transfer({ ...sent, created_at_time: now + 1n });
  await ledger.transfer({ to: accountOf(bob), amount: 5n });
  await ledger.transfer({ to: accountOf(bob), amount: 5n });
  expect(await balanceOf(bob)).toBe(before + 25n);
  await ledger.transfer({ ...sent, created_at_time: now - 24n * HOUR });
  expect(await refusal(ledger.transfer({ ...sent, created_at_time: now - 25n * HOUR }))).toEqual({
    TooOld: null,
  });
  expect(await refusal(ledger.transfer({ ...sent, created_at_time: now + HOUR }))).toEqual({
    CreatedInFuture: { ledger_time: expect.any(BigInt) },
  });
});

test('an approval lets another spend, up to its amount and until it expires', async () => {
  const owner = await ledgerOf(sample, ada);
  const spender = await ledgerOf(sample, bob);
  const pair = { account: accountOf(ada), spender: accountOf(bob) };
  await owner.approve({ spender: accountOf(bob), amount: 1_000n });
  expect(
    await refusal(owner.approve({ spender: accountOf(bob), amount: 5n, expected_allowance: 999n })),
  ).toEqual({
    AllowanceChanged: { current_allowance: 1_000n },
  });
  const take = (amount: bigint): Promise<bigint> =>
    spender.transferFrom({ from: accountOf(ada), to: accountOf(carol), amount });
  const before = await balanceOf(ada);
  await take(600n);
  expect(await balanceOf(carol)).toBe(600n);
  expect(await balanceOf(ada)).toBe(before - 610n);
  expect((await owner.allowance(pair)).allowance).toBe(390n);
  expect(await refusal(take(381n))).toEqual({ InsufficientAllowance: { allowance: 390n } });

  const expires = sample.network.now() + 3n * SECOND;
  await owner.approve({ spender: accountOf(bob), amount: 1_000n, expires_at: expires });
  expect(await owner.allowance(pair)).toEqual({ allowance: 1_000n, expires_at: [expires] });
  await expect.poll(async () => (await owner.allowance(pair)).allowance).toBe(0n);
  expect(await refusal(take(1n))).toEqual({ InsufficientAllowance: { allowance: 0n } });
  expect(await refusal(owner.approve({ spender: accountOf(bob), amount: 1n, expires_at: expires }))).toEqual({
    Expired: { ledger_time: expect.any(BigInt) },
  });

  const poor = await ledgerOf(sample, Ed25519KeyIdentity.generate());
  expect(await refusal(poor.approve({ spender: accountOf(bob), amount: 1n }))).toEqual({
    InsufficientFunds: { balance: 0n },
  });
  await owner.approve({ spender: accountOf(bob), amount: 2n ** 200n });
  expect(await refusal(take(2n ** 199n))).toEqual({ InsufficientFunds: { balance: expect.any(BigInt) } });
  expect(await refusal(owner.approve({ spender: accountOf(ada), amount: 1n }))).toMatchObject({
    GenericError: { message: expect.stringContaining('no approval') },
  });
});

test('the minting account makes tokens and takes them back, and nobody else can', async () => {
  const mint = await ledgerOf(sample, minter);
  const holder = await ledgerOf(sample, carol);
  const supply = await mint.totalTokensSupply({});
  await mint.transfer({ to: accountOf(carol), amount: 100n });
  expect(await mint.totalTokensSupply({})).toBe(supply + 100n);
  await holder.transfer({ to: accountOf(minter), amount: 50n });
  expect(await mint.totalTokensSupply({})).toBe(supply + 50n);
  expect(await refusal(holder.transfer({ to: accountOf(minter), amount: 9n }))).toEqual({
    BadBurn: { min_burn_amount: FEE },
  });
  expect(await refusal(mint.approve({ spender: accountOf(carol), amount: 50n }))).toMatchObject({
    GenericError: { message: 'The minting account cannot approve.' },
  });
  expect(
    await refusal(holder.transferFrom({ from: accountOf(minter), to: accountOf(carol), amount: 5n })),
  ).toEqual({ InsufficientAllowance: { allowance: 0n } });
  // Nothing costs no fee, and would fill the log.
  const stranger = await ledgerOf(sample, Ed25519KeyIdentity.generate());
  const nothing = { from: accountOf(minter), to: accountOf(carol), amount: 0n };
  expect(await refusal(stranger.transferFrom(nothing))).toEqual({ InsufficientAllowance: { allowance: 0n } });
  expect(await refusal(stranger.transfer({ to: accountOf(minter), amount: 0n }))).toEqual({
    BadBurn: { min_burn_amount: FEE },
  });
  // The anonymous principal is an owner like any other: everybody can spend what it has.
  await mint.transfer({ to: accountOf(new AnonymousIdentity()), amount: 100n });
  const before = await balanceOf(carol);
  await (await ledgerOf(sample)).transfer({ to: accountOf(carol), amount: 90n });
  expect(await balanceOf(carol)).toBe(before + 90n);
});

test('1,000 transfers at once keep the sum', async () => {
  const many = Array.from({ length: 10 }, () => Ed25519KeyIdentity.generate());
  const rich = await ledgerOf(sample, dan);
  for (const one of many) await rich.transfer({ to: accountOf(one), amount: 20_000n });
  const supply = await rich.totalTokensSupply({});
  const senders = await Promise.all(many.map((one) => quickTransfers(sample, one)));
  const sent = senders.flatMap((transfer, from) =>
    Array.from({ length: 100 }, (_, index) => {
      const to = accountOf(many[(from + index + 1) % 10] ?? dan);
      // Some ask for more than there is.
      return transfer(to, BigInt(index % 25 === 0 ? 90_000 : index));
    }),
  );
  const done = (await Promise.all(sent)).filter(Boolean).length;
  expect(done).toBe(960);
  const balances = await Promise.all(many.map((one) => balanceOf(one)));
  expect(balances.reduce((sum, each) => sum + each, 0n)).toBe(200_000n - BigInt(done) * FEE);
  expect(await rich.totalTokensSupply({})).toBe(supply - BigInt(done) * FEE);
}, 120_000);

/** All blocks, as fields and with their hashes. */
async function allBlocks(): Promise<ReturnType<typeof readBlock>[]> {
  const ledger = await ledgerOf(sample);
  const blocks: ReturnType<typeof readBlock>[] = [];
  for (let start = 0n; ; start = BigInt(blocks.length)) {
    const answer = await ledger.getBlocks({ args: [{ start, length: 10_000n }], certified: false });
    blocks.push(...answer.blocks.map(({ block }: { block: unknown }) => readBlock(block)));
    if (BigInt(blocks.length) === answer.log_length) return blocks;
  }
}

test('the blocks are a chain whose end is certified, and replaying them gives every balance', async () => {
  const blocks = await allBlocks();
  expect(blocks.length).toBeGreaterThan(960);
  expect(blocks[0]?.fields.phash).toBeUndefined();
  for (const [index, { fields }] of blocks.entries()) {
    const parent = blocks[index - 1];
    if (parent)
      expect(Buffer.from(fields.phash as Uint8Array).equals(parent.hash), `block ${index}`).toBe(true);
  }
  const tip = await certifiedTip(sample);
  expect(tip.index).toBe(BigInt(blocks.length - 1));
  expect(Buffer.from(tip.hash).equals(blocks.at(-1)?.hash ?? new Uint8Array())).toBe(true);

  const balances = new Map<string, bigint>();
  const change = (account: unknown, amount: bigint): void => {
    const key = (account as Uint8Array[]).map((part) => Buffer.from(part).toString('hex')).join('.');
    balances.set(key, (balances.get(key) ?? 0n) + amount);
  };
  for (const { fields } of blocks) {
    const tx = fields.tx as Fields;
    const fee = (fields.fee ?? tx.fee ?? 0n) as bigint;
    const moved = tx.op === 'approve' ? 0n : (tx.amt as bigint);
    if (tx.op !== 'mint') change(tx.from, -moved - fee);
    if (tx.op === 'mint' || tx.op === 'xfer') change(tx.to, moved);
  }
  for (const one of [ada, bob, carol, dan]) {
    expect(balances.get(Buffer.from(one.getPrincipal().toUint8Array()).toString('hex'))).toBe(
      await balanceOf(one),
    );
  }
  const left = [...balances.values()].reduce((sum, each) => sum + each, 0n);
  expect(left).toBe(await (await ledgerOf(sample)).totalTokensSupply({}));
});

test('an upgrade keeps balances, approvals, blocks and what was sent before', async () => {
  const ledger = await ledgerOf(sample, ada);
  const sent = { to: accountOf(bob), amount: 3n, created_at_time: sample.network.now() };
  const block = await ledger.transfer(sent);
  const balance = await balanceOf(ada);
  await sample.upgrade('1.1.0');
  expect(await balanceOf(ada)).toBe(balance);
  expect((await ledger.allowance({ account: accountOf(ada), spender: accountOf(bob) })).allowance).toBe(
    2n ** 200n,
  );
  expect(await refusal(ledger.transfer(sent))).toEqual({ Duplicate: { duplicate_of: block } });
  expect((await certifiedTip(sample)).index).toBe(block);
  const next = await ledger.transfer({ to: accountOf(bob), amount: 3n });
  expect(next).toBe(block + 1n);
  const blocks = await allBlocks();
  expect(Buffer.from((await certifiedTip(sample)).hash).equals(blocks.at(-1)?.hash ?? new Uint8Array())).toBe(
    true,
  );
  const names = (await ledger.icrc10SupportedStandards({})).map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(['ICRC-10', 'ICRC-21']));
});

test('a wallet is told in words what a call does, whatever the argument', async () => {
  const ledger = await ledgerOf(sample, ada);
  const account = IDL.Record({ owner: IDL.Principal });
  const args = IDL.Record({ to: account, amount: IDL.Nat });
  const arg = IDL.encode([args], [{ to: { owner: bob.getPrincipal() }, amount: 123_000_000n }]);
  const userPreferences = { metadata: { language: 'en' } };
  const said = await ledger.consentMessage({ method: 'icrc1_transfer', arg, userPreferences });
  expect(said.consent_message).toEqual({
    GenericDisplayMessage:
      `# Send Test token\n\n**From:** \`${ada.getPrincipal()}\`\n\n**Amount:** \`1.23 TEST\`\n\n` +
      `**To:** \`${bob.getPrincipal()}\`\n\n**Fees:** \`0.0000001 TEST\``,
  });
  const huge = new Uint8Array(1_000_000);
  await expect(
    ledger.consentMessage({ method: 'icrc1_transfer', arg: huge, userPreferences }),
  ).rejects.toThrow();
});

test('a token without a name, or without arguments, is not installed', async () => {
  await expect(sample.install(new Uint8Array(IDL.encode([], [])))).rejects.toThrow('Give the name');
  const twice: Parameters<typeof ledgerArgument>[1] = [
    [accountOf(ada), 2n ** 256n - 1n],
    [accountOf(bob), 1n],
  ];
  await expect(sample.install(ledgerArgument(undefined, twice))).rejects.toThrow('too many tokens');
});
