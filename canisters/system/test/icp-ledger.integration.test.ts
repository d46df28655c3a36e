import { createHash } from 'node:crypto';
import { AccountIdentifier, IcpLedgerCanister, SubAccount } from '@icp-sdk/canisters/ledger/icp';
import * as icrc from '@icp-sdk/canisters/ledger/icrc';
import { AnonymousIdentity, type Identity } from '@icp-sdk/core/agent';
import { IDL } from '@icp-sdk/core/candid';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { Principal } from '@icp-sdk/core/principal';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { idlFactory } from '../../../node_modules/@icp-sdk/canisters/declarations/ledger-icp/ledger.idl.js';
import type { _SERVICE as IcpLedger } from '../../../node_modules/@icp-sdk/canisters/declarations/ledger-icp/ledger.d.ts';
import { accountIdentifier, icpLedger } from '../index.ts';
import { type BlockSource, checkedBlocks, type Fields, replay } from './blocks.ts';
import { accountOf, refusal, startSystem, type SystemNetwork } from './system-network.ts';

const ICP = 100_000_000n;
const FEE = 10_000n;
const HOUR = 3_600_000_000_000n;
const LEDGER = Principal.fromText(icpLedger.id);

const person = (): Ed25519KeyIdentity => Ed25519KeyIdentity.generate();
const minter = person();
const ada = person();
const bob = person();
const carol = person();

let system: SystemNetwork;
beforeAll(async () => {
  const icp = [ada, bob].map((who) => ({ owner: who.getPrincipal(), amount: 1_000n * ICP }));
  system = await startSystem([icpLedger], { icp, icpMinter: minter.getPrincipal() });
});
afterAll(() => system.close());

async function older(who?: Identity): Promise<IcpLedgerCanister> {
  return IcpLedgerCanister.create({ agent: await system.agent(who) });
}

async function newer(who?: Identity): Promise<icrc.IcrcLedgerCanister> {
  return icrc.IcrcLedgerCanister.create({ agent: await system.agent(who), canisterId: LEDGER });
}

const raw = (who?: Identity): Promise<IcpLedger> => system.actor(LEDGER, idlFactory, who);

/** The types of the package do not show it. */
const { encodeIcrcAccount } = icrc as unknown as {
  encodeIcrcAccount(account: { owner: Principal; subaccount: Uint8Array }): string;
};
const savings = new Uint8Array(32).fill(1, 31);

/** What a call of the public client ends with. */
function thrown(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    (value) => ({ unexpected: value }),
    (error: unknown) => error,
  );
}

const idOf = (who: Identity, subAccount?: SubAccount): AccountIdentifier =>
  AccountIdentifier.fromPrincipal({ principal: who.getPrincipal(), ...(subAccount && { subAccount }) });

async function balanceOf(who: Identity): Promise<bigint> {
  return (await older()).accountBalance({ accountIdentifier: idOf(who), certified: false });
}

test('the ledger tells its name in the older way and in the newer, and that it is for development', async () => {
  const ledger = await raw();
  expect(await ledger.symbol()).toEqual({ symbol: 'ICP' });
  expect(await ledger.name()).toEqual({ name: 'Internet Computer' });
  expect(await ledger.decimals()).toEqual({ decimals: 8 });
  expect(await ledger.archives()).toEqual({ archives: [] });
  expect(await ledger.is_ledger_ready()).toBe(true);
  expect(await (await older()).transactionFee()).toBe(FEE);
  const metadata = Object.fromEntries(await (await newer()).metadata({}));
  expect(metadata).toMatchObject({
    'icrc1:symbol': { Text: 'ICP' },
    'icrc1:decimals': { Nat: 8n },
    'icrc1:fee': { Nat: FEE },
    'cannery:purpose': { Text: expect.stringContaining('for development') },
  });
  const names = (await (await newer()).icrc10SupportedStandards({})).map(
    ({ name }: { name: string }) => name,
  );
  expect(names).toEqual(['ICRC-1', 'ICRC-2', 'ICRC-3', 'ICRC-10', 'ICRC-21']);
  expect(await (await newer()).getMintingAccount({})).toEqual([accountOf(minter)]);
});

