import type { Api } from '@cannery/dev-env';
import { createCanister } from './canisters-of.ts';

/** A page, and what may come at most until it stands in a browser that was never there. */
interface FirstLoad {
  readonly name: string;
  /** Transferred bytes, heads of answers included. */
  readonly mostBytes: number;
  readonly addressOf: (world: { readonly canister: string }) => string;
  /** A text that is there at the end. */
  readonly shown: string;
}

/** The goals of issue 31. */
export const firstLoads: readonly FirstLoad[] = [
  { name: '/login', mostBytes: 130_000, addressOf: () => '/login', shown: 'Sign in with Google' },
  {
    name: 'the dashboard',
    mostBytes: 300_000,
    addressOf: () => '/ics/dashboard',
    shown: 'CANISTER CREATE',
  },
  {
    name: 'the page of a canister',
    mostBytes: 320_000,
    addressOf: ({ canister }) => `/ics/canister/${canister}`,
    shown: 'Delete this canister',
  },
];

/** Gives a user a canister with code, so that the pages have something of each kind to show. */
export async function worldOfFirstLoads(api: Api): Promise<{ readonly canister: string }> {
  const canister = await createCanister(api, 'Bakery');
  const { identifier } = await api.call<{ identifier: string }>('POST', '/document/sample');
  await api.call('POST', '/canister/install', { canister_id: canister, identifier, mode: 'install' });
  return { canister };
}
