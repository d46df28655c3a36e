import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Principal } from '@icp-sdk/core/principal';
import { loadOrCreateKeys, type NetworkKeys } from '@cannery/ic/certification/signatures/keys';
import { NodeSigner, startSigner } from '@cannery/ic/certification/signatures/signer';
import type { Outcome, RequestLeaf } from '@cannery/ic/state-leaves';
import { PatientTime, SubnetTime } from '@cannery/replica/clock';
import { type StartedEngine, startEngine } from '@cannery/replica/engine/host';
import type { Admission } from '@cannery/replica/messages';
import { canisterIdOf } from '@cannery/replica/state/canister-id';
import { rangeNear } from '@cannery/replica/state/id-range';
import { certifiedState } from '../../http/endpoints/certified-state.ts';
import type { NetworkService } from '../../http/endpoints/service.ts';
import { badRequest, notFound } from '../../http/transport/request-error.ts';
import { serveNetwork } from '../../serve-network.ts';
import type { InstanceRequest } from '../wire/instance-request.ts';
import type { Json } from '../wire/json.ts';
import { subnetIds, type Topology, topologyAnswer } from '../wire/topology.ts';

/** How long a call may take by the network's time, in nanoseconds: five minutes, as ingress messages live. */
const CALL_NANOS = 300_000_000_000n;
/** Rounds after which PocketIC gives up a call that is waited for. */
const MOST_ROUNDS = 100;
/** How often a call is looked at while the instance goes on by itself, in milliseconds. */
const LOOK_EVERY_MILLIS = 10;
const LOOPBACK = '127.0.0.1';

/** A call as a test makes it: nobody signs it. */
export interface Call {
  readonly sender: Uint8Array;
  readonly canisterId: Uint8Array;
  readonly method: string;
  readonly arg: Uint8Array;
  /** Where a canister is to be made; the first subnet where not given. */
  readonly place: { readonly subnet: Uint8Array } | { readonly canister: Uint8Array } | undefined;
}

/** A gateway of an instance. */
interface Gateway extends AsyncDisposable {
  readonly port: number;
}

/** One network for tests: an engine in a thread beside this one, its folder, and its gateways. */
export class Instance implements AsyncDisposable {
  readonly engine: StartedEngine;
  readonly keys: NetworkKeys;
  readonly topology: Topology;
  readonly subnets: readonly Uint8Array[];
  readonly #time: SubnetTime;
  readonly #resources: AsyncDisposableStack;
  #service: Promise<NetworkService> | undefined;
  #isLive = false;

  private constructor(
    engine: StartedEngine,
    keys: NetworkKeys,
    topology: Topology,
    time: SubnetTime,
    resources: AsyncDisposableStack,
  ) {
    this.engine = engine;
    this.keys = keys;
    this.topology = topology;
    this.subnets = subnetIds(keys.subnetId, topology);
    this.#time = time;
    this.#resources = resources;
  }

  /** Starts an instance on a folder of this program, which stands still; rejects when the folder cannot be used. */
  static async start(dataDir: string, { topology, startNanos }: InstanceRequest): Promise<Instance> {
    const keys = await loadOrCreateKeys(dataDir);
    const time = new SubnetTime();
    await using resources = new AsyncDisposableStack();
    const engine = resources.adopt(
      await startEngine({
        dataDir,
        rootKeyDer: keys.rootKey,
        subnetId: keys.subnetId,
        time: time.buffer,
        fees: topology.fees,
        httpOutcalls: 'mocked',
        steps: { startNanos },
        idRanges: topology.subnets,
      }),
      (each) => each.close(),
    );
    return new Instance(engine, keys, topology, time, resources.move());
  }

  get isLive(): boolean {
    return this.#isLive;
  }

  /** Whether it goes on by itself, in the time of this machine. */
  async setLive(on: boolean): Promise<void> {
    await this.engine.control('setProgress', on);
    this.#isLive = on;
  }

  /** The subnet a canister is on; undefined where there is no such canister. */
  async subnetOf(canisterId: Uint8Array): Promise<Uint8Array | undefined> {
    const canister = await this.engine.control('canister', canisterId);
    if (!canister) return undefined;
    const range = rangeNear(this.topology.subnets, canisterId);
    return this.subnets[range ? this.topology.subnets.indexOf(range) : 0];
  }

  /** What `/_/topology` answers. */
  describe(): Json {
    return topologyAnswer(this.topology, this.subnets);
  }