test('accounts are known by the identifiers that the public client computes', async () => {
  const ledger = await raw();
  const subaccount = new Uint8Array(32).fill(9);
  const given = SubAccount.fromBytes(subaccount);
  if (given instanceof Error) throw given;
  const found = Buffer.from(await ledger.account_identifier(accountOf(ada, subaccount))).toString('hex');
  expect(found).toBe(idOf(ada, given).toHex());
  expect(found).toBe(accountIdentifier(ada.getPrincipal(), subaccount));
  expect(await ledger.account_balance_dfx({ account: idOf(bob).toHex() })).toEqual({
    e8s: await balanceOf(bob),
  });
  const [digit = '', ...others] = idOf(bob).toHex();
  const other = [digit === 'f' ? '0' : 'f', ...others].join('');
  await expect(ledger.account_balance_dfx({ account: other })).rejects.toThrow('checksum');
  await expect(ledger.account_identifier(accountOf(ada, new Uint8Array(31)))).rejects.toThrow('32 bytes');
});

test('a transfer by identifier moves tokens, once; the errors are those of the older interface', async () => {
  const ledger = await older(ada);
  const before = await balanceOf(ada);
  const to = idOf(carol);
  const createdAt = system.network.now();
  const sent = { to, amount: 5n * ICP, memo: 7n, createdAt };
  const block = await ledger.transfer(sent);
  expect(await balanceOf(carol)).toBe(5n * ICP);
  expect(await balanceOf(ada)).toBe(before - 5n * ICP - FEE);
  expect(await thrown(ledger.transfer(sent))).toMatchObject({ duplicateOf: block });
  const old = { ...sent, createdAt: createdAt - 25n * HOUR };
  expect(await thrown(ledger.transfer(old))).toMatchObject({ allowed_window_secs: 86_400_000_000_000 });
  expect(await thrown(ledger.transfer({ to, amount: 2_000n * ICP }))).toMatchObject({
    balance: before - 5n * ICP - FEE,
  });
  expect(await thrown(ledger.transfer({ to, amount: 1n, fee: 1n }))).toMatchObject({ expectedFee: FEE });
  expect(await balanceOf(ada)).toBe(before - 5n * ICP - FEE);
  const direct = await raw(ada);
  const args = { memo: 0n, amount: { e8s: 1n }, fee: { e8s: FEE }, from_subaccount: [], created_at_time: [] };
  await expect(direct.transfer({ ...args, to: new Uint8Array(32) } as never)).rejects.toThrow('checksum');
  await expect(direct.transfer({ ...args, to: new Uint8Array(28) } as never)).rejects.toThrow('checksum');
  const odd = { ...args, to: to.toUint8Array(), from_subaccount: [new Uint8Array(33)] };
  await expect(direct.transfer(odd as never)).rejects.toThrow('32 bytes');
  const early = {
    ...args,
    to: to.toUint8Array(),
    created_at_time: [{ timestamp_nanos: createdAt + HOUR }],
  };
  expect(await direct.transfer(early as never)).toEqual({ Err: { TxCreatedInFuture: null } });
  const most = { ...args, to: to.toUint8Array(), amount: { e8s: 2n ** 64n - 1n } };
  expect(await direct.transfer(most as never)).toHaveProperty('Err.InsufficientFunds');
  expect(await direct.send_dfx({ ...args, to: to.toHex() } as never)).toBeGreaterThan(block);
  expect(await balanceOf(carol)).toBe(5n * ICP + 1n);
});

