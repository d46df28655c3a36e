import { setTimeout as sleep } from 'node:timers/promises';
import { Cbor, type HttpAgent } from '@icp-sdk/core/agent';
import type { Principal } from '@icp-sdk/core/principal';
import { LeanCall } from '../../packages/network/crash/lean-call.ts';
import { connect, deploy } from '../../packages/network/test/agent.ts';
import { compileMotoko } from '../../packages/network/test/compile-motoko.ts';
import { COUNTER_SOURCE } from '../../packages/network/test/canisters/counter.ts';
import { EMPTY } from '../../packages/replica/test/engine-client.ts';
import { wat } from '../../packages/wasm/test/wasm.ts';
import { quantile, type Section, spreadOf } from '../figures.ts';
import { type NetworkProcess, startNetwork } from './network-process.ts';
import { queryContent } from './query-content.ts';

const QUERY_GOAL_MS = 50;
/** Canisters that run away at the same time. */
const SEVERAL = 8;
/** How long the others are watched; what runs away takes longer. */
const WATCHED_MS = 8_000;
const PAUSE_MS = 5;
const UPDATE_PAUSE_MS = 100;

const LOOPING = wat(`(module
  (memory 1)
  (func (export "canister_update loop") (loop $again (br $again)))
  (func (export "canister_query look") (loop $again (br $again))))`);
const LOOPING_START = wat('(module (memory 1) (func $begin (loop $again (br $again))) (start $begin))');
const LOOPING_INIT = wat('(module (memory 1) (func (export "canister_init") (loop $again (br $again))))');

/** Calls that do not end of themselves. */
interface Looping {
  loop(): Promise<unknown>;
  look(): Promise<unknown>;
}

/** Prepares what runs away, and returns what sets it off. */
type Attack = (agent: HttpAgent) => Promise<() => Promise<unknown>[]>;

const ATTACKS: Readonly<Record<string, Attack>> = {
  nothing: async () => () => [],
  'an endless update': (agent) => looping(agent, 1, ({ loop }) => loop()),
  [`${SEVERAL} endless updates`]: (agent) => looping(agent, SEVERAL, ({ loop }) => loop()),
  [`${SEVERAL} endless queries`]: (agent) => looping(agent, SEVERAL, ({ look }) => look()),
  'an endless start function': async (agent) => () => [deploy(agent, LOOPING_START)],
  'an endless installation': async (agent) => () => [deploy(agent, LOOPING_INIT)],
  'all of it at once': async (agent) => {
    const endless = await looping(agent, SEVERAL, ({ loop, look }) => Promise.all([loop(), look()]));
    return () => [...endless(), deploy(agent, LOOPING_START), deploy(agent, LOOPING_INIT)];
  },
};

/** What other canisters notice of canisters that spend all the instructions they may. */
export const runaway: Section = {
  title: 'A runaway canister',
  async run(report) {
    report({
      what: 'an endless update: time to its end',
      unit: 's',
      spread: spreadOf([await lengthOfUpdate()]),
    });
    for (const [name, prepare] of Object.entries(ATTACKS)) {
      await using network = await startNetwork([], { spread: true });
      const before = network.rssMib();
      const { queries, updates } = await watch(network, prepare);
      const p99 = quantile(queries, 0.99);
      report({
        what: `${name}: query of another canister, p99 of ${queries.length}`,
        unit: 'ms',
        spread: { low: p99, median: p99, high: p99 },
        goal: { atMost: QUERY_GOAL_MS },
      });
      report({ what: `${name}: the same, all of them`, unit: 'ms', spread: spreadOf(queries) });
      report({
        what: `${name}: update of another canister, ${updates.length} in ${WATCHED_MS / 1_000} s`,
        unit: 'ms',
        spread: spreadOf(updates),
        note: `memory of the process ${Math.round(before)} MiB before, ${Math.round(network.rssMib())} MiB with it`,
      });
    }
  },
};

async function looping(
  agent: HttpAgent,
  count: number,
  start: (canister: Looping) => Promise<unknown>,
): Promise<() => Promise<unknown>[]> {
  const canisters = await Promise.all(
    Array.from({ length: count }, async (): Promise<Looping> => {
      const canisterId = await deploy(agent, LOOPING);
      // Not by an actor: that of the agent stumbles over a rejection that comes after ten seconds.
      const fields = { arg: EMPTY, effectiveTarget: { canisterId } };
      return {
        loop: () => agent.update(canisterId, { methodName: 'loop', ...fields }),
        look: () => agent.query(canisterId, { methodName: 'look', ...fields }),
      };
    }),
  );
  return () => canisters.map(start);
}

/** Seconds until an endless update has used up its 40 billion instructions and is refused. */
async function lengthOfUpdate(): Promise<number> {
  await using network = await startNetwork();
  const setOff = await looping(await connect(network.url), 1, ({ loop }) => loop());
  const start = performance.now();
  const [reason] = await Promise.all(setOff().map((ended) => ended.then(() => 'no error', String)));
  if (!reason?.includes('IC0522')) throw new Error(`The endless loop ended with ${reason}.`);
  return (performance.now() - start) / 1_000;
}

/** A query of the counter, whose answer is taken as it is. */
async function sendQuery(url: string, canisterId: Principal): Promise<void> {
  const response = await fetch(`${url}/api/v3/canister/${canisterId}/query`, {
    method: 'POST',
    headers: { 'content-type': 'application/cbor' },
    body: new Uint8Array(Cbor.encode({ content: queryContent(canisterId) })),
  });
  const answer = Cbor.decode<{ status: string }>(new Uint8Array(await response.arrayBuffer()));
  if (answer.status !== 'replied') throw new Error(`The query was answered with ${answer.status}.`);
}

/**
 * Milliseconds that queries and updates of a Motoko counter take while the attack goes on. Nothing here checks
 * signatures: that would keep this thread for longer than the answers take.
 */
async function watch(
  network: NetworkProcess,
  prepare: Attack,
): Promise<{ readonly queries: number[]; readonly updates: number[] }> {
  const agent = await connect(network.url);
  const canisterId = await deploy(agent, compileMotoko(COUNTER_SOURCE));
  const look = (): Promise<unknown> => sendQuery(network.url, canisterId);
  const setOff = await prepare(agent);
  for (let i = 0; i < 50; i++) await look();
  let over = false;
  // What has used up its instructions is set off again, so that something runs away all the while.
  const attack = async (): Promise<void> => {
    while (!over) {
      const running = setOff();
      if (running.length === 0) return;
      await Promise.allSettled(running);
    }
  };
  void attack();
  const repeat = async (action: () => Promise<unknown>, pauseMs: number): Promise<number[]> => {
    const taken: number[] = [];
    while (!over) {
      const start = performance.now();
      await action();
      taken.push(performance.now() - start);
      await sleep(pauseMs);
    }
    return taken;
  };
  const watching = Promise.all([
    repeat(look, PAUSE_MS),
    repeat(() => new LeanCall(canisterId, 'inc', EMPTY).send(network.url), UPDATE_PAUSE_MS),
  ]);
  await sleep(WATCHED_MS);
  over = true;
  const [queries, updates] = await watching;
  return { queries, updates };
}
