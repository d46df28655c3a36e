import { replicaErrors } from '../../errors.ts';
import { BITCOIN_TYPES, ListCanistersResult } from '../candid/candid-outside.ts';
import { type ManagementMethod, managementMethod } from '../method/method.ts';

/** Methods of the interface that have nothing to act on here; each says so as a subnet without it does. */

/** The Bitcoin methods forward to the Bitcoin canisters, and this network has none. */
export const BITCOIN_METHODS: readonly ManagementMethod[] = Object.entries(BITCOIN_TYPES).map(
  ([name, { arg, result }]) =>
    managementMethod<unknown>({
      name,
      arg,
      ...(result && { result }),
      callers: { kind: 'canisters' },
      run() {
        throw replicaErrors.refused('No bitcoin canisters available.');
      },
    }),
);

/** This network has no subnet admins. */
export const listCanisters = managementMethod<unknown>({
  name: 'list_canisters',
  result: ListCanistersResult,
  callers: { kind: 'anyone' },
  query: 'only',
  read() {
    throw replicaErrors.notSubnetAdmin('list_canisters');
  },
});
