import { settleStopping } from '../../execution/stopping.ts';
import { uninstall } from '../../execution/uninstall.ts';
import { canisterOf, changeOrigin, managementMethod } from '../method/method.ts';

export const uninstallCode = managementMethod({
  name: 'uninstall_code',
  callers: { kind: 'controllers' },
  target: (arg) => arg.canister_id,
  run(call, arg) {
    const { env, tx } = call;
    const canister = canisterOf(env, arg.canister_id);
    uninstall(env, tx, canister);
    tx.addChange(canister, {
      timestampNanos: tx.timeNanos,
      canisterVersion: canister.record.version,
      origin: changeOrigin(call, arg.sender_canister_version),
      details: { kind: 'uninstall' },
    });
    settleStopping(tx, canister);
  },
});
