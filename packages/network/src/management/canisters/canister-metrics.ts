import { standingAt } from '../../cycles/rent.ts';
import { canisterOf, managementMethod } from '../method/method.ts';

export const canisterMetrics = managementMethod({
  name: 'canister_metrics',
  callers: { kind: 'controllers' },
  query: 'also',
  target: (arg) => arg.canister_id,
  read(env, arg) {
    const canister = canisterOf(env, arg.canister_id);
    const { consumed } = canister.record;
    // A query changes nothing, so what the canister owes by now may not be in the counters yet.
    const standing = standingAt(env.fees, canister, env.clock.now());
    return {
      cycles_consumed: {
        memory: consumed.memory + standing.memory,
        compute_allocation: consumed.computeAllocation + standing.compute,
        ingress_induction: consumed.ingressInduction,
        instructions: consumed.instructions,
        request_and_response_transmission: consumed.requestAndResponseTransmission,
        uninstall: consumed.uninstall + (standing.exhausted?.rest ?? 0n),
        canister_creation: consumed.canisterCreation,
        http_outcalls: consumed.httpOutcalls,
        burned_cycles: consumed.burnedCycles,
      },
    };
  },
});
