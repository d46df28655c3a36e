import { type ManagementMethod, decodeCreateReply, encodeArg } from './management-idl.ts';
import { Principal } from '@icp-sdk/core/principal';

export interface EnvironmentVariable {
  readonly name: string;
  readonly value: string;
}

/** Where a cycles ledger wrote a payment down, and the fee (cycles) that it took out of it. */
export interface LedgerNote {
  readonly ledger_block: string;
  readonly ledger_fee: string;
}

/** One paid call, before it is signed. */
export interface PaidCall {
  readonly canisterId: string;
  readonly method: string;
  readonly arg: Uint8Array;
  readonly effectiveCanisterId: string;
  /** The time by which a cycles ledger knows the payment, in nanoseconds; absent where none pays. */
  readonly ledgerTime?: bigint;
}

/** How canisters get their cycles: the one thing that differs between a local network and mainnet. */
export interface Funding {
  create(options: {
    cyclesAmount: bigint;
    environmentVariables: readonly EnvironmentVariable[];
  }): Promise<PaidCall>;
  topUp(canisterId: string, cycles: bigint): Promise<PaidCall>;
  createdCanisterId(reply: Uint8Array): string;
  ledgerNote(kind: 'create' | 'topup', reply: Uint8Array): LedgerNote | undefined;
  /** Cycles vanish with a deleted canister; true where they come from nothing and so can be given back. */
  readonly givesCyclesBack: boolean;
}

export const MANAGEMENT_ID = 'aaaaa-aa';

/** Asks the network how it is laid out: `/_/topology` of local ones. */
type AskTopology = () => Promise<Response>;

/** Cycles from nothing, as every local network gives them (interface specification, "provisional" methods). */
export function provisionalFunding(askTopology: AskTopology): Funding {
  let creationTarget: string | undefined;
  const call = (method: ManagementMethod, value: unknown, effectiveCanisterId: string): PaidCall => ({
    canisterId: MANAGEMENT_ID,
    method,
    arg: encodeArg(method, value),
    effectiveCanisterId,
  });
  return {
    async create({ cyclesAmount, environmentVariables }) {
      creationTarget ??= await defaultEffectiveCanisterId(askTopology);
      const settings =
        environmentVariables.length === 0 ? [] : [{ environment_variables: [environmentVariables] }];
      return call(
        'provisional_create_canister_with_cycles',
        { amount: [cyclesAmount], settings },
        creationTarget,
      );
    },
    topUp: async (canisterId, cycles) =>
      call(
        'provisional_top_up_canister',
        { canister_id: Principal.fromText(canisterId), amount: cycles },
        canisterId,
      ),
    createdCanisterId: decodeCreateReply,
    ledgerNote: () => undefined,
    givesCyclesBack: true,
  };
}

/** Where a network with several subnets wants creations sent; local networks name it at `/_/topology`. */
async function defaultEffectiveCanisterId(askTopology: AskTopology): Promise<string> {
  const response = await askTopology();
  // It is being started again, or a gateway before it has lost it; that says nothing of how it is laid out.
  if (response.status >= 500) throw new Error(`HTTP ${response.status}`);
  if (!response.ok) return MANAGEMENT_ID;
  const topology = (await response.json()) as { default_effective_canister_id?: { canister_id?: string } };
  const id = topology.default_effective_canister_id?.canister_id;
  return id === undefined ? MANAGEMENT_ID : Principal.fromUint8Array(Buffer.from(id, 'base64')).toText();
}
