import { systemClock } from '../src/clock.ts';
import { Certifier } from '../src/certification/certifier.ts';
import { loadOrCreateKeys } from '../src/certification/keys.ts';
import { startSigner } from '../src/certification/signer.ts';
import { StateTree } from '../src/certification/state-tree.ts';
import { subnetDirectory } from '../src/certification/subnet-leaves.ts';
import { CertifiedQueries } from '../src/http/certified-query.ts';
import type { Engine } from '../src/messages.ts';

/** Queries with data certificates; `close` ends the thread that signs. */
export interface CertifiedEngine {
  readonly queries: CertifiedQueries;
  close(): Promise<void>;
}

/** Certifies the state of an engine as the network does, with keys in `dataDir`. */
export async function certify(engine: Engine, dataDir: string): Promise<CertifiedEngine> {
  const keys = loadOrCreateKeys(dataDir);
  const signer = startSigner(keys.rootSecretKey);
  const clock = systemClock();
  const now = (): bigint => clock.now();
  const state = new StateTree(subnetDirectory(keys));
  const loaded = state.changed();
  engine.subscribe((delta) => state.apply(delta, now()));
  await loaded;
  const certifier = new Certifier(state, signer, now);
  return { queries: new CertifiedQueries(engine, state, certifier, now), close: () => signer.close() };
}
