import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { wat } from '@cannery/wasm/text-format';
import type { Principal } from '@icp-sdk/core/principal';
import { expect, test } from 'vitest';
import { EngineHere } from '../../src/engine/engine-here.ts';
import { decodeManagement, encodeManagement } from '../engine-client.ts';

const ALICE = Uint8Array.of(1, 2, 3);
const LOOPING = wat('(module (func (export "canister_update loop") (loop $again (br $again))))');

/** The most canisters of two that loop at once whose message was under way in another thread. */
async function mostAtATime(seed: Uint8Array | undefined): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), 'cannery-engine-'));
  const engine = new EngineHere({
    dataDir,
    rootKeyDer: new Uint8Array(133),
    subnetId: new Uint8Array(29),
    instructionLimits: { update: 400_000_000n },
    steps: { startNanos: 1_000_000_000n, ...(seed && { seed }) },
  });
  let requests = 0;
  const submit = async (canisterId: Uint8Array, method: string, arg: Uint8Array): Promise<Uint8Array> => {
    requests += 1;
    const requestId = new Uint8Array(32).fill(requests);
    await engine.controls.submit({
      requestId,
      sender: ALICE,
      canisterId,
      effectiveCanisterId: canisterId,
      method,
      arg,
      bytes: arg.length,
      expiryNanos: engine.controls.time() + 200_000_000_000n,
    });
    return requestId;
  };
  const replyTo = async (requestId: Uint8Array): Promise<Uint8Array> => {
    await engine.controls.round();
    const status = engine.controls.request(requestId)?.status;
    if (status?.status !== 'replied') throw new Error(JSON.stringify(status));
    return status.reply;
  };
  const manage = async (
    method: 'provisional_create_canister_with_cycles' | 'install_code',
    arg: object,
  ): Promise<Uint8Array> => {
    return replyTo(
      await submit(
        new Uint8Array(0),
        method,
        encodeManagement(method, { sender_canister_version: [], ...arg }),
      ),
    );
  };
  try {
    const ids: Uint8Array[] = [];
    for (let made = 0; made < 2; made++) {
      const reply = await manage('provisional_create_canister_with_cycles', {
        amount: [],
        settings: [],
        specified_id: [],
      });
      const { canister_id } = decodeManagement('provisional_create_canister_with_cycles', reply) as {
        canister_id: Principal;
      };
      const code = { mode: { install: null }, wasm_module: LOOPING, arg: new Uint8Array(0) };
      await manage('install_code', { ...code, canister_id });
      ids.push(canister_id.toUint8Array());
    }
    const looping = await Promise.all(ids.map((id) => submit(id, 'loop', new Uint8Array(0))));
    let most = 0;
    let isOver = false;
    const round = engine.controls.round().then(() => (isOver = true));
    while (!isOver) {
      most = Math.max(most, (await engine.figures()).heavy);
      await delay(1);
    }
    await round;
    for (const id of looping) expect(engine.controls.request(id)?.status.status).toBe('rejected');
    return most;
  } finally {
    await engine.close();
    rmSync(dataDir, { recursive: true });
  }
}

test('with a seed no message begins while another one is carried out in another thread', async () => {
  expect(await mostAtATime(new Uint8Array(32))).toBe(1);
  expect(await mostAtATime(undefined)).toBe(2);
});
