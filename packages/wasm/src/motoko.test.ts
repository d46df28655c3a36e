import { beforeAll, describe, expect, test } from 'vitest';
import { compileMotoko } from '../../network/test/compile-motoko.ts';
import type { HostFunctions, WasmCommit } from './instance/instance-exports.ts';
import { WasmInstance } from './instance/instance.ts';
import { compileModule, type PreparedModule, prepareModule } from './rewrite/prepare.ts';
import { WasmTrap } from './instance/trap.ts';

const source = (step: number): string => `persistent actor {
  var n : Nat = 0;
  var list : ?{ text : Text; var value : Nat } = null;
  public func add() : async Nat {
    n += ${step};
    list := ?{ text = "value " # debug_show n; var value = n * 1_000_000_000_000_000_000_000 };
    n
  };
  public query func get() : async Nat { n };
  public func fail() : async () { n += 1_000; assert false };
  public func spin() : async () { loop { n += 1 } };
  public func deep() : async Nat { func f(k : Nat) : Nat { if (k == 0) 0 else 1 + f(k + 1) }; f(1) };
  public func fill() : async Nat { let a = [var 0, 1, 2]; var size = 0; while (size < 100_000) { a[size % 3] += size; size += 1 }; a[0] };
}`;

const compile = (step: number, classic = false): PreparedModule =>
  prepareModule(compileMotoko(source(step), { classic }));

/** As much of the system as these canisters call: arguments without content, replies, no calls to others. */
class TinySystem {
  readonly replies: Uint8Array[] = [];
  readonly #wide: boolean;
  #canister: WasmInstance | undefined;
  #reply: Uint8Array[] = [];
  readonly #argument = new TextEncoder().encode('DIDL\0\0');

  constructor(prepared: PreparedModule) {
    this.#wide = prepared.memory64;
  }

  attach(canister: WasmInstance): void {
    this.#canister = canister;
  }

