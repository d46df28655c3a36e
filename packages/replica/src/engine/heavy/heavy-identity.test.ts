import fc from 'fast-check';
import { expect, test } from 'vitest';
import { principal, Rejected, TestClient } from '../../../test/engine-client.ts';
import { programWat, STEPS } from '../../../test/canisters/program-canister.ts';
import { wat } from '../../../../wasm/test/wasm.ts';
import type { HeavySettings } from './heavy-settings.ts';

const START = 2_000_000_000_000_000_000n;
const RICH = 9_000_000_000_000n;
/** Pays for some of what is asked of the canister, and then no more. */
const POOR = 400_000_000_000n;

const step = fc.tuple(fc.constantFrom(...Object.values(STEPS)), fc.nat(60));
const program = fc.array(step, { maxLength: 6 }).map((steps) => Uint8Array.from(steps.flat()));
const canister = fc.nat(1);
const action = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom('go', 'look'), canister, program }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('query', 'ask'), canister, program }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('upgrade', 'reinstall'), canister, program }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait'), seconds: fc.bigInt(1n, 100_000n) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('refused'), canister }) },
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

/** An engine whose time stands still, with two canisters that know each other. */
class Side implements AsyncDisposable {
  readonly #client: TestClient;
  #ids: readonly Uint8Array[] = [];
  #module = new Uint8Array(0);

  private constructor(client: TestClient) {
    this.#client = client;
  }

  static async start(heavy: Partial<HeavySettings>): Promise<Side> {
    const client = await TestClient.start({ stopTime: true, heavy });
    await client.engine.setTime(START);
    return new Side(client);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#client[Symbol.asyncDispose]();
  }

  /** Begins again, with canisters that did nothing yet. */
  async begin(): Promise<void> {
    const client = this.#client;
    const [first, second] = [await client.create({ cycles: RICH }), await client.create({ cycles: POOR })];
    this.#ids = [first, second];
    this.#module = new Uint8Array(wat(programWat([first, second])));
    for (const id of this.#ids)
      await client.install(id, this.#module, { arg: Uint8Array.of(STEPS.burn, 20) });
  }

  /** What came of an action, and all that can be seen of the canisters after it. */
  async take(done: Action): Promise<unknown> {
    const outcome = await this.#act(done).catch((error: unknown) => {
      if (!(error instanceof Rejected)) throw error;
      const { code, rejectCode, message, admitted } = error;
      return { code, rejectCode, message, admitted };
    });
    // Whatever is still under way comes to its end.
    await this.#client.advance(1n);
    return { outcome, canisters: await this.look() };
  }

  /** All that can be seen of the canisters. */
  look(): Promise<unknown> {
    return Promise.all(this.#ids.map((id) => this.#picture(id)));
  }

  restart(): Promise<void> {
    return this.#client.restart();
  }

  async #act(done: Action): Promise<unknown> {
    const client = this.#client;
    if (done.kind === 'wait') return client.advance(done.seconds);
    const id = this.#ids[done.canister] ?? new Uint8Array(0);
    switch (done.kind) {
      case 'go':
      case 'look':
        return client.update(id, done.kind, done.program);
      case 'query':
        return client.query(id, 'look', done.program);
      case 'ask':
        return client.query(id, 'ask', done.program);
      case 'refused':
        return client.update(id, 'go', Uint8Array.of(1));
      case 'upgrade':
        return client.install(id, this.#module, { mode: { upgrade: [] }, arg: done.program });
      case 'reinstall':
        return client.install(id, this.#module, { mode: { reinstall: null }, arg: done.program });
    }
  }

  async #picture(id: Uint8Array): Promise<unknown> {
    const client = this.#client;
    const about = { canister_id: principal(id) };
    return {
      status: await client.status(id),
      log: await client.managementQuery('fetch_canister_logs', about),
      metrics: await client.managementQuery('canister_metrics', about),
      leaves: client.canisters.get(Buffer.from(id).toString('hex')),
      notes: await client.query(id, 'notes').catch((error: unknown) => String(error)),
    };
  }
}

test('whatever canisters do, they cannot tell the threads apart, and are charged the same', async () => {
  await using light = await Side.start({ messageSlice: 1n << 50n, querySlice: 1n << 50n });
  await using heavy = await Side.start({
    messageSlice: 10n,
    querySlice: 10n,
    prepareBytes: 0,
    laneInstructions: [10_000n, 40_000n],
  });
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 4, maxLength: 10 }), async (actions) => {
      await Promise.all([light.begin(), heavy.begin()]);
      for (const each of actions) {
        const [expected, seen] = await Promise.all([light.take(each), heavy.take(each)]);
        expect(seen).toEqual(expected);
      }
    }),
    { numRuns: 15, endOnFailure: true },
  );
  await Promise.all([light.restart(), heavy.restart()]);
  expect(await heavy.look()).toEqual(await light.look());
}, 180_000);
