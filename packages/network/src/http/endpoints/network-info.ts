import { encodeCbor } from '../../certification/tree/cbor.ts';
import { FIRST_CANISTER_ID, LAST_CANISTER_ID } from '../../certification/tree/subnet-leaves.ts';
import { NETWORK_VERSION } from '../../limits.ts';
import { principalText } from '../identity/authentication.ts';
import { cborReply, type HttpReply, jsonReply, type NetworkService } from './service.ts';

const NANOS_PER_SECOND = 1_000_000_000n;

/** `/api/v2/status`: agents of local networks read the root key here. */
export function handleStatus({ keys, now, machineNow }: NetworkService): HttpReply {
  const aheadNanos = machineNow ? now() - machineNow() : 0n;
  return cborReply(
    encodeCbor({
      impl_version: NETWORK_VERSION,
      replica_health_status: 'healthy',
      root_key: keys.rootKey,
      // Only said when there is something to say.
      ...(aheadNanos > NANOS_PER_SECOND && { clock_ahead_seconds: aheadNanos / NANOS_PER_SECOND }),
    }),
  );
}

/** `/_/topology`: development tools read here where they may create canisters. */
export function handleTopology({ keys }: NetworkService): HttpReply {
  const id = (bytes: Uint8Array): Record<string, string> => ({
    canister_id: Buffer.from(bytes).toString('base64'),
  });
  return jsonReply({
    subnet_configs: {
      [principalText(keys.subnetId)]: {
        subnet_kind: 'Application',
        canister_ranges: [{ start: id(FIRST_CANISTER_ID), end: id(LAST_CANISTER_ID) }],
      },
    },
    default_effective_canister_id: id(FIRST_CANISTER_ID),
  });
}