  imports(prepared: PreparedModule): HostFunctions {
    const size = (value: number): number | bigint => (this.#wide ? BigInt(value) : value);
    const known: Record<string, (...values: (number | bigint)[]) => number | bigint | void> = {
      msg_arg_data_size: () => size(this.#argument.length),
      msg_arg_data_copy: (to = 0, from = 0, length = 0) =>
        this.#canister?.write(to, this.#argument.subarray(Number(from), Number(from) + Number(length))),
      msg_caller_size: () => size(1),
      msg_caller_copy: (to = 0) => this.#canister?.write(to, Uint8Array.of(4)),
      msg_reply_data_append: (from = 0, length = 0) => {
        this.#reply.push(this.#canister?.read(from, length) ?? new Uint8Array(0));
      },
      msg_reply: () => {
        this.replies.push(Buffer.concat(this.#reply));
        this.#reply = [];
      },
      trap: () => {
        throw new WasmTrap('other', 'ic0.trap');
      },
      stable64_size: () => 0n,
      stable_size: () => 0,
      canister_version: () => 1n,
      canister_status: () => 1,
      performance_counter: () => this.#canister?.instructionsUsed() ?? 0n,
      time: () => 1n,
      global_timer_set: () => 0n,
      in_replicated_execution: () => 1,
    };
    const missing = (name: string) => (): never => {
      throw new Error(`ic0.${name} is not part of this test`);
    };
    const entries = prepared.imports.map(({ name }) => [name, known[name] ?? missing(name)] as const);
    return Object.fromEntries(entries) as HostFunctions;
  }
}

interface Canister {
  readonly instance: WasmInstance;
  readonly system: TinySystem;
  message(
    name: string,
    options?: { readonly keep?: boolean; readonly instructions?: bigint },
  ): Uint8Array | undefined;
}

function canister(prepared: PreparedModule, keep?: WasmInstance): Canister {
  const system = new TinySystem(prepared);
  const instance = WasmInstance.create(prepared, {
    imports: system.imports(prepared),
    module: compileModule(prepared),
    ...(keep === undefined ? {} : { memory: keep.memory, memoryPages: keep.memoryPages() }),
  });
  system.attach(instance);
  return {
    instance,
    system,
    message(name, { keep: keepChanges = true, instructions = 10_000_000_000n } = {}) {
      instance.begin(instructions);
      try {
        instance.call(name);
      } catch (error) {
        instance.rollback();
        throw error;
      }
      if (keepChanges) instance.commit();
      else instance.rollback();
      return system.replies.at(-1);
    },
  };
}

function install(prepared: PreparedModule): Canister {
  const created = canister(prepared);
  created.instance.begin(10_000_000_000n);
  created.instance.start();
  created.instance.call('canister_init');
  created.instance.commit();
  return created;
}

function heap(instance: WasmInstance): Buffer {
  return Buffer.from(instance.read(0, instance.memoryBytes()));
}

/** Candid: DIDL, no types, one value of type nat. */
function nat(value: number): Uint8Array {
  return Buffer.from([...new TextEncoder().encode('DIDL'), 0, 1, 0x7d, value]);
}

const modules = new Map<string, PreparedModule>();

beforeAll(() => {
  modules.set('enhanced', compile(1));
  modules.set('enhanced, next version', compile(10));
  modules.set('classic', compile(1, true));
}, 60_000);

function prepared(name: string): PreparedModule {
  const found = modules.get(name);
  if (found === undefined) throw new Error(`no module ${name}`);
  return found;
}

describe.each(['enhanced', 'classic'])('Motoko with %s persistence', (mode) => {
  test('uses the memory it is known for', () => {
    expect([prepared(mode).memory64, prepared(mode).table64]).toEqual(
      mode === 'enhanced' ? [true, true] : [false, false],
    );
  });

  test('updates are kept, queries and failed updates leave the heap as it was', () => {
    const { message, instance } = install(prepared(mode));
    expect(message('canister_update add')).toEqual(nat(1));
    expect(message('canister_update add')).toEqual(nat(2));
    const before = heap(instance);
    expect(message('canister_query get', { keep: false })).toEqual(nat(2));
    expect(() => message('canister_update fail')).toThrow('ic0.trap');
    expect(() => message('canister_update spin', { instructions: 5_000_000n })).toThrow('instruction limit');
    expect(() => message('canister_update deep')).toThrow(WasmTrap);
    expect(heap(instance).equals(before)).toBe(true);
    expect(message('canister_update add')).toEqual(nat(3));
  });

  test('a message costs the same every time it is run on the same state', () => {
    const { instance, message } = install(prepared(mode));
    message('canister_update add');
    const costs = [1, 2, 3].map(() => {
      instance.begin(10_000_000_000n);
      instance.call('canister_update fill');
      const used = instance.instructionsUsed();
      instance.rollback();
      return used;
    });
    expect(new Set(costs).size).toBe(1);
    expect(costs[0]).toBeGreaterThan(1_000_000n);
  });

  test('an instance rebuilt from the committed pages equals the live one', () => {
    const live = canister(prepared(mode));
    const first = live.instance;
    const pages = new Map<number, Uint8Array>();
    const keep = (run: () => void): WasmCommit => {
      first.begin(10_000_000_000n);
      run();
      const changes = first.commit();
      for (const page of changes.dirtyPages) pages.set(page, changes.page(page).slice());
      return changes;
    };
    keep(() => {
      first.start();
      first.call('canister_init');
    });
    keep(() => first.call('canister_update add'));
    keep(() => first.call('canister_update fill'));
    const last = keep(() => first.call('canister_update add'));
    const second = canister(prepared(mode));
    second.instance.restore({
      pages: last.logicalPages,
      globals: last.globals,
      readInto: (into) => {
        for (const [index, bytes] of pages) into(index, bytes);
      },
    });
    expect(heap(second.instance).equals(heap(first))).toBe(true);
    expect(second.message('canister_update add')).toEqual(nat(3));
    expect(live.message('canister_update add')).toEqual(nat(3));
    expect(heap(second.instance).equals(heap(first))).toBe(true);
  });
});

describe('an upgrade that keeps the memory', () => {
  function upgrade(old: Canister, next: PreparedModule): Canister {
    old.instance.begin(10_000_000_000n);
    old.instance.call('canister_pre_upgrade');
    const created = canister(next, old.instance);
    created.instance.begin(10_000_000_000n);
    created.instance.start();
    created.instance.call('canister_post_upgrade');
    return created;
  }

  test('goes on with the heap under the new code', () => {
    const old = install(prepared('enhanced'));
    old.message('canister_update add');
    const upgraded = upgrade(old, prepared('enhanced, next version'));
    const changes = upgraded.instance.commit();
    expect(changes.dirtyPages.length).toBeGreaterThan(0);
    expect(upgraded.message('canister_update add')).toEqual(nat(11));
  });

  test('that fails half-way leaves the old canister as it was', () => {
    const old = install(prepared('enhanced'));
    old.message('canister_update add');
    const before = heap(old.instance);
    const upgraded = upgrade(old, prepared('enhanced, next version'));
    upgraded.instance.rollback();
    old.instance.rollback();
    expect(heap(old.instance).equals(before)).toBe(true);
    expect(old.message('canister_update add')).toEqual(nat(2));
  });

  test('is refused when the new code has other addresses', () => {
    const old = install(prepared('enhanced'));
    expect(() => canister(prepared('classic'), old.instance)).toThrow('Wasm module cannot be linked');
  });
});
