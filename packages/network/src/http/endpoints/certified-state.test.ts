import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestClient } from '@cannery/replica/test-client';
import { SYSTEM_WAT } from '../../../../replica/test/canisters/text-canisters.ts';
import { wat } from '../../../../wasm/test/wasm.ts';
import { hex, utf8 } from '@cannery/ic/certification/bytes';
import { decodeCbor, treeFromCbor } from '@cannery/ic/certification/tree/cbor';
import { loadOrCreateKeys } from '@cannery/ic/certification/signatures/keys';
import { lookupValue } from '@cannery/ic/certification/tree/hash-tree';
import { type RootSigner, startSigner } from '@cannery/ic/certification/signatures/signer';

import { type CertifiedQueries, certifiedState } from './certified-state.ts';

const ANONYMOUS = Uint8Array.of(4);
const CANISTERS = 30;
/** Updates of each canister that are under way at a time. */
const UPDATES = 8;
const QUERIES = 10;

let client: TestClient;
let signer: RootSigner & { close(): Promise<void> };
let queries: CertifiedQueries;
let canisters: readonly Uint8Array[];
beforeAll(async () => {
  client = await TestClient.start();
  const keys = await loadOrCreateKeys(client.configuration.dataDir);
  signer = startSigner(keys.rootSecretKey);
  ({ queries } = await certifiedState(client.engine, keys, signer, () => client.now()));
  const module = wat(SYSTEM_WAT);
  canisters = await Promise.all(Array.from({ length: CANISTERS }, () => client.deploy(module)));
}, 60_000);
afterAll(async () => {
  await signer.close();
  await client[Symbol.asyncDispose]();
});

/** Changes the certified data of a canister as fast as it can until `isOver`; returns how often it did. */
async function change(canister: Uint8Array, isOver: () => boolean): Promise<number> {
  let changes = 0;
  const loop = async (): Promise<void> => {
    while (!isOver()) {
      changes += 1;
      await client.update(canister, 'certify', utf8(`${changes}`));
    }
  };
  await Promise.all(Array.from({ length: UPDATES }, loop));
  return changes;
}

test('30 canisters that change their certified data all the time answer every query with its certificate', {
  timeout: 120_000,
}, async () => {
  let isOver = false;
  const changing = canisters.map((canister) => change(canister, () => isOver));
  const took: number[] = [];
  const refused: string[] = [];
  const ask = async (canisterId: Uint8Array): Promise<void> => {
    for (let round = 0; round < QUERIES; round++) {
      const begun = performance.now();
      const outcome = await queries.run({
        sender: ANONYMOUS,
        canisterId,
        method: 'certificate',
        arg: new Uint8Array(),
      });
      took.push(performance.now() - begun);
      if (outcome.status === 'rejected') refused.push(outcome.message);
      else {
        const { tree } = decodeCbor(outcome.reply) as { tree: unknown };
        const path = [utf8('canister'), canisterId, utf8('certified_data')];
        expect(lookupValue(treeFromCbor(tree), path), hex(canisterId)).toBeInstanceOf(Uint8Array);
      }
    }
  };
  const begun = performance.now();
  await Promise.all(canisters.map(ask)).finally(() => {
    isOver = true;
  });
  const seconds = (performance.now() - begun) / 1000;
  const changes = (await Promise.all(changing)).reduce((sum, each) => sum + each, 0);
  const sorted = took.toSorted((a, b) => a - b);
  console.info(
    `${changes} changes and ${took.length} queries in ${seconds.toFixed(1)} s, ` +
      `median ${sorted[sorted.length / 2]?.toFixed(0)} ms, longest ${sorted.at(-1)?.toFixed(0)} ms`,
  );
  expect(refused).toEqual([]);
});
