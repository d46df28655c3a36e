import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';
import { SubnetTime } from '../src/clock.ts';
import { type EngineConfiguration, startEngine } from '../src/engine/host.ts';
import { MANAGEMENT_METHODS } from '../src/management/table.ts';
import type { Engine } from '../src/messages.ts';
import type { Outcome, RequestLeaf, StateDelta } from '@cannery/ic/state-leaves';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const NANOS = 1_000_000n;

export const ALICE: Uint8Array = Uint8Array.from([1, 2, 3, 4, 2]);
export const BOB: Uint8Array = Uint8Array.from([9, 9, 2]);
export const EMPTY: Uint8Array = Uint8Array.of(0x44, 0x49, 0x44, 0x4c, 0, 0);

/** A call ended with a reject response, or was not admitted. */
export class Rejected extends Error {
  readonly code: string;
  readonly rejectCode: number;
  readonly admitted: boolean;

  constructor(code: string, rejectCode: number, message: string, admitted: boolean) {
    super(message);
    this.code = code;
    this.rejectCode = rejectCode;
    this.admitted = admitted;
  }
}

function testConfiguration(overrides: Partial<EngineConfiguration> = {}): EngineConfiguration {
  return {
    dataDir: mkdtempSync(join(tmpdir(), 'cannery-engine-')),
    rootKeyDer: Uint8Array.from({ length: 133 }, (_, i) => i),
    subnetId: Uint8Array.from({ length: 29 }, (_, i) => i),
    ...tinySlices(),
    ...overrides,
  };
}

/** See `tiny-slices.ts`. */
function tinySlices(): Pick<EngineConfiguration, 'heavy'> {
  const slice = process.env['CANNERY_TEST_SLICE'];
  if (slice === undefined) return {};
  return { heavy: { messageSlice: BigInt(slice), querySlice: BigInt(slice), prepareBytes: 0 } };
}

/** Drives an engine the way the HTTP interface does, and mirrors the certified state from its deltas. */
export class TestClient implements AsyncDisposable {
  readonly configuration: EngineConfiguration;
  readonly canisters = new Map<string, StateDelta['canisters'][number]>();
  readonly requests = new Map<string, RequestLeaf>();
  /** Size of every message as the network bills it; that of the argument where not set. */
  messageBytes: number | undefined;
  readonly #time = new SubnetTime();
  readonly #keepData: boolean;
  #engine: Engine | undefined;
  #waiting = new Map<string, (leaf: RequestLeaf) => void>();

