import { setTimeout as sleep } from 'node:timers/promises';
import { Actor, type ActorMethod } from '@icp-sdk/core/agent';
import { IDL } from '@icp-sdk/core/candid';
import { connect, deploy } from '../../packages/network/test/agent.ts';
import { compileMotoko } from '../../packages/network/test/compile-motoko.ts';
import { COUNTER_SOURCE, counter } from '../../packages/network/test/counter.ts';
import { wat } from '../../packages/network/test/wasm.ts';
import { quantile, type Section, spreadOf } from '../figures.ts';
import { startNetwork } from './network-process.ts';

const QUERY_GOAL_MS = 50;
const ROUNDS = 3;

const LOOPING = `(module
  (memory 1)
  (func (export "canister_update loop") (loop $again (br $again))))`;

/** What other canisters notice while one spends its 40 billion instructions in an endless loop. */
export const runaway: Section = {
  title: 'A runaway canister',
  async run(report) {
    await using network = await startNetwork();
    const agent = await connect(network.url);
    const victim = counter(agent, await deploy(agent, compileMotoko(COUNTER_SOURCE)));
    const looping = Actor.createActor<{ loop: ActorMethod<[], undefined> }>(
      () => IDL.Service({ loop: IDL.Func([], [], []) }),
      { agent, canisterId: await deploy(agent, wat(LOOPING)) },
    );
    for (let i = 0; i < 50; i++) await victim.get();

    const queries: number[] = [];
    const updates: number[] = [];
    const lengths: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const start = performance.now();
      let running = true;
      const refusal = looping.loop().then(
        () => 'no error',
        (error: unknown) => String(error),
      );
      const ended = refusal.then((reason) => {
        running = false;
        lengths.push((performance.now() - start) / 1_000);
        if (!reason.includes('IC0522')) throw new Error(`The endless loop ended with ${reason}.`);
      });
      const asking = (async () => {
        while (running) {
          queries.push(await elapsed(() => victim.get()));
          await sleep(5);
        }
      })();
      const changing = (async () => {
        while (running) {
          updates.push(await elapsed(() => victim.inc()));
          await sleep(200);
        }
      })();
      await Promise.all([ended, asking, changing]);
    }
    report({ what: 'length of the runaway', unit: 's', spread: spreadOf(lengths) });
    const p99 = quantile(queries, 0.99);
    report({
      what: `query of another canister meanwhile, p99 of ${queries.length}`,
      unit: 'ms',
      spread: { low: p99, median: p99, high: p99 },
      goal: { atMost: QUERY_GOAL_MS },
    });
    report({ what: 'the same, all of them', unit: 'ms', spread: spreadOf(queries) });
    report({ what: 'update of another canister meanwhile', unit: 'ms', spread: spreadOf(updates) });
  },
};

async function elapsed(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}
