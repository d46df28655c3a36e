import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Cbor, type HttpAgentRequest, type SignIdentity } from '@icp-sdk/core/agent';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import type { Principal } from '@icp-sdk/core/principal';
import { connect, deploy } from '../test/agent.ts';
import { wat } from './text-module.ts';
import type { Load, LoadResult } from './http-load.ts';
import { runClient, type ServerProcess, startServer } from './processes.ts';

/** One comparison: how fast the network answers beside a bare Node server with requests and answers of equal length. */
export interface QueryPair {
  readonly name: string;
  readonly queriesPerSecond: number;
  readonly echoesPerSecond: number;
  readonly ratio: number;
  /** Processor time of the whole server for each query and each echo, and the ratio of the latter to the former. */
  readonly queryMicros: number;
  readonly echoMicros: number;
  readonly cpuRatio: number;
  readonly p50Millis: number;
  readonly p99Millis: number;
}

export interface QueryBenchmark {
  readonly name: 'query over HTTP';
  readonly pairs: readonly QueryPair[];
}

const CONNECTIONS = 64;
const DISTINCT_REQUESTS = 1000;
const COUNTER = `(module
  (import "ic0" "msg_reply" (func $reply))
  (import "ic0" "msg_reply_data_append" (func $append (param i32 i32)))
  (memory 1)
  (data (i32.const 0) "DIDL\\00\\01\\7d\\05")
  (func (export "canister_query get") (call $append (i32.const 0) (i32.const 8)) (call $reply)))`;

/** Measures anonymous and signed queries, each `rounds` times in turn with the bare server. */
export async function benchmarkQueries(rounds = 5, requests = 40_000): Promise<QueryBenchmark> {
  const folder = mkdtempSync(join(tmpdir(), 'cannery-bench-'));
  try {
    await using network = await startServer('../src/cli.ts', [
      '--data-dir',
      join(folder, 'data'),
      '--port',
      '0',
    ]);
    const canister = await deploy(await connect(network.url), wat(COUNTER));
    const pairs: QueryPair[] = [];
    for (const signed of [false, true]) {
      const file = join(folder, signed ? 'signed' : 'anonymous');
      const identity = signed ? Ed25519KeyIdentity.generate() : undefined;
      writeFileSync(file, await queryRequests(canister, identity));
      const load = { file, connections: CONNECTIONS, warmup: requests / 4, requests };
      const probe = await runLoad(network, { ...load, requests: 10 });
      await using echo = await startServer('echo-server.ts', [String(probe.bodyBytes)]);
      for (let round = 0; round < rounds; round += 1) {
        const query = await runLoad(network, load);
        const bare = await runLoad(echo, load);
        pairs.push({
          name: signed ? 'signed (Ed25519)' : 'anonymous',
          queriesPerSecond: query.perSecond,
          echoesPerSecond: bare.perSecond,
          ratio: query.perSecond / bare.perSecond,
          queryMicros: query.cpuMicros,
          echoMicros: bare.cpuMicros,
          cpuRatio: bare.cpuMicros / query.cpuMicros,
          p50Millis: query.p50Millis,
          p99Millis: query.p99Millis,
        });
      }
    }
    return { name: 'query over HTTP', pairs };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function runLoad(
  server: ServerProcess,
  load: Omit<Load, 'port'>,
): Promise<LoadResult & { readonly cpuMicros: number }> {
  const before = server.cpuMicros();
  const result = await runClient<LoadResult>('http-load.ts', { ...load, port: server.port });
  return { ...result, cpuMicros: (server.cpuMicros() - before) / (load.warmup + load.requests) };
}

/** Whole HTTP requests, each with a nonce of its own so that no answer can be remembered. */
async function queryRequests(canister: Principal, identity: SignIdentity | undefined): Promise<Buffer> {
  const parts: Buffer[] = [];
  const expiry = BigInt(Date.now() + 240_000) * 1_000_000n;
  for (let index = 0; index < DISTINCT_REQUESTS; index += 1) {
    const nonce = Buffer.alloc(16);
    nonce.writeUInt32LE(index);
    const content = {
      request_type: 'query',
      canister_id: canister,
      method_name: 'get',
      arg: new Uint8Array(Buffer.from('DIDL\0\0')),
      sender: identity ? identity.getPrincipal() : Uint8Array.of(4),
      ingress_expiry: expiry,
      nonce: new Uint8Array(nonce),
    };
    const body = Buffer.from(Cbor.encode(identity ? await signedBody(identity, content) : { content }));
    const head =
      `POST /api/v3/canister/${canister}/query HTTP/1.1\r\nHost: 127.0.0.1\r\n` +
      `Content-Type: application/cbor\r\nContent-Length: ${body.length}\r\nConnection: keep-alive\r\n\r\n`;
    const request = Buffer.concat([Buffer.from(head), body]);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(request.length);
    parts.push(length, request);
  }
  return Buffer.concat(parts);
}

async function signedBody(identity: SignIdentity, content: object): Promise<object> {
  const request = { request: {}, endpoint: 'query', body: content } as unknown as HttpAgentRequest;
  const signed = (await identity.transformRequest(request)) as { body: object };
  return signed.body;
}

if (import.meta.main) console.table((await benchmarkQueries()).pairs);
