import type { IncomingMessage, ServerResponse } from 'node:http';
import { clientAddress } from '../../http/transport/client-address.ts';
import type { NetworkService } from '../../http/endpoints/service.ts';
import { Admission, type Visitor } from '../visitors/admission.ts';
import { AnswerReaders } from '../reading/answer-readers.ts';
import type { CanisterAddress } from '../visitors/addresses.ts';
import { KeptAnswers } from '../kept/kept-answers.ts';
import { ProvenClaims } from '../proof/proven-claims.ts';

/** What all visits share. */
export class GatewayParts implements AsyncDisposable {
  readonly service: NetworkService;
  readonly admission = new Admission();
  readonly readers = new AnswerReaders();
  readonly proven = new ProvenClaims();
  readonly kept: KeptAnswers;

  constructor(service: NetworkService) {
    this.service = service;
    this.kept = new KeptAnswers(service);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.kept[Symbol.dispose]();
    await this.readers.close();
  }
}

/** One request of a client for a page of a canister. */
export interface Visit {
  readonly parts: GatewayParts;
  readonly visitor: Visitor;
  readonly canisterId: Uint8Array;
  /** The answer is passed on unverified. */
  readonly raw: boolean;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
  /** Ends the connection of the client. */
  drop(): void;
  /** Counts bytes that are kept for the client, until what this returns is called or the visit is over. */
  keep(bytes: number): () => void;
}

/** Begins a visit, which is over when `response` is closed. */
export function beginVisit(
  parts: GatewayParts,
  { canisterId, text, raw }: CanisterAddress,
  { socket }: IncomingMessage,
  response: ServerResponse,
): Visit {
  const gone = new AbortController();
  const visitor = { address: clientAddress(socket.remoteAddress), canister: text };
  const drop = (): void => void response.destroy();
  const kept = new Set<() => void>();
  response.once('close', () => {
    for (const release of kept) release();
    if (!response.writableFinished) gone.abort();
  });
  const keep = (bytes: number): (() => void) => {
    if (response.closed) return () => undefined;
    const release = parts.admission.hold(visitor, bytes, drop);
    kept.add(release);
    return () => {
      kept.delete(release);
      release();
    };
  };
  return { parts, visitor, canisterId, raw, signal: gone.signal, drop, keep };
}