test('transfers and approvals by ICRC-1 and ICRC-2, of the same accounts', async () => {
  const ledger = await older(ada);
  const before = await balanceOf(bob);
  await ledger.icrc1Transfer({ to: accountOf(bob), amount: ICP, icrc1Memo: Uint8Array.of(1, 2, 3) });
  expect(await balanceOf(bob)).toBe(before + ICP);
  const dan = person();
  await ledger.icrc2Approve({ spender: accountOf(dan), amount: 3n * ICP });
  const pair = { account: accountOf(ada), spender: accountOf(dan) };
  const spender = await newer(dan);
  await spender.transferFrom({ from: accountOf(ada), to: accountOf(dan), amount: ICP });
  expect((await spender.allowance(pair)).allowance).toBe(2n * ICP - FEE);
  expect(
    await refusal(spender.transferFrom({ from: accountOf(ada), to: accountOf(dan), amount: 2n * ICP })),
  ).toEqual({
    InsufficientAllowance: { allowance: 2n * ICP - FEE },
  });
  const direct = await raw(ada);
  expect(
    await direct.get_allowances({ from_account_id: idOf(ada).toHex(), prev_spender_id: [], take: [] }),
  ).toEqual([
    {
      from_account_id: idOf(ada).toHex(),
      to_spender_id: idOf(dan).toHex(),
      allowance: { e8s: 2n * ICP - FEE },
      expires_at: [],
    },
  ]);
  const removal = { from_subaccount: [], spender: idOf(dan).toUint8Array(), fee: [] };
  expect(await direct.remove_approval(removal as never)).toHaveProperty('Ok');
  expect((await spender.allowance(pair)).allowance).toBe(0n);
  // More than all tokens there are means all.
  await ledger.icrc2Approve({ spender: accountOf(dan), amount: 2n ** 300n });
  expect((await spender.allowance(pair)).allowance).toBe(2n ** 64n - 1n);
  expect(await refusal((await newer(ada)).approve({ spender: accountOf(ada), amount: 1n }))).toHaveProperty(
    'GenericError',
  );
  const expected = { spender: accountOf(dan), amount: 1n, expected_allowance: 2n ** 100_000n };
  expect(await refusal((await newer(ada)).approve(expected))).toHaveProperty('AllowanceChanged');
});

test('the minting account makes tokens and takes them back, and never more than fit', async () => {
  const mint = await older(minter);
  const supply = async (): Promise<bigint> => (await newer()).totalTokensSupply({});
  const before = await supply();
  await mint.transfer({ to: idOf(carol), amount: 10n * ICP, fee: 0n });
  expect(await supply()).toBe(before + 10n * ICP);
  await (await older(carol)).transfer({ to: idOf(minter), amount: 4n * ICP, fee: 0n });
  expect(await supply()).toBe(before + 6n * ICP);
  await expect((await older(carol)).transfer({ to: idOf(minter), amount: 1n, fee: 0n })).rejects.toThrow(
    'can be burnt',
  );
  expect(
    await refusal((await newer(minter)).transfer({ to: accountOf(carol), amount: 2n ** 64n - 1n })),
  ).toHaveProperty('GenericError');
  expect(
    await refusal((await newer(minter)).approve({ spender: accountOf(carol), amount: 1n })),
  ).toHaveProperty('GenericError');
  const forged = { from: accountOf(minter), to: accountOf(carol), amount: ICP };
  expect(await refusal((await newer(carol)).transferFrom(forged))).toEqual({
    InsufficientAllowance: { allowance: 0n },
  });
  // Nothing costs no fee, and would fill the log.
  const nothing = { ...forged, amount: 0n };
  expect(await refusal((await newer(person())).transferFrom(nothing))).toEqual({
    InsufficientAllowance: { allowance: 0n },
  });
  expect(await refusal((await newer(person())).transfer({ to: accountOf(minter), amount: 0n }))).toEqual({
    BadBurn: { min_burn_amount: FEE },
  });
  // What the anonymous principal has, everybody can spend.
  await mint.transfer({ to: idOf(new AnonymousIdentity()), amount: ICP, fee: 0n });
  await (await older()).transfer({ to: idOf(bob), amount: ICP - FEE });
});

