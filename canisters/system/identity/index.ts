import { IDL } from '@icp-sdk/core/candid';

/** What a network is, as far as the sign-in depends on it. */
export interface IdentityOptions {
  /** Whether only this computer can reach the network: accounts by name have no secret and exist nowhere else. */
  readonly loopback: boolean;
}

/**
 * The sign-in as a canister of the system. Its argument follows where the network listens: where it differs from that of the last
 * start, the canister is upgraded with it, which keeps its accounts.
 */
export const identityCanister = {
  /** The id of Internet Identity. */
  id: 'rdmx6-jaaaa-aaaaa-aaadq-cai',
  name: 'identity',
  module: new URL('./identity.wasm', import.meta.url),
  arg: ({ loopback }: IdentityOptions): Uint8Array<ArrayBuffer> =>
    new Uint8Array(IDL.encode([IDL.Record({ names: IDL.Bool })], [{ names: loopback }])),
} as const;
