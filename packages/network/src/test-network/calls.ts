import { type CertifiedQueries, certifiedState } from '../http/endpoints/certified-state.ts';
import { startSigner } from '@cannery/ic/certification/signatures/signer';
import type { Outcome } from '@cannery/ic/state-leaves';
import type { EngineHere } from '@cannery/replica/engine/engine-here';
import { MANAGEMENT_ID } from '@cannery/replica/state/canister-id';
import type { Principal } from '@icp-sdk/core/principal';
import { CallRejectedError, CallUnansweredError, type Called, NetworkEndedError } from './errors.ts';
import { seededBytes, testKeys } from './test-keys.ts';

/** How long a call may take by the network's time, in nanoseconds: five minutes, as ingress messages live. */
const CALL_NANOS = 300_000_000_000n;
/** Rounds that a call is waited for, as PocketIC waits. */
const MOST_ROUNDS = 100;

/** A call as a test makes it: nobody signs it. */
export interface Call extends Called {
  readonly sender: Principal;
  readonly arg: Uint8Array;
}

/** Carries out the calls of one network, one after another in the order in which they were asked for. */
export class Calls implements AsyncDisposable {
  readonly #engine: EngineHere;
  readonly #seed: string;
  readonly #resources = new AsyncDisposableStack();
  #last: Promise<unknown> = Promise.resolve();
  #made = 0;
  #queries: Promise<CertifiedQueries> | undefined;
  #ended: NetworkEndedError | undefined;

  constructor(engine: EngineHere, seed: string) {
    this.#engine = engine;
    this.#seed = seed;
    void engine.failed.then((cause) => {
      this.#ended ??= new NetworkEndedError(`The network has stopped: ${cause.message}`, { cause });
    });
  }

  /** Does `work` when all that was asked for before is done. Rejects with `NetworkEndedError` once the network has ended. */
  inTurn<T>(work: () => T | Promise<T>): Promise<T> {
    const done = this.#last.then(() => {
      if (this.#ended) throw this.#ended;
      return work();
    });
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Puts a call into its queue and returns its ID. Rejects with `CallRejectedError` where it is not let in. In turn only. */
  async submit(call: Call): Promise<Uint8Array> {
    const { controls } = this.#engine;
    const { canisterId, method } = call;
    this.#made += 1;
    const requestId = seededBytes(this.#seed, `request ${this.#made}`);
    const target = canisterId?.toUint8Array() ?? MANAGEMENT_ID;
    // The caller may change its bytes while the call waits.
    const arg = call.arg.slice();
    const sender = call.sender.toUint8Array();
    const admission = await controls.submit({
      requestId,
      sender,
      canisterId: target,
      effectiveCanisterId: target,
      method,
      arg,
      bytes: arg.length + method.length + target.length + sender.length,
      expiryNanos: controls.time() + CALL_NANOS,
    });
    if (!admission.accepted) throw new CallRejectedError(call, admission);
    return requestId;
  }

  /**
   * Goes on, a round at a time, until the call has its reply. Rejects with `CallRejectedError`, and with `CallUnansweredError`
   * after 100 rounds. In turn only.
   */
  async reply(call: Called, requestId: Uint8Array): Promise<Uint8Array> {
    const { controls } = this.#engine;
    for (let rounds = 0; rounds <= MOST_ROUNDS; rounds++) {
      const status = controls.request(requestId)?.status;
      if (status?.status === 'replied' || status?.status === 'rejected') return replyOf(call, status);
      await this.round();
    }
    throw new CallUnansweredError(call, MOST_ROUNDS, controls.outcalls().length);
  }

  /** One round. In turn only. */
  async round(): Promise<void> {
    await Promise.race([this.#engine.controls.round(), this.#engine.failed]);
    if (this.#ended) throw this.#ended;
  }

  /** Answers a query; a canister that asks for its certificate gets one. In turn only. */
  async query(call: Call): Promise<Uint8Array> {
    const message = {
      sender: call.sender.toUint8Array(),
      canisterId: call.canisterId?.toUint8Array() ?? MANAGEMENT_ID,
      method: call.method,
      arg: call.arg.slice(),
    };
    const result = await this.#engine.query(message);
    if (result.status === 'malformed')
      throw new CallRejectedError(call, { rejectCode: 1, errorCode: 'IC0516', message: result.message });
    if (result.status !== 'stale-certificate') return replyOf(call, result);
    this.#queries ??= this.#startQueries();
    return replyOf(call, await (await this.#queries).run(message));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended ??= new NetworkEndedError('The network is closed.');
    await this.#resources.disposeAsync();
  }

  /** Certificates need a thread that signs, which most tests do without. */
  async #startQueries(): Promise<CertifiedQueries> {
    const keys = testKeys(this.#seed);
    const signer = this.#resources.adopt(startSigner(keys.rootSecretKey), (each) => each.close());
    const { queries } = await certifiedState(this.#engine, keys, signer, () => this.#engine.controls.time());
    return queries;
  }
}

function replyOf(call: Called, outcome: Outcome): Uint8Array {
  if (outcome.status === 'replied') return outcome.reply;
  throw new CallRejectedError(call, outcome);
}
