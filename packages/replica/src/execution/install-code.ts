import { createHash } from 'node:crypto';
import type { Account } from '../cycles/account.ts';
import { Bill } from '../cycles/bill.ts';
import { reserveForGrowth } from '../cycles/reservation.ts';
import { ReplicaError, replicaErrors } from '@cannery/ic/errors';
import { WASM_PAGE_BYTES, STORE_PAGE_BYTES } from '@cannery/ic/limits';
import { type Canister, type CanisterRecord, type EditableRecord, recordCopy } from '../state/canister.ts';
import { StagedLog } from '../state/canister-log.ts';
import type { ChangeOrigin } from '../state/history.ts';
import type { Transaction } from '../state/transaction.ts';
import { importFault } from '../system-api/imports.ts';
import { messageContext } from '../system-api/message-context.ts';
import type { WasmCommit } from '@cannery/wasm/instance/instance-exports';
import { keepStable } from './effects.ts';
import type { Environment } from './environment.ts';
import { type CompiledModule, installedCode, type LoadedCode } from './run/loaded-code.ts';
import { chargeRent } from './rent.ts';
import { accountOf, cannotPay } from './spending.ts';

export type InstallMode =
  | { readonly kind: 'install' | 'reinstall' }
  | {
      readonly kind: 'upgrade';
      readonly skipPreUpgrade: boolean;
      readonly wasmMemoryPersistence: 'keep' | 'replace' | undefined;
    };

export interface Installation {
  readonly mode: InstallMode;
  /** The module as it was sent: raw or gzip. */
  readonly module: Uint8Array;
  readonly arg: Uint8Array;
  readonly sender: Uint8Array;
  readonly origin: ChangeOrigin;
}

const EOP_SECTION = 'enhanced-orthogonal-persistence';

/**
 * Installs, reinstalls or upgrades. Throws `ReplicaError` with nothing changed but the cycles for what ran: the new code
 * runs on a draft of the record, and code that ran on the old heap is forgotten, so that the committed state is loaded
 * again.
 */
export function installCode(
  env: Environment,
  tx: Transaction,
  canister: Canister,
  installation: Installation,
): void {
  chargeRent(env, tx, canister);
  const draft = new Draft(env, tx, canister, installation);
  try {
    draft.run();
  } catch (error) {
    if (draft.ranOldCode) env.codes.forget(canister);
    if (error instanceof ReplicaError) draft.payFailed();
    throw error;
  }
  draft.keep();
}

class Draft {
  readonly #env: Environment;
  readonly #tx: Transaction;
  readonly #canister: Canister;
  readonly #installation: Installation;
  readonly #record: EditableRecord;
  readonly #hash: Uint8Array;
  readonly #log: StagedLog;
  readonly #dirty = new Set<number>();
  /** The old code's heap or stable memory may hold changes that were never committed. */
  ranOldCode = false;
  readonly #account: Account;
  #bill: Bill;
  #paid = false;
  #instructions: bigint;
  #reserved = 0n;
  #code: LoadedCode | undefined;
  #heap: WasmCommit | undefined;

  constructor(env: Environment, tx: Transaction, canister: Canister, installation: Installation) {
    this.#env = env;
    this.#tx = tx;
    this.#canister = canister;
    this.#installation = installation;
    this.#record = recordCopy(canister.record);
    this.#account = accountOf(env, canister);
    this.#bill = new Bill(env.fees, env.limits.install, false);
    this.#log = new StagedLog(Number(canister.record.settings.logMemoryLimit));
    this.#instructions = env.limits.install;
    this.#hash = new Uint8Array(createHash('sha256').update(installation.module).digest());
  }

  run(): void {
    const { mode } = this.#installation;
    const { id, record } = this.#canister;
    this.#prepay(false);
    if (mode.kind === 'install' && record.code) throw replicaErrors.nonEmpty(id);
    if (mode.kind === 'upgrade' && !record.code) throw replicaErrors.noWasmModule(id);
    const compiled = this.#compile();
    if (compiled.prepared.memory64) this.#prepay(true);
    if (mode.kind === 'upgrade') this.#upgrade(compiled, mode);
    else this.#replace(compiled);
    this.#reserved = this.#reserve();
  }

