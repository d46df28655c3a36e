import { replicaErrors } from '@cannery/ic/errors';
import { includesId } from '../../state/canister-id.ts';
import type { Change } from '../../state/history.ts';
import { canisterOf, managementMethod, principal } from '../method/method.ts';

function candidChange({ timestampNanos, canisterVersion, origin, details }: Change): object {
  return {
    timestamp_nanos: timestampNanos,
    canister_version: canisterVersion,
    origin:
      origin.kind === 'user'
        ? { from_user: { user_id: principal(origin.id) } }
        : {
            from_canister: {
              canister_id: principal(origin.id),
              canister_version: origin.version === undefined ? [] : [origin.version],
            },
          },
    details: candidDetails(details),
  };
}

function candidDetails(details: Change['details']): object {
  switch (details.kind) {
    case 'uninstall':
      return { code_uninstall: null };
    case 'deployment':
      return { code_deployment: { mode: { [details.mode]: null }, module_hash: details.moduleHash } };
    case 'controllers':
      return { controllers_change: { controllers: details.controllers.map(principal) } };
    case 'creation': {
      const { controllers, environmentVariablesHash: hash } = details;
      return {
        creation: {
          controllers: controllers.map(principal),
          environment_variables_hash: hash ? [hash] : [],
        },
      };
    }
    case 'snapshot':
      return {
        load_snapshot: {
          from_canister_id: details.from ? [principal(details.from)] : [],
          snapshot_id: details.snapshotId,
          canister_version: details.canisterVersion,
          taken_at_timestamp: details.takenAtNanos,
          source: details.source === 'taken' ? { taken_from_canister: null } : { metadata_upload: null },
        },
      };
  }
}

export const canisterInfo = managementMethod({
  name: 'canister_info',
  callers: { kind: 'canisters' },
  target: (arg) => arg.canister_id,
  run({ env }, arg) {
    const { record, history } = canisterOf(env, arg.canister_id);
    const [wanted = 0n] = arg.num_requested_changes;
    const skipped = Math.max(0, history.recent.length - Number(wanted));
    return {
      total_num_changes: history.total,
      recent_changes: history.recent.slice(skipped).map(candidChange),
      module_hash: record.code ? [record.code.moduleHash] : [],
      controllers: record.controllers.map(principal),
    };
  },
});

export const canisterMetadata = managementMethod({
  name: 'canister_metadata',
  callers: { kind: 'canisters' },
  target: (arg) => arg.canister_id,
  run({ env, sender }, arg) {
    const canister = canisterOf(env, arg.canister_id);
    const section = canister.metadata.find(({ name }) => name === arg.name);
    const isController = includesId(canister.record.controllers, sender);
    if (!section || (section.visibility === 'private' && !isController)) {
      throw replicaErrors.invalidPayload(
        `Canister ${principal(canister.id).toText()} has no metadata section '${arg.name}' the caller may read`,
      );
    }
    return { value: section.content };
  },
});
