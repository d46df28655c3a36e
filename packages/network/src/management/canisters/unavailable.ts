import { replicaErrors } from '../../errors.ts';
import { type ManagementMethod, managementMethod } from '../method/method.ts';

/** Methods of the interface that have nothing to act on here; each says so as a subnet without it does. */

/** The Bitcoin methods forward to the Bitcoin canisters, and this network has none. */
export const BITCOIN_METHODS: readonly ManagementMethod[] = (
  [
    'bitcoin_get_balance',
    'bitcoin_get_block_headers',
    'bitcoin_get_current_fee_percentiles',
    'bitcoin_get_utxos',
    'bitcoin_send_transaction',
  ] as const
).map((name) =>
  managementMethod({
    name,
    callers: { kind: 'canisters' },
    run() {
      throw replicaErrors.refused('No bitcoin canisters available.');
    },
  }),
);

/** This network has no subnet admins. */
export const listCanisters = managementMethod({
  name: 'list_canisters',
  callers: { kind: 'anyone' },
  query: 'only',
  read() {
    throw replicaErrors.notSubnetAdmin('list_canisters');
  },
});