  /** Puts a call into its queue, and returns the ID by which its outcome can be asked for. */
  async submit(call: Call): Promise<{ readonly requestId: Uint8Array; readonly admission: Admission }> {
    const { sender, canisterId, method, arg } = call;
    await this.#checkPlace(canisterId);
    const requestId = new Uint8Array(randomBytes(32));
    const admission = await this.engine.control('submit', {
      requestId,
      sender,
      canisterId,
      effectiveCanisterId: canisterId.length > 0 ? canisterId : this.#addressOf(call.place),
      method,
      arg,
      bytes: arg.length + method.length + canisterId.length + sender.length,
      expiryNanos: this.#time.now() + CALL_NANOS,
    });
    return { requestId, admission };
  }

  /** The outcome of a call, if it has one. Throws `RequestError` 404 for one that is not known, or not any more. */
  async outcome(requestId: Uint8Array): Promise<{ readonly leaf: RequestLeaf; readonly outcome?: Outcome }> {
    const leaf = await this.engine.control('request', requestId);
    if (!leaf) throw notFound('No call with this ID is known.');
    const { status } = leaf;
    if (status.status === 'done') throw notFound('The outcome of the call is not kept any more.');
    return status.status === 'replied' || status.status === 'rejected' ? { leaf, outcome: status } : { leaf };
  }

  /** Goes on, a round at a time, until the call has an outcome; rejects with `RequestError` 400 after 100 rounds. */
  async awaitOutcome(requestId: Uint8Array): Promise<Outcome> {
    for (let rounds = 0; ; ) {
      const { outcome } = await this.outcome(requestId);
      if (outcome) return outcome;
      if (this.#isLive) {
        await delay(LOOK_EVERY_MILLIS);
        continue;
      }
      rounds += 1;
      if (rounds > MOST_ROUNDS) throw badRequest(`The call was not answered within ${MOST_ROUNDS} rounds.`);
      await this.engine.control('round');
    }
  }

  /** Answers a query; a canister that asks for its certificate gets one. */
  async query({ sender, canisterId, method, arg }: Call): Promise<Outcome> {
    const message = { sender, canisterId, method, arg };
    await this.#checkPlace(canisterId);
    const result = await this.engine.query(message);
    if (result.status === 'malformed') throw badRequest(result.message);
    if (result.status !== 'stale-certificate') return result;
    return (await this.service()).queries.run(message);
  }

  /** What answers agents, and certifies; started when it is first asked for. */
  service(): Promise<NetworkService> {
    this.#service ??= this.#startService();
    return this.#service;
  }

  /**
   * Opens the interface of the Internet Computer and its gateway on a port of loopback, 0 for a free one; it ends with the
   * instance at the latest. Rejects with `AddressInUseError`.
   */
  async openGateway(port: number): Promise<Gateway> {
    const { engine, keys } = this;
    const time = this.#time;
    const patient = new PatientTime(time, time.now());
    return serveNetwork(
      {
        engine,
        keys,
        isLoopback: true,
        now: () => time.now(),
        machineNow: () => time.machine(),
        believedNow: () => patient.now(),
      },
      { host: LOOPBACK, port },
    );
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#resources.disposeAsync();
  }

  /** Throws `RequestError` 400 for an ID that no subnet has; whether a canister has it is for the engine to say. */
  async #checkPlace(canisterId: Uint8Array): Promise<void> {
    if (canisterId.length === 0 || rangeNear(this.topology.subnets, canisterId)) return;
    if (await this.engine.control('canister', canisterId)) return;
    const text = Principal.fromUint8Array(canisterId).toText();
    throw badRequest(`Canister ${text} does not belong to any subnet.`);
  }

  #addressOf(place: Call['place']): Uint8Array {
    if (place && 'canister' in place) return place.canister;
    const index = place ? this.subnets.findIndex((id) => Buffer.compare(id, place.subnet) === 0) : 0;
    const subnet = this.topology.subnets[index];
    if (!subnet) throw badRequest('The instance has no such subnet.');
    return canisterIdOf(subnet.makesFrom);
  }

  async #startService(): Promise<NetworkService> {
    const { engine, keys } = this;
    const time = this.#time;
    const now = (): bigint => time.now();
    const signer = this.#resources.adopt(startSigner(keys.rootSecretKey), (each) => each.close());
    const patient = new PatientTime(time, now());
    const certified = await certifiedState(engine, keys, signer, now, () => patient.now());
    return {
      ...certified,
      engine,
      keys,
      nodeSigner: new NodeSigner(keys),
      isLoopback: true,
      now,
      machineNow: () => time.machine(),
    };
  }
}