  private constructor(configuration: EngineConfiguration, keepData: boolean) {
    this.configuration = { ...configuration, time: this.#time.buffer };
    this.#keepData = keepData;
  }

  static async start(overrides: Partial<EngineConfiguration> = {}, keepData = false): Promise<TestClient> {
    const client = new TestClient(testConfiguration(overrides), keepData);
    await client.open();
    return client;
  }

  get engine(): Engine {
    if (!this.#engine) throw new Error('closed');
    return this.#engine;
  }

  async open(): Promise<void> {
    this.#engine = await startEngine(this.configuration);
    await new Promise<void>((resolve) => {
      this.engine.subscribe((delta) => {
        this.#apply(delta);
        resolve();
      });
    });
  }

  /** Subnet time in nanoseconds. */
  now(): bigint {
    return this.#time.now();
  }

  /** By how much time was set ahead of the machine's clock, in nanoseconds. */
  get aheadNanos(): bigint {
    return this.#time.offsetNanos;
  }

  async advance(seconds: bigint): Promise<void> {
    await this.engine.advanceTime(seconds * 1_000_000_000n);
  }

  async close(): Promise<void> {
    await this.#engine?.close();
    this.#engine = undefined;
  }

  async restart(): Promise<void> {
    await this.close();
    this.canisters.clear();
    this.requests.clear();
    await this.open();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
    if (!this.#keepData) rmSync(this.configuration.dataDir, { recursive: true, force: true });
  }

  /** Submits an update call and returns its request ID. */
  async submit(
    canisterId: Uint8Array,
    method: string,
    arg: Uint8Array,
    sender: Uint8Array = ALICE,
    requestId: Uint8Array = new Uint8Array(randomBytes(32)),
    effectiveCanisterId: Uint8Array = canisterId,
  ): Promise<Uint8Array> {
    const admission = await this.engine.submit({
      requestId,
      sender,
      canisterId,
      effectiveCanisterId,
      method,
      arg,
      bytes: this.messageBytes ?? arg.length,
      expiryNanos: this.now() + 240_000n * NANOS,
    });
    if (!admission.accepted) {
      throw new Rejected(admission.errorCode, admission.rejectCode, admission.message, false);
    }
    return requestId;
  }

  /** The outcome of a submitted call, once it is certified. */
  async outcome(requestId: Uint8Array): Promise<Outcome> {
    const known = this.requests.get(hex(requestId));
    const leaf = known && isDone(known) ? known : await this.#wait(hex(requestId));
    return leaf.status as Outcome;
  }

  /** The status of a request as certified by now. */
  statusOf(requestId: Uint8Array): string | undefined {
    return this.requests.get(hex(requestId))?.status.status;
  }

  async update(
    canisterId: Uint8Array,
    method: string,
    arg: Uint8Array = EMPTY,
    sender: Uint8Array = ALICE,
  ): Promise<Uint8Array> {
    return unwrap(await this.outcome(await this.submit(canisterId, method, arg, sender)));
  }

  async query(
    canisterId: Uint8Array,
    method: string,
    arg: Uint8Array = EMPTY,
    sender: Uint8Array = ALICE,
  ): Promise<Uint8Array> {
    const result = await this.engine.query({ sender, canisterId, method, arg });
    if (result.status === 'stale-certificate' || result.status === 'malformed')
      throw new Error(result.status);
    return unwrap(result);
  }

  async management(method: string, arg: object, sender: Uint8Array = ALICE): Promise<unknown> {
    const argument = encodeManagement(method, arg);
    const target = targetOf(arg)?.toUint8Array();
    const requestId = await this.submit(new Uint8Array(0), method, argument, sender, undefined, target);
    return decodeManagement(method, unwrap(await this.outcome(requestId)));
  }

  async managementQuery(method: string, arg: object, sender: Uint8Array = ALICE): Promise<unknown> {
    return decodeManagement(
      method,
      await this.query(new Uint8Array(0), method, encodeManagement(method, arg), sender),
    );
  }

  async create(
    options: { cycles?: bigint; settings?: object; sender?: Uint8Array } = {},
  ): Promise<Uint8Array> {
    const result = (await this.management(
      'provisional_create_canister_with_cycles',
      { amount: options.cycles ?? [], settings: options.settings ?? [] },
      options.sender,
    )) as { canister_id: Principal };
    return result.canister_id.toUint8Array();
  }

  async install(
    canisterId: Uint8Array,
    module: Uint8Array,
    options: { mode?: object; arg?: Uint8Array; sender?: Uint8Array } = {},
  ): Promise<void> {
    await this.management(
      'install_code',
      {
        mode: options.mode ?? { install: null },
        canister_id: Principal.fromUint8Array(canisterId),
        wasm_module: module,
        arg: options.arg ?? EMPTY,
      },
      options.sender,
    );
  }

  async deploy(module: Uint8Array, options: { cycles?: bigint; arg?: Uint8Array } = {}): Promise<Uint8Array> {
    const id = await this.create(options);
    await this.install(id, module, options);
    return id;
  }

  async status(canisterId: Uint8Array): Promise<Record<string, unknown>> {
    return (await this.managementQuery('canister_status', {
      canister_id: Principal.fromUint8Array(canisterId),
    })) as Record<string, unknown>;
  }

  async cycles(canisterId: Uint8Array): Promise<bigint> {
    return (await this.status(canisterId))['cycles'] as bigint;
  }

  #wait(id: string): Promise<RequestLeaf> {
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  #apply(delta: StateDelta): void {
    for (const leaves of delta.canisters) {
      const key = hex(leaves.canisterId);
      this.canisters.set(key, { ...leaves, metadata: leaves.metadata ?? this.canisters.get(key)?.metadata });
    }
    for (const id of delta.deleted) this.canisters.delete(hex(id));
    for (const leaf of delta.requests) {
      const id = hex(leaf.requestId);
      this.requests.set(id, leaf);
      if (isDone(leaf)) {
        this.#waiting.get(id)?.(leaf);
        this.#waiting.delete(id);
      }
    }
  }
}

/** The canister a management argument is about. */
function targetOf(arg: object): Principal | undefined {
  const { canister_id, target_canister } = arg as { canister_id?: Principal; target_canister?: Principal };
  return canister_id ?? target_canister;
}

const isDone = ({ status }: RequestLeaf): boolean =>
  status.status === 'replied' || status.status === 'rejected';

function unwrap(outcome: Outcome): Uint8Array {
  if (outcome.status === 'replied') return outcome.reply;
  throw new Rejected(outcome.errorCode, outcome.rejectCode, outcome.message, true);
}

/** The argument of a management method; a plain value where the type wants an option is wrapped. */
export function encodeManagement(method: string, arg: object): Uint8Array {
  const type = candidOf(method).arg;
  return type ? new Uint8Array(IDL.encode([type], [lifted(type, arg)])) : EMPTY;
}

export function decodeManagement(method: string, reply: Uint8Array): unknown {
  const type = candidOf(method).result;
  return type ? IDL.decode([type], reply.slice())[0] : undefined;
}

function candidOf(name: string): { arg?: IDL.Type; result?: IDL.Type } {
  const method = MANAGEMENT_METHODS.get(name);
  return {
    ...(method?.argType && { arg: method.argType }),
    ...(method?.resultType && { result: method.resultType }),
  };
}

function lifted(type: IDL.Type, value: unknown): unknown {
  if (type instanceof IDL.OptClass) {
    if (value === undefined || (Array.isArray(value) && value.length === 0)) return [];
    const inner = (type as unknown as { _type: IDL.Type })._type;
    return [lifted(inner, value)];
  }
  if (type instanceof IDL.RecordClass) {
    const fields = (type as unknown as { _fields: [string, IDL.Type][] })._fields;
    const record = value as Record<string, unknown>;
    return Object.fromEntries(fields.map(([name, field]) => [name, lifted(field, record[name])]));
  }
  return value;
}

/** Candid shorthands. */
export const nat = (value: bigint | number): Uint8Array =>
  new Uint8Array(IDL.encode([IDL.Nat], [BigInt(value)]));
export const asNat = (reply: Uint8Array): bigint =>
  IDL.decode([IDL.Nat], reply.slice())[0] as unknown as bigint;
export const asText = (reply: Uint8Array): string =>
  IDL.decode([IDL.Text], reply.slice())[0] as unknown as string;
export const text = (value: string): Uint8Array => new Uint8Array(IDL.encode([IDL.Text], [value]));
export const id = (value: Uint8Array): Uint8Array =>
  new Uint8Array(IDL.encode([IDL.Principal], [Principal.fromUint8Array(value)]));
/** Argument of the management methods that take only a canister. */
export const canisterId = (value: Uint8Array): Uint8Array =>
  new Uint8Array(
    IDL.encode(
      [IDL.Record({ canister_id: IDL.Principal })],
      [{ canister_id: Principal.fromUint8Array(value) }],
    ),
  );
export const principal = (value: Uint8Array): Principal => Principal.fromUint8Array(value);
