import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';
import { moduleUrl } from './sources.ts';
import versions from './versions.json' with { type: 'json' };

/** What an account of a ledger has at first. */
export interface OpeningBalance {
  readonly owner: Principal;
  /** 32 bytes; the account of the owner that has no subaccount, where none is given. */
  readonly subaccount?: Uint8Array;
  /** In cycles, or in e8s: 10^-8 ICP. */
  readonly amount: bigint;
}

export interface SystemCanisterOptions {
  /** Who has ICP at first. */
  readonly icp?: readonly OpeningBalance[];
  /** Who has cycles at first. The canister of the cycles ledger must hold as many, and what it pays for its memory. */
  readonly cycles?: readonly OpeningBalance[];
  /** Whose transfers make ICP, and to whom one transfers what is to be burnt; the id of the NNS governance where not given. */
  readonly icpMinter?: Principal;
  /**
   * Where the cycles ledger and the cycles minting canister create canisters; whoever asks for another subnet is refused. The cycles
   * ledger creates them on any, and the other one knows of none, where it is not given.
   */
  readonly subnetId?: Principal;
}

/** A canister that the Internet Computer has at a known id, as written here for development. */
export interface SystemCanister {
  /** Where tools look for it. */
  readonly id: string;
  readonly name: string;
  /** A file with the module, compressed with gzip, as an installation takes it. */
  readonly module: URL;
  /** The SHA-256, in hexadecimal, of each module that it has had, oldest first; the last one is that of `module`. */
  readonly versions: readonly string[];
  /** The argument of its installation. */
  arg(options: SystemCanisterOptions): Uint8Array;
  /** The argument of an upgrade, which keeps all that it has. */
  upgradeArg(): Uint8Array;
}

/** The governance canister of the NNS mints ICP on the Internet Computer. */
const GOVERNANCE = Principal.fromText('rrkah-fqaaa-aaaaa-aaaaq-cai');
/** Of one answer of the real cycles ledger (dfinity/cycles-ledger, config.rs). */
const BLOCKS_IN_ANSWER = 100n;
const SUBACCOUNT_BYTES = 32;

const account = IDL.Record({ owner: IDL.Principal, subaccount: IDL.Opt(IDL.Vec(IDL.Nat8)) });
const tokens = IDL.Record({ e8s: IDL.Nat64 });

const cyclesArgs = IDL.Variant({
  Init: IDL.Record({
    max_blocks_per_request: IDL.Nat64,
    index_id: IDL.Opt(IDL.Principal),
    initial_balances: IDL.Opt(IDL.Vec(IDL.Tuple(account, IDL.Nat))),
    subnet_id: IDL.Opt(IDL.Principal),
  }),
});
const icpArgs = IDL.Variant({
  Init: IDL.Record({
    minting_account: IDL.Text,
    icrc1_minting_account: IDL.Opt(account),
    initial_values: IDL.Vec(IDL.Tuple(IDL.Text, tokens)),
    send_whitelist: IDL.Vec(IDL.Principal),
  }),
});
const upgrade = IDL.encode([IDL.Variant({ Upgrade: IDL.Opt(IDL.Record({})) })], [{ Upgrade: [] }]);

export const icpLedger: SystemCanister = {
  id: 'ryjl3-tyaaa-aaaaa-aaaba-cai',
  name: 'ICP ledger',
  module: moduleUrl('icp-ledger'),
  versions: versions['icp-ledger'],
  arg({ icp = [], icpMinter = GOVERNANCE }) {
    const init = {
      minting_account: accountIdentifier(icpMinter),
      icrc1_minting_account: [{ owner: icpMinter, subaccount: [] }],
      initial_values: icp.map(({ owner, subaccount, amount }) => [
        accountIdentifier(owner, subaccount),
        { e8s: amount },
      ]),
      send_whitelist: [],
    };
    return IDL.encode([icpArgs], [{ Init: init }]);
  },
  upgradeArg: () => upgrade,
};

export const cyclesLedger: SystemCanister = {
  id: 'um5iw-rqaaa-aaaaq-qaaba-cai',
  name: 'Cycles ledger',
  module: moduleUrl('cycles-ledger'),
  versions: versions['cycles-ledger'],
  arg({ cycles = [], subnetId }) {
    const init = {
      max_blocks_per_request: BLOCKS_IN_ANSWER,
      index_id: [],
      initial_balances: [
        cycles.map(({ owner, subaccount, amount }) => [
          { owner, subaccount: subaccount === undefined ? [] : [subaccount] },
          amount,
        ]),
      ],
      subnet_id: subnetId === undefined ? [] : [subnetId],
    };
    return IDL.encode([cyclesArgs], [{ Init: init }]);
  },
  upgradeArg: () => upgrade,
};

/** The ledgers in the order in which they can be installed. */
export const ledgers: readonly SystemCanister[] = [icpLedger, cyclesLedger];

/** The module of a system canister, as an installation takes it. */
export async function readModule({ module }: SystemCanister): Promise<Uint8Array> {
  return new Uint8Array(await readFile(module));
}

/**
 * The account identifier of an owner's account, in hexadecimal: SHA-224 over a tag, the principal and the subaccount, after
 * the CRC-32 of that.
 */
export function accountIdentifier(
  owner: Principal,
  subaccount: Uint8Array = new Uint8Array(SUBACCOUNT_BYTES),
): string {
  const hash = createHash('sha224')
    .update('\x0Aaccount-id')
    .update(owner.toUint8Array())
    .update(subaccount)
    .digest();
  return crc32(hash).toString(16).padStart(8, '0') + hash.toString('hex');
}
