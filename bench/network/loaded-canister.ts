import { rmSync } from 'node:fs';
import { Account } from '../../packages/replica/src/cycles/account.ts';
import { FEE_SCHEDULES } from '../../packages/replica/src/cycles/fee-schedule.ts';
import { Fees } from '../../packages/replica/src/cycles/fees.ts';
import { CodeCache } from '../../packages/replica/src/execution/run/code-cache.ts';
import type { LoadedCode } from '../../packages/replica/src/execution/run/loaded-code.ts';
import { DEFAULT_HEAVY_SETTINGS } from '../../packages/replica/src/engine/heavy/heavy-settings.ts';
import { SlicedRunner } from '../../packages/replica/src/execution/run/run.ts';
import { ModuleCache } from '../../packages/replica/src/execution/run/module-cache.ts';
import type { Canister } from '../../packages/replica/src/state/canister.ts';
import { SubnetState } from '../../packages/replica/src/state/subnet-state.ts';
import { DurableStore } from '../../packages/store/src/durable-store.ts';
import type { EntryPoint } from '../../packages/replica/src/system-api/entry-point.ts';
import { messageContext } from '../../packages/replica/src/system-api/message-context.ts';
import { ALICE, EMPTY, TestClient } from '../../packages/replica/test/engine-client.ts';

const INSTRUCTIONS = 40_000_000_000n;
const FEES = new Fees(FEE_SCHEDULES['docs-2026-08']);
const LOADED_BYTES = 8 * 1024 ** 3;

/** A canister as the engine holds it, without scheduler and store: what one message costs inside the process. */
export class LoadedCanister implements Disposable {
  readonly #dataDir: string;
  readonly #store: DurableStore;
  readonly #canister: Canister;
  readonly #code: LoadedCode;
  readonly #runner = new SlicedRunner({
    message: DEFAULT_HEAVY_SETTINGS.messageSlice,
    query: DEFAULT_HEAVY_SETTINGS.querySlice,
  });

  private constructor(dataDir: string, store: DurableStore, canister: Canister, code: LoadedCode) {
    this.#dataDir = dataDir;
    this.#store = store;
    this.#canister = canister;
    this.#code = code;
  }

  /** Installs `module` in a real engine, runs `prepare` there, and loads the result from what it stored. */
  static async install(
    module: Uint8Array,
    prepare: (client: TestClient, id: Uint8Array) => Promise<void> = async () => {},
  ): Promise<LoadedCanister> {
    const client = await TestClient.start({ loadedBytes: LOADED_BYTES }, true);
    const { dataDir } = client.configuration;
    const id = await client.create();
    await client.install(id, module);
    await prepare(client, id);
    await client.close();
    const store = DurableStore.open(dataDir);
    const canister = SubnetState.load(store).find(id);
    if (!canister) throw new Error('The canister is not in the store.');
    const code = new CodeCache(store, new ModuleCache(), { budgetBytes: LOADED_BYTES }).get(canister);
    return new LoadedCanister(dataDir, store, canister, code);
  }

  get heapMib(): number {
    return this.#code.instance.memory.buffer.byteLength / 1024 ** 2;
  }

  update(method: string): void {
    const error = this.#enter('U', `canister_update ${method}`);
    if (error) throw error;
    this.#code.instance.commit();
    this.#code.stable.commit();
  }

  query(method: string): void {
    const error = this.#enter('NRQ', `canister_query ${method}`);
    if (error) throw error;
    this.#code.rollback();
  }

  /** Runs an update that must trap, and undoes it. */
  trap(method: string): void {
    if (!this.#enter('U', `canister_update ${method}`)) throw new Error(`${method} did not trap.`);
  }

  [Symbol.dispose](): void {
    this.#store.close();
    rmSync(this.#dataDir, { recursive: true, force: true });
  }

  /** Runs code in a slice of the engine thread; returns why it failed. */
  #enter(entry: EntryPoint, name: string): Error | undefined {
    const { instance } = this.#code;
    this.#runner.begin(entry === 'NRQ' ? 'query' : 'message');
    const context = messageContext({
      entry,
      subnet: { subnetId: ALICE, rootKeyDer: ALICE },
      canister: this.#canister.record,
      account: new Account(FEES, this.#canister, 1_000_000_000n),
      balance: this.#canister.record.cycles,
      timeNanos: 1_700_000_000_000_000_000n,
      instructionLimit: INSTRUCTIONS,
      caller: ALICE,
      arg: EMPTY,
      canRespond: true,
      maxReplyBytes: 2 * 1024 ** 2,
    });
    const result = this.#runner.run(this.#code, context, () => instance.call(name));
    this.#runner.end();
    return result.error;
  }
}
