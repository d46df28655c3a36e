import { Actor, type HttpAgent } from '@icp-sdk/core/agent';
import { IDL } from '@icp-sdk/core/candid';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import type { Principal } from '@icp-sdk/core/principal';
import { assetCanisterWasm } from '../../canisters/assets/index.ts';
import { connect, deploy } from '../../packages/network/test/agent.ts';
import { ratios, type Section, spreadOf } from '../figures.ts';
import { startFloor } from './floor.ts';
import { requestsPerSecond } from './load.ts';
import { startNetwork } from './network-process.ts';

const SMALL_GOAL = 500;
const STREAM_GOAL_MIB = 40;
const SMALL_BYTES = 10 * 1024;
const LARGE_BYTES = 5 * 1024 ** 2;
const CHUNK_BYTES = 1024 ** 2;
const CONNECTIONS = 16;
const SECONDS = 2;

/** What the gateway keeps is measured in `sites.ts`; of a request with a cookie it keeps nothing. */
const NOT_KEPT = { cookie: 'visitor=1' };

/** A site in the certified asset canister, every response verified by the gateway. */
export const gateway: Section = {
  title: 'Sites through the HTTP gateway',
  async run(report) {
    await using network = await startNetwork();
    await using floor = await startFloor();
    const agent = await connect(network.url, Ed25519KeyIdentity.generate());
    const canisterId = await deploy(agent, await assetCanisterWasm());
    await upload(agent, canisterId, '/small.bin', SMALL_BYTES);
    await upload(agent, canisterId, '/large.bin', LARGE_BYTES);
    const address = (path: string): string => `${network.url}${path}?canisterId=${canisterId}`;
    const etag = (await fetch(address('/small.bin'))).headers.get('etag');
    if (!etag) throw new Error('The asset has no ETag.');

    const small = await ratios(
      () => load(address('/small.bin'), 200, NOT_KEPT),
      () => load(`${floor.url}/${SMALL_BYTES}`),
    );
    report({
      what: '10 KiB asset, verified',
      unit: '1/s',
      spread: small.ours,
      goal: { atLeast: SMALL_GOAL },
    });
    report({
      what: 'the same against a bare Node server',
      unit: 'x',
      spread: small.ratio,
      control: small.control,
    });
    const unchanged = await ratios(
      () => load(address('/small.bin'), 304, { 'if-none-match': etag, ...NOT_KEPT }),
      () => load(`${floor.url}/304`, 304),
    );
    report({ what: '304 of it, verified', unit: '1/s', spread: unchanged.ours });
    report({
      what: 'the same against a bare 304',
      unit: 'x',
      spread: unchanged.ratio,
      control: unchanged.control,
    });
    report({
      what: '5 MiB asset, every piece verified',
      unit: 'MiB/s',
      spread: spreadOf(await throughput(address('/large.bin'))),
      goal: { atLeast: STREAM_GOAL_MIB },
    });
  },
};

function load(url: string, expectStatus = 200, headers?: Record<string, string>): Promise<number> {
  return requestsPerSecond({
    url,
    connections: CONNECTIONS,
    seconds: SECONDS,
    expectStatus,
    ...(headers && { headers }),
  });
}

async function throughput(url: string): Promise<number[]> {
  const samples: number[] = [];
  for (let round = 0; round <= 7; round++) {
    const start = performance.now();
    const body = await (await fetch(url)).arrayBuffer();
    if (body.byteLength !== LARGE_BYTES) throw new Error(`${body.byteLength} bytes came.`);
    samples.push(LARGE_BYTES / 1024 ** 2 / ((performance.now() - start) / 1_000));
  }
  return samples.slice(1);
}

const batchId = IDL.Record({ batch_id: IDL.Nat });
const operation = IDL.Variant({
  CreateAsset: IDL.Record({ key: IDL.Text, content_type: IDL.Text }),
  SetAssetContent: IDL.Record({
    key: IDL.Text,
    content_encoding: IDL.Text,
    chunk_ids: IDL.Vec(IDL.Nat),
    sha256: IDL.Opt(IDL.Vec(IDL.Nat8)),
  }),
});

interface Assets {
  create_batch(argument: object): Promise<{ batch_id: bigint }>;
  create_chunk(argument: { batch_id: bigint; content: Uint8Array }): Promise<{ chunk_id: bigint }>;
  commit_batch(argument: object): Promise<void>;
}

export async function upload(
  agent: HttpAgent,
  canisterId: Principal,
  key: string,
  bytes: number,
): Promise<void> {
  const assets = Actor.createActor<Assets>(
    () =>
      IDL.Service({
        create_batch: IDL.Func([IDL.Record({})], [batchId], []),
        create_chunk: IDL.Func(
          [IDL.Record({ batch_id: IDL.Nat, content: IDL.Vec(IDL.Nat8) })],
          [IDL.Record({ chunk_id: IDL.Nat })],
          [],
        ),
        commit_batch: IDL.Func([IDL.Record({ batch_id: IDL.Nat, operations: IDL.Vec(operation) })], [], []),
      }),
    { agent, canisterId },
  );
  const { batch_id } = await assets.create_batch({});
  const chunk_ids: bigint[] = [];
  for (let at = 0; at < bytes; at += CHUNK_BYTES) {
    const content = new Uint8Array(Math.min(CHUNK_BYTES, bytes - at)).fill(120);
    chunk_ids.push((await assets.create_chunk({ batch_id, content })).chunk_id);
  }
  const operations = [
    { CreateAsset: { key, content_type: 'application/octet-stream' } },
    { SetAssetContent: { key, content_encoding: 'identity', chunk_ids, sha256: [] } },
  ];
  await assets.commit_batch({ batch_id, operations });
}
