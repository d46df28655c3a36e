/**
 * What a canister has paid since it was created, by purpose, in cycles; each only ever grows. The fields are those of
 * `cycles_consumed` in `ic.did` (interface specification, `canister_metrics`).
 */
export interface ConsumedCycles {
  memory: bigint;
  computeAllocation: bigint;
  ingressInduction: bigint;
  instructions: bigint;
  /** Requests and responses between canisters. */
  requestAndResponseTransmission: bigint;
  /** What was left when the canister ran out of cycles and was uninstalled. */
  uninstall: bigint;
  canisterCreation: bigint;
  httpOutcalls: bigint;
  /** Burned by the canister itself (`cycles_burn128`). */
  burnedCycles: bigint;
}

export function nothingConsumed(): ConsumedCycles {
  return {
    memory: 0n,
    computeAllocation: 0n,
    ingressInduction: 0n,
    instructions: 0n,
    requestAndResponseTransmission: 0n,
    uninstall: 0n,
    canisterCreation: 0n,
    httpOutcalls: 0n,
    burnedCycles: 0n,
  };
}

export function consumedInAll(consumed: ConsumedCycles): bigint {
  return (
    consumed.memory +
    consumed.computeAllocation +
    consumed.ingressInduction +
    consumed.instructions +
    consumed.requestAndResponseTransmission +
    consumed.uninstall +
    consumed.canisterCreation +
    consumed.httpOutcalls +
    consumed.burnedCycles
  );
}

/** What its messages made it pay while they were carried out: not the rent, nor what it paid to get messages and to be. */
export function causedByMessages(consumed: Readonly<ConsumedCycles>): bigint {
  const { instructions, requestAndResponseTransmission, httpOutcalls, burnedCycles } = consumed;
  return instructions + requestAndResponseTransmission + httpOutcalls + burnedCycles;
}
