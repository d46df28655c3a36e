import { IDL } from '@icp-sdk/core/candid';
import versions from '../versions.json' with { type: 'json' };

const nothing = IDL.encode([], []);

/** The sign-in as a canister of the system. An upgrade keeps its accounts. */
export const identityCanister = {
  /** The id of Internet Identity. */
  id: 'rdmx6-jaaaa-aaaaa-aaadq-cai',
  name: 'Sign-in',
  module: new URL('./identity.wasm', import.meta.url),
  versions: versions.identity,
  arg: (): Uint8Array => nothing,
  upgradeArg: (): Uint8Array => nothing,
} as const;
