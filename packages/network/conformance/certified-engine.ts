import { systemClock } from '@cannery/replica/clock';
import { loadOrCreateKeys } from '@cannery/ic/certification/signatures/keys';
import { startSigner } from '@cannery/ic/certification/signatures/signer';
import { type CertifiedQueries, certifiedState } from '../src/http/endpoints/certified-state.ts';
import type { Engine } from '@cannery/replica/messages';

/** Queries with data certificates; `close` ends the thread that signs. */
export interface CertifiedEngine {
  readonly queries: CertifiedQueries;
  close(): Promise<void>;
}

/** Certifies the state of an engine as the network does, with keys in `dataDir`. */
export async function certify(engine: Engine, dataDir: string): Promise<CertifiedEngine> {
  const keys = await loadOrCreateKeys(dataDir);
  const signer = startSigner(keys.rootSecretKey);
  const clock = systemClock();
  const { queries } = await certifiedState(engine, keys, signer, () => clock.now());
  return { queries, close: () => signer.close() };
}
