import type { Principal } from '@icp-sdk/core/principal';
import { replicaErrors } from '@cannery/ic/errors';
import { NETWORK_VERSION } from '@cannery/ic/limits';
import { freshRandomness } from '../../random.ts';
import { sameId } from '../../state/canister-id.ts';
import { type ManagementCall, managementMethod, type ManagementMethod } from '../method/method.ts';

/** This network has no registry that could change. */
const REGISTRY_VERSION = 1n;

/** Throws `ReplicaError` where a call about `asked` would have to go to another subnet: there is none. */
function checkOwnSubnet({ env }: ManagementCall, method: string, asked: Principal): void {
  if (sameId(asked.toUint8Array(), env.subnet.subnetId)) return;
  throw replicaErrors.unroutable(method, `SubnetNotFound(${asked.toText()})`);
}

export const subnetInfo = managementMethod({
  name: 'subnet_info',
  callers: { kind: 'canisters' },
  run(call, { subnet_id }) {
    checkOwnSubnet(call, 'subnet_info', subnet_id);
    return { replica_version: NETWORK_VERSION, registry_version: REGISTRY_VERSION };
  },
});

/** Nobody proposes blocks in this network, so that no day has metrics. */
export const nodeMetricsHistory = managementMethod({
  name: 'node_metrics_history',
  callers: { kind: 'canisters' },
  run(call, { subnet_id }) {
    checkOwnSubnet(call, 'node_metrics_history', subnet_id);
    return [];
  },
});

const RANDOM_BYTES = 32;

export const rawRand = managementMethod({
  name: 'raw_rand',
  callers: { kind: 'canisters' },
  nextRound: true,
  run: ({ env }) => (env.random ?? freshRandomness)(RANDOM_BYTES),
});

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