  /** Takes what the longest installation of such a module costs from the draft; throws `installOutOfCycles`. */
  #prepay(memory64: boolean): void {
    this.#bill = new Bill(this.#env.fees, this.#env.limits.install, memory64);
    const unpaid = cannotPay(this.#account, this.#canister, this.#bill);
    this.#paid = unpaid === undefined;
    if (unpaid) throw replicaErrors.installOutOfCycles(unpaid.message);
    this.#record.cycles = this.#canister.record.cycles - this.#bill.prepaid;
  }

  /** The canister keeps its state, and pays for the instructions that ran. */
  payFailed(): void {
    if (!this.#paid) return;
    this.#bill.settleFailed(this.#tx.edit(this.#canister), this.#used());
    this.#tx.saveProgress(this.#canister);
  }

  /** Makes the draft the canister's state. */
  keep(): void {
    const code = this.#code;
    const heap = this.#heap;
    if (!code || !heap) throw new Error('The installation did not run.');
    const { mode, module, origin } = this.#installation;
    const tx = this.#tx;
    const canister = this.#canister;
    const record = tx.edit(canister);
    this.#env.store.putBlob(module);
    tx.releaseModule(canister);
    if (this.#record.heapGeneration !== record.heapGeneration) tx.dropSpace(canister.heapSpace());
    if (this.#record.stableGeneration !== record.stableGeneration) tx.dropSpace(canister.stableSpace());
    const { prepared } = code.compiled;
    this.#bill.settle(this.#record, this.#used());
    this.#record.cycles -= this.#reserved;
    this.#record.reservedCycles += this.#reserved;
    Object.assign(record, this.#record, {
      code: installedCode(prepared, {
        moduleHash: this.#hash,
        installedAtNanos: tx.timeNanos,
        moduleBytes: module.length,
        heapPages: heap.logicalPages,
        globals: heap.globals,
      }),
    } satisfies Partial<CanisterRecord>);
    tx.setMetadata(canister, prepared.metadata);
    const space = canister.heapSpace();
    for (const index of this.#dirty) {
      if (index * STORE_PAGE_BYTES < heap.logicalPages * WASM_PAGE_BYTES)
        tx.writePage(space, index, heap.page(index));
    }
    tx.resizeSpace(space, (heap.logicalPages * WASM_PAGE_BYTES) / STORE_PAGE_BYTES);
    keepStable(tx, canister, code);
    this.#env.codes.put(canister, code);
    if (mode.kind === 'reinstall') tx.clearLog(canister);
    tx.addLines(canister, this.#log);
    tx.addChange(canister, {
      timestampNanos: tx.timeNanos,
      canisterVersion: record.version,
      origin,
      details: { kind: 'deployment', mode: mode.kind, moduleHash: this.#hash },
    });
    tx.saveCanister(canister);
    tx.certify(canister, true);
  }

  #compile(): CompiledModule {
    const { id } = this.#canister;
    const hash = Buffer.from(this.#hash).toString('hex');
    const compiled = this.#env.codes.modules.compile(id, hash, this.#installation.module);
    const { imports, memory64 } = compiled.prepared;
    const fault = importFault(imports, memory64);
    if (fault !== undefined) throw replicaErrors.invalidWasm(id, fault);
    return compiled;
  }

  /** Starts from an empty heap and an empty stable memory. */
  #replace(compiled: CompiledModule): void {
    const record = this.#record;
    record.heapGeneration += 1;
    record.stableGeneration += 1;
    record.stablePages = 0;
    record.certifiedData = new Uint8Array(0);
    const fresh = { generation: record.stableGeneration };
    this.#code = this.#env.codes.instantiate(
      this.#canister.id,
      compiled,
      this.#env.codes.stableMemory(this.#canister, fresh),
    );
    this.#start(this.#code, 'canister_init');
  }

  #upgrade(compiled: CompiledModule, mode: InstallMode & { kind: 'upgrade' }): void {
    const old = this.#env.codes.get(this.#canister);
    const keep = this.#keepsHeap(old.compiled, compiled, mode.wasmMemoryPersistence);
    const hook = 'canister_pre_upgrade';
    this.ranOldCode = true;
    if (!mode.skipPreUpgrade && old.instance.hasExport(hook)) {
      this.#phase(old, 'G', () => old.instance.call(hook));
    }
    if (keep) {
      const { memory64 } = old;
      const kept = { memory: old.instance.memory, pages: old.instance.memoryPages(), memory64 };
      this.#code = this.#env.codes.instantiate(this.#canister.id, compiled, old.stable, kept);
    } else {
      this.#dirty.clear();
      this.#record.heapGeneration += 1;
      this.#code = this.#env.codes.instantiate(this.#canister.id, compiled, old.stable);
    }
    this.#start(this.#code, 'canister_post_upgrade');
  }

  /** The rule of the replica for the main memory; `option` is what the caller asked for. */
  #keepsHeap(old: CompiledModule, next: CompiledModule, option: 'keep' | 'replace' | undefined): boolean {
    const supports = ({ prepared }: CompiledModule): boolean =>
      prepared.metadata.some(({ name }) => name === EOP_SECTION);
    if (option === undefined && supports(old)) throw replicaErrors.missingUpgradeOption();
    if (option === 'keep' && !supports(next)) throw replicaErrors.invalidUpgradeOption();
    return option === 'keep';
  }

