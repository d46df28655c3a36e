import type { TestCertifier } from './test-certifier.ts';

/** A call that the canister ended with an error. */
class CanisterTrap extends Error {
  override readonly name = 'CanisterTrap';
}

interface Message {
  readonly kind: 'update' | 'query' | 'system';
  readonly argument: Uint8Array;
  readonly caller: Uint8Array;
  readonly reply: Uint8Array[];
  replied: boolean;
}

/** A call in one line: what is sent, by whom. */
export interface CallOptions {
  readonly caller?: Uint8Array;
}

const PAGE = 65_536;

/** What survives an upgrade. */
interface Durable {
  stable: Uint8Array;
  certifiedData: Uint8Array;
}

/**
 * Runs the canister's module in V8 with the system functions it imports. Good enough to see what the module does
 * with a message; a trap is not undone, so a test that expects one ends with it or expects it before any change.
 */
export class Ic0Host {
  readonly canisterId: Uint8Array;
  readonly controller: Uint8Array;
  /** Nanoseconds since 1970. */
  time = 1_700_000_000_000_000_000n;
  readonly environment = new Map<string, string>();
  /** What a look at the instruction counter adds to it: high numbers make long work of short one. */
  instructionsPerLook = 0n;
  /** How many messages it took to answer the last call. */
  messages = 0;
  readonly #module: WebAssembly.Module;
  readonly #certifier: TestCertifier;
  readonly #durable: Durable = { stable: new Uint8Array(0), certifiedData: new Uint8Array(0) };
  #exports: WebAssembly.Exports = {};
  #instructions = 0n;
  /** The callback of the call under way: all calls are rejected. */
  #call: { readonly fun: number; readonly env: number } | undefined;
  #message: Message = {
    kind: 'system',
    argument: new Uint8Array(),
    caller: new Uint8Array(),
    reply: [],
    replied: false,
  };

  constructor(module: Uint8Array, certifier: TestCertifier, canisterId: Uint8Array, controller: Uint8Array) {
    this.#module = new WebAssembly.Module(Uint8Array.from(module));
    this.#certifier = certifier;
    this.canisterId = canisterId;
    this.controller = controller;
  }

  install(argument: Uint8Array = new Uint8Array()): void {
    this.#instantiate();
    this.#run('canister_init', {
      kind: 'system',
      argument,
      caller: this.controller,
      reply: [],
      replied: false,
    });
  }

  /** A new instance over the same stable memory; the canister has no `pre_upgrade` that could be skipped. */
  upgrade(argument: Uint8Array = new Uint8Array()): void {
    this.#instantiate();
    this.#run('canister_post_upgrade', {
      kind: 'system',
      argument,
      caller: this.controller,
      reply: [],
      replied: false,
    });
  }

  update(method: string, argument: Uint8Array, { caller = this.controller }: CallOptions = {}): Uint8Array {
    return this.#run(`canister_update ${method}`, {
      kind: 'update',
      argument,
      caller,
      reply: [],
      replied: false,
    });
  }

  query(method: string, argument: Uint8Array, { caller = this.controller }: CallOptions = {}): Uint8Array {
    return this.#run(`canister_query ${method}`, {
      kind: 'query',
      argument,
      caller,
      reply: [],
      replied: false,
    });
  }

  get stableBytes(): number {
    return this.#durable.stable.length;
  }

  overwriteStable(at: number, bytes: Uint8Array): void {
    this.#durable.stable.set(bytes, at);
  }

  get certificate(): Uint8Array {
    return this.#certifier.certificate(this.canisterId, this.#durable.certifiedData, this.time);
  }

  #instantiate(): void {
    this.#exports = new WebAssembly.Instance(this.#module, { ic0: this.#functions() }).exports;
  }

  #run(name: string, message: Message): Uint8Array {
    const entry = this.#exports[name];
    if (typeof entry !== 'function') throw new CanisterTrap(`the canister has no ${name}`);
    this.#message = message;
    this.messages = 0;
    this.#enter(() => entry());
    while (this.#call !== undefined) {
      const { fun, env } = this.#call;
      this.#call = undefined;
      this.#enter(() => this.#callback(fun)(env));
    }
    if (message.kind !== 'system' && !message.replied) throw new CanisterTrap(`${name} did not reply`);
    return Uint8Array.from(Buffer.concat(message.reply));
  }

  #enter(code: () => void): void {
    this.messages++;
    this.#instructions = 0n;
    code();
  }

  #callback(index: number): (env: number) => void {
    const { table } = this.#exports;
    const callback: unknown = table instanceof WebAssembly.Table ? table.get(index) : undefined;
    if (typeof callback !== 'function') throw new CanisterTrap('the canister exports no table of functions');
    return (env) => void callback(env);
  }

  #bytes(start: number, size: number): Uint8Array {
    const { memory } = this.#exports;
    if (!(memory instanceof WebAssembly.Memory)) throw new CanisterTrap('the canister exports no memory');
    return new Uint8Array(memory.buffer, start >>> 0, size);
  }

  #text(start: number, size: number): string {
    return new TextDecoder().decode(this.#bytes(start, size));
  }

  #copier(source: () => Uint8Array) {
    return (target: number, offset: number, size: number): void =>
      this.#bytes(target, size).set(source().subarray(offset, offset + size));
  }

  #functions(): Record<string, WebAssembly.ImportValue> {
    const names = () => [...this.environment.keys()];
    const encode = (text = '') => new TextEncoder().encode(text);
    const durable = this.#durable;
    return {
      msg_arg_data_size: () => this.#message.argument.length,
      msg_arg_data_copy: this.#copier(() => this.#message.argument),
      msg_caller_size: () => this.#message.caller.length,
      msg_caller_copy: this.#copier(() => this.#message.caller),
      msg_reply_data_append: (start: number, size: number) =>
        void this.#message.reply.push(this.#bytes(start, size).slice()),
      msg_reply: () => {
        this.#message.replied = true;
      },
      canister_self_size: () => this.canisterId.length,
      canister_self_copy: this.#copier(() => this.canisterId),
      is_controller: (start: number, size: number) =>
        Number(Buffer.compare(this.#bytes(start, size), this.controller) === 0),
      time: () => this.time,
      trap: (start: number, size: number) => {
        throw new CanisterTrap(this.#text(start, size));
      },
      certified_data_set: (start: number, size: number) => {
        durable.certifiedData = this.#bytes(start, size).slice();
      },
      data_certificate_present: () => Number(this.#message.kind === 'query'),
      data_certificate_size: () => this.certificate.length,
      data_certificate_copy: this.#copier(() => this.certificate),
      stable64_size: () => BigInt(durable.stable.length / PAGE),
      stable64_grow: (pages: bigint) => {
        const before = durable.stable;
        durable.stable = new Uint8Array(before.length + Number(pages) * PAGE);
        durable.stable.set(before);
        return BigInt(before.length / PAGE);
      },
      stable64_write: (offset: bigint, source: bigint, size: bigint) =>
        durable.stable.set(this.#bytes(Number(source), Number(size)), Number(offset)),
      stable64_read: (target: bigint, offset: bigint, size: bigint) =>
        this.#bytes(Number(target), Number(size)).set(
          durable.stable.subarray(Number(offset), Number(offset + size)),
        ),
      performance_counter: () => {
        this.#instructions += this.instructionsPerLook;
        return this.#instructions;
      },
      call_new: (
        _callee: number,
        _calleeSize: number,
        _name: number,
        _nameSize: number,
        _replyFun: number,
        _replyEnv: number,
        rejectFun: number,
        rejectEnv: number,
      ) => {
        this.#call = { fun: rejectFun, env: rejectEnv };
      },
      call_on_cleanup: () => undefined,
      call_perform: () => 0,
      root_key_size: () => this.#certifier.rootKey.length,
      root_key_copy: this.#copier(() => this.#certifier.rootKey),
      env_var_count: () => this.environment.size,
      env_var_name_size: (index: number) => encode(names()[index]).length,
      env_var_name_copy: (index: number, target: number, offset: number, size: number) =>
        this.#copier(() => encode(names()[index]))(target, offset, size),
      env_var_value_size: (start: number, size: number) =>
        encode(this.environment.get(this.#text(start, size))).length,
      env_var_value_copy: (start: number, nameSize: number, target: number, offset: number, size: number) =>
        this.#copier(() => encode(this.environment.get(this.#text(start, nameSize))))(target, offset, size),
    };
  }
}
