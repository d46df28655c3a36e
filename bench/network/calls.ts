import { Agent, request as httpRequest } from 'node:http';
import { Cbor, Expiry, HttpAgent } from '@icp-sdk/core/agent';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import type { Principal } from '@icp-sdk/core/principal';
import { connect, deploy } from '../../packages/network/test/agent.ts';
import { compileMotoko } from '../../packages/network/test/compile-motoko.ts';
import { COUNTER_SOURCE, counter } from '../../packages/network/test/canisters/counter.ts';
import { EMPTY } from '../../packages/replica/test/engine-client.ts';
import { type Section, spreadOf } from '../figures.ts';
import { startNetwork } from './network-process.ts';

const SINGLE_GOAL_MS = 12;
const CONCURRENT_GOAL = 800;
const SINGLE_CALLS = 60;
const CONCURRENT = 100;
const CALLS_A_ROUND = 1_500;
const ROUNDS = 7;
const EXPIRY_MS = 240_000;

/** Update calls over HTTP, each answered with its certificate. */
export const calls: Section = {
  title: 'Certified update calls',
  async run(report) {
    await using network = await startNetwork();
    const agent = await connect(network.url);
    const canisterId = await deploy(agent, compileMotoko(COUNTER_SOURCE));

    const { server, client } = await throughStockAgent(network.url, canisterId);
    report({
      what: 'update through the stock agent: time at the server',
      unit: 'ms',
      spread: spreadOf(server.slice(5)),
      goal: { atMost: SINGLE_GOAL_MS },
    });
    report({
      what: 'the same with the agent’s own verification',
      unit: 'ms',
      spread: spreadOf(client.slice(5)),
    });

    const rates: number[] = [];
    const cpu: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const bodies = await signedCalls(canisterId, CALLS_A_ROUND);
      const before = network.cpuMs();
      const seconds = await sendAll(new URL(`/api/v4/canister/${canisterId}/call`, network.url), bodies);
      rates.push(CALLS_A_ROUND / seconds);
      cpu.push(((network.cpuMs() - before) * 1_000) / CALLS_A_ROUND);
    }
    report({
      what: `${CONCURRENT} concurrent signed updates`,
      unit: '1/s',
      spread: spreadOf(rates.slice(1)),
      goal: { atLeast: CONCURRENT_GOAL },
    });
    report({ what: 'CPU of the network for each of them', unit: 'us CPU', spread: spreadOf(cpu.slice(1)) });
    const count = await counter(agent, canisterId).get();
    const expected = BigInt(SINGLE_CALLS + (ROUNDS + 1) * CALLS_A_ROUND);
    if (count !== expected) throw new Error(`The counter is at ${count} after ${expected} updates.`);
  },
};

interface Samples {
  readonly server: readonly number[];
  readonly client: readonly number[];
}

async function throughStockAgent(host: string, canisterId: Principal): Promise<Samples> {
  const server: number[] = [];
  const client: number[] = [];
  const timed: typeof fetch = async (input, init) => {
    const start = performance.now();
    const response = await fetch(input, init);
    const body = await response.arrayBuffer();
    if (String(input).endsWith('/call')) server.push(performance.now() - start);
    return new Response(body, response);
  };
  const agent = await HttpAgent.create({ host, fetch: timed, shouldFetchRootKey: true });
  const actor = counter(agent, canisterId);
  for (let i = 0; i < SINGLE_CALLS; i++) {
    const start = performance.now();
    await actor.inc();
    client.push(performance.now() - start);
  }
  return { server, client };
}

/** Envelopes as an agent with an Ed25519 key sends them. */
async function signedCalls(canisterId: Principal, count: number): Promise<Uint8Array[]> {
  const identity = Ed25519KeyIdentity.generate();
  const bodies: Uint8Array[] = [];
  for (let i = 0; i < count; i++) {
    const { body } = (await identity.transformRequest({
      endpoint: 'call',
      request: { headers: {} },
      body: {
        request_type: 'call',
        canister_id: canisterId,
        method_name: 'inc',
        arg: EMPTY,
        sender: identity.getPrincipal(),
        ingress_expiry: Expiry.fromDeltaInMilliseconds(EXPIRY_MS),
        nonce: crypto.getRandomValues(new Uint8Array(16)),
      },
    } as never)) as { body: unknown };
    bodies.push(Cbor.encode(body));
  }
  return bodies;
}

/** Sends the bodies over kept-alive connections and returns how long it took, in seconds. */
async function sendAll(url: URL, bodies: Uint8Array[]): Promise<number> {
  using agent = new DisposableAgent();
  const start = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: CONCURRENT }, async () => {
      for (let body = bodies[next++]; body; body = bodies[next++]) await post(url, agent.agent, body);
    }),
  );
  return (performance.now() - start) / 1_000;
}

class DisposableAgent implements Disposable {
  readonly agent = new Agent({ keepAlive: true, maxSockets: CONCURRENT });

  [Symbol.dispose](): void {
    this.agent.destroy();
  }
}

function post(url: URL, agent: Agent, body: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      url,
      {
        agent,
        method: 'POST',
        headers: { 'content-type': 'application/cbor', 'content-length': body.length },
      },
      (response) => {
        response.resume();
        response.once('error', reject);
        response.once('end', () =>
          response.statusCode === 200
            ? resolve()
            : reject(new Error(`A call was answered with ${response.statusCode}.`)),
        );
      },
    );
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}