test('blocks by number, and in the bytes of which each hash is', async () => {
  const ledger = await raw();
  const shown = await ledger.query_blocks({ start: 0n, length: 5_000n });
  const encoded = await ledger.query_encoded_blocks({ start: 0n, length: 5_000n });
  expect(shown.chain_length).toBe(BigInt(shown.blocks.length));
  expect(encoded.blocks).toHaveLength(shown.blocks.length);
  expect(shown.certificate[0]?.length).toBeGreaterThan(100);
  for (const [at, { parent_hash }] of shown.blocks.entries()) {
    const [parent] = parent_hash;
    const before = encoded.blocks[at - 1];
    const hash = before && createHash('sha256').update(Uint8Array.from(before)).digest('hex');
    expect(parent && Buffer.from(parent).toString('hex'), `block ${at}`).toBe(hash);
  }
  expect(shown.blocks.slice(0, 2).map(({ transaction }) => transaction.operation[0])).toEqual([
    { Mint: { to: idOf(ada).toUint8Array(), amount: { e8s: 1_000n * ICP } } },
    { Mint: { to: idOf(bob).toUint8Array(), amount: { e8s: 1_000n * ICP } } },
  ]);
  const kinds = new Set(
    shown.blocks.flatMap(({ transaction }) => Object.keys(transaction.operation[0] ?? {})),
  );
  expect(kinds).toEqual(new Set(['Mint', 'Transfer', 'Approve', 'Burn']));
  const sent = shown.blocks.find(({ transaction }) => transaction.memo === 7n);
  expect(sent?.transaction.operation[0]).toEqual({
    Transfer: {
      from: idOf(ada).toUint8Array(),
      to: idOf(carol).toUint8Array(),
      amount: { e8s: 5n * ICP },
      fee: { e8s: FEE },
      spender: [],
    },
  });
  // One block by hand, of the fields that types.proto of the real ledger numbers.
  const at = shown.blocks.findIndex(({ transaction }) => transaction.memo === 7n);
  const message = (field: number, ...parts: Uint8Array[]): Uint8Array => {
    const body = Buffer.concat(parts);
    return Buffer.concat([Uint8Array.of(field * 8 + 2), varint(BigInt(body.length)), body]);
  };
  const number = (field: number, value: bigint): Uint8Array =>
    Buffer.concat([Uint8Array.of(field * 8), varint(value)]);
  const block = shown.blocks[at];
  const bytes = Buffer.concat([
    message(1, message(1, Uint8Array.from(block?.parent_hash[0] ?? []))),
    message(2, number(1, block?.timestamp.timestamp_nanos ?? 0n)),
    message(
      3,
      message(
        3,
        message(1, message(1, idOf(ada).toUint8Array())),
        message(2, message(1, idOf(carol).toUint8Array())),
        message(3, number(1, 5n * ICP)),
        message(4, number(1, FEE)),
      ),
      message(4, number(1, 7n)),
      message(6, number(1, block?.transaction.created_at_time.timestamp_nanos ?? 0n)),
    ),
  ]);
  expect(Buffer.from(encoded.blocks[at] ?? []).toString('hex')).toBe(bytes.toString('hex'));
  expect((await ledger.query_blocks({ start: 2n ** 64n - 1n, length: 2n ** 64n - 1n })).blocks).toEqual([]);
  expect((await ledger.tip_of_chain()).tip_index).toBe(shown.chain_length - 1n);
});

function varint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128n; rest /= 128n) bytes.push(Number(rest % 128n) + 128);
  return Uint8Array.from([...bytes, Number(rest)]);
}

const blob = IDL.Opt(IDL.Vec(IDL.Nat8));
const account = IDL.Record({ owner: IDL.Principal, subaccount: blob });
const transferArgs = IDL.Record({
  to: account,
  amount: IDL.Nat,
  memo: blob,
  fee: IDL.Opt(IDL.Nat),
  from_subaccount: blob,
});
const approveArgs = IDL.Record({ spender: account, amount: IDL.Nat, expires_at: IDL.Opt(IDL.Nat64) });

test('a wallet is told in words what a call does', async () => {
  const ledger = await older(ada);
  const transfer = IDL.encode(
    [transferArgs],
    [
      {
        to: accountOf(bob, savings),
        amount: 150_000_000n,
        memo: [Uint8Array.of(255, 0)],
        fee: [],
        from_subaccount: [],
      },
    ],
  );
  const userPreferences = { metadata: { language: 'de', utcOffsetMinutes: 60 } };
  const words = await ledger.icrc21ConsentMessage({
    method: 'icrc1_transfer',
    arg: transfer,
    userPreferences,
  });
  expect(words.metadata).toEqual({ language: 'en', utc_offset_minutes: [60] });
  const encoded = encodeIcrcAccount({ owner: bob.getPrincipal(), subaccount: savings });
  expect(words.consent_message).toEqual({
    GenericDisplayMessage:
      `# Send Internet Computer\n\n**From:** \`${ada.getPrincipal()}\`\n\n**Amount:** \`1.5 ICP\`\n\n**To:** \`${encoded}\`` +
      '\n\n**Fees:** `0.0001 ICP`\n\n**Memo:** `0xff00`',
  });
  const approval = IDL.encode(
    [approveArgs],
    [{ spender: accountOf(bob), amount: 2n ** 70n, expires_at: [1_800_000_000_000_000_000n] }],
  );
  const deriveSpec = { FieldsDisplay: null };
  const fields = await ledger.icrc21ConsentMessage({
    method: 'icrc2_approve',
    arg: approval,
    userPreferences: { ...userPreferences, deriveSpec },
  });
  expect(fields.consent_message).toMatchObject({
    FieldsDisplayMessage: {
      intent: 'Approve spending',
      fields: expect.arrayContaining([
        ['Approve to spender', { Text: { content: bob.getPrincipal().toText() } }],
        ['Requested allowance', { Text: { content: '11805916207174.11303424 ICP' } }],
        ['Approval expiration', { TimestampSeconds: { amount: 1_800_000_000n } }],
        ['Fees', { TokenAmount: { decimals: 8, amount: FEE, symbol: 'ICP' } }],
      ]),
    },
  });
  const unknown = { method: 'icrc1_transfer', arg: approval, userPreferences };
  await expect(ledger.icrc21ConsentMessage(unknown)).rejects.toThrow();
  await expect(ledger.icrc21ConsentMessage({ ...unknown, method: 'mint' })).rejects.toThrow();
  await expect(ledger.icrc21ConsentMessage({ ...unknown, arg: new Uint8Array(1_500_000) })).rejects.toThrow();
});

