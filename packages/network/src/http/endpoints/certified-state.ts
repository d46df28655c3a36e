import { Certifier } from '../../certification/certifier.ts';
import type { NetworkKeys } from '../../certification/signatures/keys.ts';
import type { RootSigner } from '../../certification/signatures/signer.ts';
import { StateTree } from '../../certification/tree/state-tree.ts';
import { subnetDirectory } from '../../certification/tree/subnet-leaves.ts';
import type { Engine } from '../../messages.ts';
import { CertifiedQueries } from './certified-query.ts';

/** The state of an engine as clients see it, with what certifies it. */
export interface CertifiedState {
  readonly state: StateTree;
  readonly certifier: Certifier;
  readonly queries: CertifiedQueries;
}

/**
 * Follows the state of an engine; resolves once all of it is there. `now` is the network's Unix time in nanoseconds,
 * `believedNow` the one by which requests are forgotten.
 */
export async function certifiedState(
  engine: Engine,
  keys: NetworkKeys,
  signer: RootSigner,
  now: () => bigint,
  believedNow: () => bigint = now,
): Promise<CertifiedState> {
  const state = new StateTree(subnetDirectory(keys), keys.subnetId);
  const loaded = state.changed();
  engine.subscribe((delta) => state.apply(delta, believedNow()));
  await loaded;
  const certifier = new Certifier(state, signer, now);
  return { state, certifier, queries: new CertifiedQueries(engine, certifier, now) };
}
