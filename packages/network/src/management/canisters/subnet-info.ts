import type { Principal } from '@icp-sdk/core/principal';
import { replicaErrors } from '../../errors.ts';
import { NETWORK_VERSION } from '../../limits.ts';
import { freshRandomness } from '../../random.ts';
import { sameId } from '../../state/canister-id.ts';
import { type ManagementCall, managementMethod } from '../method/method.ts';

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
  run: () => freshRandomness(RANDOM_BYTES),
});
