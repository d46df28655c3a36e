import { expect, test } from 'vitest';
import { principal, TestClient } from '../../test/engine-client.ts';
import { wat } from '../../../wasm/test/wasm.ts';

/** Enough to fill it. */
const LIMITS = { update: 120_000_000n, query: 100_000_000n, install: 100_000_000n, inspect: 20_000_000n };
/** Bytes a canister fills its heap with. */
const FILLED = 45_000_000;
/** Canisters that are filled and deleted: the engine leaves up to five of them uncollected until it needs the memory. */
const CANISTERS = 16;

// Measures the memory of its process, which other test files must not share.
test('memory that canisters filled is given back when they are deleted', async () => {
  await using client = await TestClient.start({ instructionLimits: LIMITS });
  const module = wat(`(module (import "ic0" "msg_reply" (func $reply)) (memory 800)
    (func (export "canister_update f") (memory.fill (i32.const 0) (i32.const 7) (i32.const ${FILLED}))
      (call $reply)))`);
  const fillAndDelete = async (canisters: number): Promise<void> => {
    for (let left = canisters; left > 0; left--) {
      const id = await client.deploy(module);
      await client.update(id, 'f');
      await client.management('stop_canister', { canister_id: principal(id) });
      await client.management('delete_canister', { canister_id: principal(id) });
    }
  };
  // What one canister takes besides its heap, on the way to the disk and in caches, is in use from here on.
  await fillAndDelete(3);
  const before = process.memoryUsage.rss();
  await fillAndDelete(CANISTERS);
  // The engine collects when something new is made, not while nothing happens; the system takes back in its own time what it gave up.
  const kept = async (): Promise<number> => {
    await fillAndDelete(1);
    return (process.memoryUsage.rss() - before) / (CANISTERS * FILLED);
  };
  await expect.poll(kept, { timeout: 60_000, interval: 500 }).toBeLessThan(0.5);
}, 120_000);