  /** Runs the start function and then `hook`; the first also writes the module's initial data. */
  #start(code: LoadedCode, hook: string): void {
    const record = this.#record;
    record.version += 1n;
    record.globalTimer = 0n;
    record.lowMemoryHook = 'condition_not_satisfied';
    this.#phase(code, 's', () => code.instance.start());
    if (code.instance.hasExport(hook)) this.#phase(code, 'I', () => code.instance.call(hook));
  }

  #phase(code: LoadedCode, entry: 'G' | 's' | 'I', enter: () => void): void {
    const { sender, arg } = this.#installation;
    const record = this.#record;
    const result = this.#env.runner.run(
      code,
      messageContext({
        entry,
        subnet: this.#env.subnet,
        canister: record,
        account: this.#account,
        balance: record.cycles,
        timeNanos: this.#tx.timeNanos,
        instructionLimit: this.#instructions,
        caller: sender,
        arg,
        maxReplyBytes: 0,
      }),
      enter,
    );
    this.#instructions -= result.instructions;
    this.#log.append(result.context.log);
    if (result.error) throw this.#failed(result.error);
    this.#heap = code.instance.commit();
    for (const index of this.#heap.dirtyPages) this.#dirty.add(index);
    record.cycles = result.context.balance;
    record.consumed.burnedCycles += result.context.burned;
    if (result.context.globalTimer !== undefined) record.globalTimer = result.context.globalTimer;
    if (result.context.certifiedData) record.certifiedData = result.context.certifiedData;
  }

  #used(): bigint {
    return this.#env.limits.install - this.#instructions;
  }

  /** Cycles to reserve for memory beyond what the canister holds now. */
  #reserve(): bigint {
    const code = this.#code;
    if (!code) return 0n;
    const { record } = this.#canister;
    const { usedBytes } = this.#account;
    const pages =
      code.instance.memoryPages() + code.stable.pages - (record.code?.heapPages ?? 0) - record.stablePages;
    const module = this.#installation.module.length - (record.code?.moduleBytes ?? 0);
    return reserveForGrowth(this.#account, this.#canister, {
      usedBytes,
      newUsedBytes: Math.max(0, usedBytes + pages * WASM_PAGE_BYTES + module),
      subnetBytes: this.#env.memory.totalBytes,
      balance: this.#record.cycles,
      keepsFreezingLimit: true,
    });
  }

  /** The canister's log keeps what a failed installation printed. */
  #failed(error: ReplicaError): ReplicaError {
    this.#tx.addLines(this.#canister, this.#log);
    return error;
  }
}
