import { Cbor, type HttpAgentRequest, type SignIdentity } from '@icp-sdk/core/agent';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import type { Principal } from '@icp-sdk/core/principal';
import { connect, deploy } from '../../packages/network/test/agent.ts';
import { wat } from '../../packages/wasm/test/text-format.ts';
import { type Figure, ratios, type Section, spreadOf } from '../figures.ts';
import { useAllCores } from '../pinned.ts';
import { startFloor } from './floor.ts';
import { startNetwork } from './network-process.ts';
import { sendPrepared } from './prepared-load.ts';
import { queryContent } from './query-content.ts';

const RATIO_GOAL = 0.5;
const SIGNED_RATIO_GOAL = 0.25;
const CONNECTIONS = 64;
const QUERIES_A_ROUND = 20_000;
const DISTINCT_REQUESTS = 1_000;
const ANSWERING = `(module
  (import "ic0" "msg_reply" (func $reply))
  (import "ic0" "msg_reply_data_append" (func $append (param i32 i32)))
  (memory 1)
  (data (i32.const 0) "DIDL\\00\\01\\7d\\05")
  (func (export "canister_query get") (call $append (i32.const 0) (i32.const 8)) (call $reply)))`;

/**
 * Queries over HTTP, beside a bare Node server that takes and gives as many bytes. First both have one core, which shows
 * what a query costs; then client and server share all of them, as on a user's machine, which is what the goals are for.
 */
export const queries: Section = {
  title: 'Queries over HTTP',
  async run(report) {
    for (const spread of [false, true]) {
      if (spread) useAllCores();
      for (const signed of [false, true]) await measure(report, { spread, signed });
    }
  },
};

async function measure(
  report: (figure: Figure) => void,
  { spread, signed }: { readonly spread: boolean; readonly signed: boolean },
): Promise<void> {
  await using network = await startNetwork([], { spread });
  await using floor = await startFloor({ spread });
  const canisterId = await deploy(await connect(network.url), wat(ANSWERING));
  const bodies = await queryBodies(canisterId, signed ? Ed25519KeyIdentity.generate() : undefined);
  const path = `/api/v3/canister/${canisterId}/query`;
  const requests = bodies.map((body) => requestOf(path, body));
  const { bodyBytes } = await sendPrepared({ url: network.url, requests, connections: 1, count: 10 });
  // The floor reads the size of its answer in the path, which is as long as the network's.
  const floorPath = `/${bodyBytes}/`.padEnd(path.length, 'x');
  const floorRequests = bodies.map((body) => requestOf(floorPath, body));

  const cpu: number[] = [];
  const measured = await ratios(
    async () => {
      const before = network.cpuMs();
      const rate = await queriesPerSecond(network.url, requests);
      cpu.push(((network.cpuMs() - before) * 1_000) / QUERIES_A_ROUND);
      return rate;
    },
    () => queriesPerSecond(floor.url, floorRequests),
  );
  const what = `${signed ? 'query signed with Ed25519' : 'anonymous query'}, ${spread ? 'all cores' : 'one core'}`;
  report({ what, unit: '1/s', spread: measured.ours });
  report({ what: 'CPU of the network for each of them', unit: 'us CPU', spread: spreadOf(cpu.slice(1)) });
  report({
    what: `${what}, against a bare Node server`,
    unit: 'x',
    spread: measured.ratio,
    control: measured.control,
    ...(spread && { goal: { atLeast: signed ? SIGNED_RATIO_GOAL : RATIO_GOAL } }),
  });
}

async function queriesPerSecond(url: string, requests: readonly Buffer[]): Promise<number> {
  const { perSecond } = await sendPrepared({
    url,
    requests,
    connections: CONNECTIONS,
    count: QUERIES_A_ROUND,
  });
  return perSecond;
}

function requestOf(path: string, body: Uint8Array): Buffer {
  const head =
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/cbor\r\n` +
    `Content-Length: ${body.length}\r\nConnection: keep-alive\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

/** Envelopes of queries, each with its own nonce so that no answer can be remembered. */
async function queryBodies(canister: Principal, identity?: SignIdentity): Promise<Uint8Array[]> {
  const bodies: Uint8Array[] = [];
  for (let index = 0; index < DISTINCT_REQUESTS; index++) {
    const content = {
      ...queryContent(canister, identity?.getPrincipal()),
      nonce: crypto.getRandomValues(new Uint8Array(16)),
    };
    bodies.push(Cbor.encode(identity ? await signed(identity, content) : { content }));
  }
  return bodies;
}

async function signed(identity: SignIdentity, body: object): Promise<object> {
  const request = { request: {}, endpoint: 'query', body } as unknown as HttpAgentRequest;
  const transformed = (await identity.transformRequest(request)) as { readonly body: object };
  return transformed.body;
}