test('odd memos, subaccounts and numbers change nothing', async () => {
  const ledger = await newer(bob);
  const before = await balanceOf(bob);
  const to = accountOf(ada);
  expect(await refusal(ledger.transfer({ to, amount: 1n, memo: new Uint8Array(1_000_000) }))).toHaveProperty(
    'GenericError',
  );
  expect(
    await refusal(ledger.transfer({ to, amount: 1n, from_subaccount: new Uint8Array(31) })),
  ).toHaveProperty('GenericError');
  expect(
    await refusal(ledger.transfer({ to: accountOf(ada, new Uint8Array(0)), amount: 1n })),
  ).toHaveProperty('GenericError');
  expect(await refusal(ledger.transfer({ to, amount: 2n ** 100_000n }))).toEqual({
    InsufficientFunds: { balance: before },
  });
  expect(await refusal(ledger.transfer({ to, amount: 2n ** 64n - 1n }))).toEqual({
    InsufficientFunds: { balance: before },
  });
  expect(await balanceOf(bob)).toBe(before);
});

test('an upgrade keeps everything; the blocks of ICRC-3 are a certified chain, and give every balance', async () => {
  const balance = await balanceOf(ada);
  await system.upgrade(icpLedger);
  expect(await balanceOf(ada)).toBe(balance);
  const { idlFactory: newerFactory } = await import(
    '../../../node_modules/@icp-sdk/canisters/declarations/ledger-icrc/icrc_ledger.idl.js'
  );
  const source = await system.actor<BlockSource>(LEDGER, newerFactory);
  const blocks = await checkedBlocks(source, LEDGER, system.network.rootKey);
  const kinds = new Set(blocks.map(({ btype }) => btype));
  const ofStandard = ['1burn', '1xfer', '2approve', '2xfer'];
  const ofIdentifiers = ['icp:1mint', 'icp:1xfer', 'icp:2approve'];
  expect([...kinds]).toEqual(expect.arrayContaining([...ofStandard, ...ofIdentifiers]));
  // An account may be named by its owner in one block and by its identifier in another.
  const byId = new Map<string, bigint>();
  for (const [key, amount] of replay(blocks.map(named))) byId.set(key, (byId.get(key) ?? 0n) + amount);
  for (const who of [ada, bob, carol]) expect(byId.get(idOf(who).toHex())).toBe(await balanceOf(who));
  const sum = [...byId.values()].reduce((total, each) => total + each, 0n);
  expect(sum).toBe(await (await newer()).totalTokensSupply({}));
});

/** The block with every account by its identifier. */
function named({ tx, ...rest }: Fields): Fields {
  const parts = Object.entries(tx as Fields).map(([name, value]) => {
    if (!['from', 'to', 'spender'].includes(name) || !Array.isArray(value)) return [name, value];
    const [owner, subaccount] = value as [Uint8Array, Uint8Array | undefined];
    return [name, Buffer.from(accountIdentifier(Principal.fromUint8Array(owner), subaccount), 'hex')];
  });
  return { ...rest, tx: Object.fromEntries(parts) };
}
