import { Actor, type HttpAgent, type Identity } from '@icp-sdk/core/agent';
import { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';
import { connect } from '../agent.ts';
import { managementActor, type Management } from '../management-actor.ts';

export const ICP_LEDGER = Principal.fromText('ryjl3-tyaaa-aaaaa-aaaba-cai');
export const CYCLES_LEDGER = Principal.fromText('um5iw-rqaaa-aaaaq-qaaba-cai');
export const CMC = Principal.fromText('rkp4c-7iaaa-aaaaa-aaaca-cai');

const account = IDL.Record({ owner: IDL.Principal, subaccount: IDL.Opt(IDL.Vec(IDL.Nat8)) });
const tokenInterface: IDL.InterfaceFactory = () =>
  IDL.Service({
    icrc1_balance_of: IDL.Func([account], [IDL.Nat], ['query']),
    icrc1_total_supply: IDL.Func([], [IDL.Nat], ['query']),
    icrc2_allowance: IDL.Func(
      [IDL.Record({ account, spender: account })],
      [IDL.Record({ allowance: IDL.Nat, expires_at: IDL.Opt(IDL.Nat64) })],
      ['query'],
    ),
  });
const counterInterface: IDL.InterfaceFactory = () => IDL.Service({ get: IDL.Func([], [IDL.Nat], ['query']) });

interface Account {
  owner: Principal;
  subaccount: [];
}

interface Token {
  icrc1_balance_of(account: Account): Promise<bigint>;
  icrc1_total_supply(): Promise<bigint>;
  icrc2_allowance(pair: { account: Account; spender: Account }): Promise<{ allowance: bigint }>;
}

/** What the management canister says of a canister, as far as the tests look at it. */
interface Status {
  readonly status: Readonly<Record<string, null>>;
  readonly cycles: bigint;
  readonly module_hash: [] | [Uint8Array];
  readonly settings: {
    readonly controllers: readonly Principal[];
    readonly freezing_threshold: bigint;
  };
}

const accountOf = (owner: Principal): Account => ({ owner, subaccount: [] });

/** A client that is not icp, with the public agent. */
export class OtherClient {
  readonly #agent: HttpAgent;
  readonly #management: Management;

  private constructor(agent: HttpAgent) {
    this.#agent = agent;
    this.#management = managementActor(agent);
  }

  static async connect(url: string, identity?: Identity): Promise<OtherClient> {
    return new OtherClient(await connect(url, identity));
  }

  balance(ledger: Principal, owner: Principal): Promise<bigint> {
    return this.#token(ledger).icrc1_balance_of(accountOf(owner));
  }

  supply(ledger: Principal): Promise<bigint> {
    return this.#token(ledger).icrc1_total_supply();
  }

  async allowance(ledger: Principal, owner: Principal, spender: Principal): Promise<bigint> {
    const pair = { account: accountOf(owner), spender: accountOf(spender) };
    return (await this.#token(ledger).icrc2_allowance(pair)).allowance;
  }

  async status(canister_id: Principal): Promise<Status> {
    return (await this.#management('canister_status', { canister_id })) as Status;
  }

  /** The IDs of a canister's snapshots, in hexadecimal. */
  async snapshots(canister_id: Principal): Promise<string[]> {
    const list = await this.#management('list_canister_snapshots', { canister_id });
    return (list as { id: Uint8Array }[]).map(({ id }) => Buffer.from(id).toString('hex'));
  }

  count(canister: Principal): Promise<bigint> {
    const options = { agent: this.#agent, canisterId: canister };
    return Actor.createActor<{ get(): Promise<bigint> }>(counterInterface, options).get();
  }

  #token(ledger: Principal): Token {
    return Actor.createActor<Token>(tokenInterface, { agent: this.#agent, canisterId: ledger });
  }
}
