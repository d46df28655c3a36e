import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LeanCall } from '../../packages/network/crash/lean-call.ts';
import { connect, deploy } from '../../packages/network/test/agent.ts';
import { FILLED_WAT, fillArgument } from '../../packages/network/test/canisters/filled-canister.ts';
import { wat } from '../../packages/wasm/test/text-format.ts';
import { type Section, spreadOf } from '../figures.ts';
import { startNetwork } from './network-process.ts';

const MIB = 1024 ** 2;
const CANISTER_MIB = 128;
/** Amounts of state in MiB, by the words for them. */
const STATES = { '0.1 GB': CANISTER_MIB, '2 GB': 16 * CANISTER_MIB };
const GOAL_MS = 2_000;
const ROUNDS = 7;

/** How soon a network, on all cores, is ready on a folder that it was killed on: not dependent on how much is in it. */
export const starts: Section = {
  title: 'Starts',
  async run(report) {
    const folder = mkdtempSync(join(tmpdir(), 'cannery-starts-'));
    try {
      const states = Object.entries(STATES).map(([name, mib]) => ({
        name,
        mib,
        dataDir: join(folder, String(mib)),
        samples: [] as number[],
      }));
      for (const { dataDir, mib } of states) await fill(dataDir, mib);
      // The first start after a kill may have a checkpoint to end and code to compile, so it is not counted.
      for (let round = 0; round <= ROUNDS; round += 1)
        for (const { dataDir, samples } of states) samples.push(await readyMs(dataDir));
      for (const { name, samples } of states) {
        report({
          what: `ready after kill -9 with ${name} of state`,
          unit: 'ms',
          spread: spreadOf(samples.slice(1)),
          goal: { atMost: GOAL_MS },
        });
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function fill(dataDir: string, mib: number): Promise<void> {
  await using network = await startNetwork([], { folder: dataDir, spread: true });
  const agent = await connect(network.url);
  for (let seed = 1; seed <= mib / CANISTER_MIB; seed += 1) {
    const canister = await deploy(agent, wat(FILLED_WAT));
    await new LeanCall(canister, 'fill', fillArgument(seed, CANISTER_MIB * MIB)).send(network.url);
  }
}

async function readyMs(dataDir: string): Promise<number> {
  const start = performance.now();
  const network = await startNetwork([], { folder: dataDir, spread: true });
  const taken = performance.now() - start;
  // Something to recover, and time for the process to keep what it compiled.
  await deploy(await connect(network.url), wat(FILLED_WAT));
  await network.kill();
  return taken;
}
