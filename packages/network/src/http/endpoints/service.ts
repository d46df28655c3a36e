import type { Certifier } from '@cannery/ic/certification/certifier';
import type { NetworkKeys } from '@cannery/ic/certification/signatures/keys';
import type { NodeSigner } from '@cannery/ic/certification/signatures/signer';
import type { StateTree } from '@cannery/ic/certification/tree/state-tree';
import type { Engine } from '@cannery/replica/messages';
import type { CertifiedQueries } from './certified-state.ts';

/** What the HTTP interface works with. */
export interface NetworkService {
  readonly engine: Engine;
  readonly state: StateTree;
  readonly certifier: Certifier;
  readonly queries: CertifiedQueries;
  readonly keys: NetworkKeys;
  readonly nodeSigner: NodeSigner;
  /** Whether only this computer can reach it: it listens at loopback, under no other names, and no proxy gives its canisters addresses. */
  readonly isLoopback: boolean;
  /** Unix time of the network in nanoseconds. */
  now(): bigint;
  /**
   * Unix time in nanoseconds by the machine's clock, which the network's own time is ahead of after the clock was set back;
   * absent where that cannot be.
   */
  machineNow?(): bigint;
  /** Sets the time of the network, see `Engine.setTime` and `Engine.advanceTime`; only where other processes may do that. */
  readonly timeControl?: Pick<Engine, 'setTime' | 'advanceTime'>;
}

/** An answer of the API; an absent body is an empty one. */
export interface HttpReply {
  readonly status: number;
  readonly contentType?: string;
  readonly body?: Uint8Array;
}

/** An answer in CBOR (200). */
export function cborReply(body: Uint8Array): HttpReply {
  return { status: 200, contentType: 'application/cbor', body };
}

/** An answer in JSON (200). */
export function jsonReply(value: unknown): HttpReply {
  return { status: 200, contentType: 'application/json', body: Buffer.from(JSON.stringify(value)) };
}

/** An answer in plain text. */
export function textReply(status: number, text: string): HttpReply {
  return { status, contentType: 'text/plain; charset=utf-8', body: Buffer.from(text) };
}
