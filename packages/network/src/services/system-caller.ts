import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { hashOfMap } from '@cannery/ic/certification/signatures/representation-hash';
import type { IcMethods } from '@cannery/ic/generated/ic-interface';
import type { StateTree } from '@cannery/ic/certification/tree/state-tree';
import type { Engine } from '@cannery/replica/messages';
import { MANAGEMENT_ID } from '@cannery/replica/state/canister-id';
import { SYSTEM_PRINCIPAL } from '@cannery/replica/state/provisional';
import type { Rejection } from '@cannery/ic/state-leaves';
import { encodeManagement } from './management-argument.ts';

const TTL_NANOS = 240_000_000_000n;
/** Installing takes some tenths of a second; a machine that is busy takes its time. */
const WAIT_MILLIS = 60_000;

/** A call of the network itself was refused. */
export class SystemCallError extends Error {
  override readonly name = 'SystemCallError';

  constructor(method: string, refusal: Rejection | undefined) {
    super(`${method}: ${refusal ? refusal.message : `no answer within ${WAIT_MILLIS / 1000} s`}`);
  }
}

/** The part of a running network that calls go through. */
export interface CallableNetwork {
  readonly engine: Engine;
  readonly state: StateTree;
  now(): bigint;
}

/** Calls canisters as the network itself: before it serves anybody, and with a principal that nobody else can have. */
export class SystemCaller {
  readonly #network: CallableNetwork;

  constructor(network: CallableNetwork) {
    this.#network = network;
  }

  /** Calls the management canister about a canister. Throws `SystemCallError`. */
  async manage<Name extends keyof IcMethods>(
    method: Name,
    about: Uint8Array,
    arg: IcMethods[Name]['arg'],
  ): Promise<void> {
    await this.update(MANAGEMENT_ID, method, encodeManagement(method, arg), about);
  }

  /** Calls a method of a canister. Throws `SystemCallError`. */
  async update(
    canisterId: Uint8Array,
    method: string,
    arg: Uint8Array,
    effectiveCanisterId = canisterId,
  ): Promise<void> {
    const { engine, state, now } = this.#network;
    const expiryNanos = now() + TTL_NANOS;
    const requestId = hashOfMap({
      request_type: 'call',
      sender: SYSTEM_PRINCIPAL,
      nonce: randomBytes(16),
      ingress_expiry: expiryNanos,
      canister_id: canisterId,
      method_name: method,
      arg,
    });
    const bytes = arg.length;
    const admission = await engine.submit({
      requestId,
      sender: SYSTEM_PRINCIPAL,
      canisterId,
      effectiveCanisterId,
      method,
      arg,
      bytes,
      expiryNanos,
    });
    if (!admission.accepted) throw new SystemCallError(method, admission);
    const patience = new AbortController();
    await Promise.race([
      state.finished(requestId),
      delay(WAIT_MILLIS, undefined, { signal: patience.signal, ref: false }).catch(() => undefined),
    ]);
    patience.abort();
    const status = state.request(requestId)?.status;
    if (status?.status === 'rejected') throw new SystemCallError(method, status);
    if (status?.status !== 'replied') throw new SystemCallError(method, undefined);
  }
}
