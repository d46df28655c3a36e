// The process of a first start: puts the system canisters into a new network, and ends.
import { loadOrCreateKeys } from '@cannery/ic/certification/signatures/keys';
import { StateTree } from '@cannery/ic/certification/tree/state-tree';
import { subnetDirectory } from '@cannery/ic/certification/tree/subnet-leaves';
import { DEFAULT_INSTRUCTION_LIMITS, MAX_WASM_MODULE_BYTES } from '@cannery/ic/limits';
import { SubnetTime } from '@cannery/replica/clock';
import { startEngine } from '@cannery/replica/engine/host';
import type { FirstStart } from './first-start.ts';
import { installServices } from './install-services.ts';

/** Nobody else waits for the engine here, so that it does all in its own thread. */
const ALONE = { prepareBytes: MAX_WASM_MODULE_BYTES, messageSlice: DEFAULT_INSTRUCTION_LIMITS.install };

async function prepare({ services, provisional, engine: configuration }: FirstStart): Promise<void> {
  const keys = await loadOrCreateKeys(configuration.dataDir);
  const { rootKey: rootKeyDer, subnetId } = keys;
  const time = new SubnetTime();
  const now = (): bigint => time.now();
  const engine = await startEngine({
    ...configuration,
    rootKeyDer,
    subnetId,
    provisional,
    time: time.buffer,
    heavy: ALONE,
  });
  try {
    const state = new StateTree(subnetDirectory(keys), subnetId);
    const loaded = state.changed();
    engine.subscribe((delta) => state.apply(delta, now()));
    await loaded;
    await installServices({ engine, state, now }, services, { subnetId, provisional });
  } finally {
    await engine.close();
  }
}

// Whoever waits for this is gone, and another start may want the folder.
process.once('disconnect', () => process.exit(1));
process.once('message', (first: FirstStart) => {
  prepare(first).then(
    () => process.exit(0),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exit(1);
    },
  );
});
