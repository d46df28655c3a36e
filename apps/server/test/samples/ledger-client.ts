import { IcrcLedgerCanister } from '@icp-sdk/canisters/ledger/icrc';
import {
  Actor,
  Certificate,
  Cbor,
  type HashTree,
  type Identity,
  hashOfMap,
  lookup_path,
  LookupPathStatus,
  reconstruct,
} from '@icp-sdk/core/agent';
import { IDL, lebDecode, PipeArrayBuffer } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';
import { verifyCertificate } from '../../src/ic/agent/signature-thread.ts';
import type { SampleCanister } from './sample-canister.ts';

const account = IDL.Record({ owner: IDL.Principal, subaccount: IDL.Opt(IDL.Vec(IDL.Nat8)) });
const init = IDL.Record({
  name: IDL.Text,
  symbol: IDL.Text,
  decimals: IDL.Nat8,
  fee: IDL.Nat,
  minting_account: IDL.Opt(account),
  initial_balances: IDL.Vec(IDL.Tuple(account, IDL.Nat)),
});

export interface Account {
  owner: Principal;
  subaccount: [] | [Uint8Array];
}

export const accountOf = (who: Identity | Principal, subaccount?: Uint8Array): Account => ({
  owner: who instanceof Principal ? who : who.getPrincipal(),
  subaccount: subaccount === undefined ? [] : [subaccount],
});

/** The arguments of an installation: a token with a fee of 10. */
export function ledgerArgument(minting: Account | undefined, balances: [Account, bigint][]): Uint8Array {
  const token = { name: 'Test token', symbol: 'TEST', decimals: 8, fee: 10n };
  const minting_account = minting === undefined ? [] : [minting];
  return new Uint8Array(
    IDL.encode([IDL.Opt(init)], [[{ ...token, minting_account, initial_balances: balances }]]),
  );
}

/** The ledger through the public client. */
export async function ledgerOf(sample: SampleCanister, identity?: Identity): Promise<IcrcLedgerCanister> {
  return IcrcLedgerCanister.create({ agent: await sample.agent(identity), canisterId: sample.id });
}

const transferArgs = IDL.Record({
  from_subaccount: IDL.Opt(IDL.Vec(IDL.Nat8)),
  to: account,
  amount: IDL.Nat,
  fee: IDL.Opt(IDL.Nat),
  memo: IDL.Opt(IDL.Vec(IDL.Nat8)),
  created_at_time: IDL.Opt(IDL.Nat64),
});
const poor = IDL.Variant({ InsufficientFunds: IDL.Record({ balance: IDL.Nat }) });
const transferInterface: IDL.InterfaceFactory = () =>
  IDL.Service({ icrc1_transfer: IDL.Func([transferArgs], [IDL.Variant({ Ok: IDL.Nat, Err: poor })], []) });

/**
 * Transfers of one account for many calls at a time: true when it was done, false when the funds did not suffice. Each
 * signature of the network is checked once: the public client checks it for every call, 20 ms of processor time each.
 */
export async function quickTransfers(
  sample: SampleCanister,
  identity: Identity,
): Promise<(to: Account, amount: bigint) => Promise<boolean>> {
  const actor = Actor.createActor<{
    icrc1_transfer(args: object): Promise<{ Ok: bigint } | { Err: object }>;
  }>(transferInterface, {
    agent: await sample.agent(identity),
    canisterId: sample.id,
    blsVerify: verifyCertificate,
  });
  const rest = { from_subaccount: [], fee: [], memo: [], created_at_time: [] };
  return async (to, amount) => 'Ok' in (await actor.icrc1_transfer({ ...rest, to, amount }));
}

/** A value of ICRC-3 as Candid gives it. */
type Value = { [kind: string]: unknown };

/** The value as the agent's own hash function takes it. */
function plain(value: Value): unknown {
  if ('Map' in value) {
    return Object.fromEntries((value.Map as [string, Value][]).map(([name, field]) => [name, plain(field)]));
  }
  if ('Array' in value) return (value.Array as Value[]).map(plain);
  return Object.values(value)[0];
}

export type Fields = Record<string, unknown>;

/** A block as plain fields, and its hash by the agent's own hash function. */
export function readBlock(block: unknown): { fields: Fields; hash: Uint8Array } {
  const fields = plain(block as Value) as Fields;
  return { fields, hash: hashOfMap(fields) };
}

/** The certified number and hash of the last block, once the agent has checked the certificate. */
export async function certifiedTip(sample: SampleCanister): Promise<{ index: bigint; hash: Uint8Array }> {
  const agent = await sample.agent();
  const tip = IDL.Record({ certificate: IDL.Vec(IDL.Nat8), hash_tree: IDL.Vec(IDL.Nat8) });
  const service: IDL.InterfaceFactory = () =>
    IDL.Service({ icrc3_get_tip_certificate: IDL.Func([], [IDL.Opt(tip)], ['query']) });
  const actor = Actor.createActor<{
    icrc3_get_tip_certificate(): Promise<[] | [{ certificate: Uint8Array; hash_tree: Uint8Array }]>;
  }>(service, { agent, canisterId: sample.id });
  const [found] = await actor.icrc3_get_tip_certificate();
  if (found === undefined) throw new Error('The ledger has no certificate.');
  const certificate = await Certificate.create({
    certificate: found.certificate,
    rootKey: sample.network.rootKey,
    principal: { canisterId: sample.id },
  });
  const certified = certificate.lookup_path(['canister', sample.id.toUint8Array(), 'certified_data']);
  const tree = Cbor.decode<HashTree>(found.hash_tree);
  const root = await reconstruct(tree);
  if (certified.status !== LookupPathStatus.Found || Buffer.compare(certified.value, root) !== 0) {
    throw new Error('The tree of the ledger is not the certified one.');
  }
  const leaf = (label: string): Uint8Array => {
    const result = lookup_path([new TextEncoder().encode(label)], tree);
    if (result.status !== LookupPathStatus.Found) throw new Error(`The tree has no ${label}.`);
    return result.value;
  };
  return { index: lebDecode(new PipeArrayBuffer(leaf('last_block_index'))), hash: leaf('last_block_hash') };
}
