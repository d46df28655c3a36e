import { replicaErrors } from '../errors.ts';
import { NETWORK_VERSION } from '../limits.ts';
import { sameId } from '../state/canister-id.ts';
import { type SubnetInfo, SubnetInfoArg, SubnetInfoResult } from './candid-outside.ts';
import { managementMethod } from './method.ts';

/** This network has no registry that could change. */
const REGISTRY_VERSION = 1n;

export const subnetInfo = managementMethod<SubnetInfo>({
  name: 'subnet_info',
  arg: SubnetInfoArg,
  result: SubnetInfoResult,
  callers: { kind: 'canisters' },
  run({ env }, { subnet_id }) {
    if (!sameId(subnet_id.toUint8Array(), env.subnet.subnetId)) {
      throw replicaErrors.unroutable('subnet_info', `SubnetNotFound(${subnet_id.toText()})`);
    }
    return { replica_version: NETWORK_VERSION, registry_version: REGISTRY_VERSION };
  },
});
