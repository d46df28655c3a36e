import type { NetworkService } from '../http/service.ts';
import { Admission, type Visitor } from './admission.ts';
import { AnswerReaders } from './answer-readers.ts';
import { ProvenClaims } from './proven-claims.ts';

/** What all visits share. */
export class GatewayParts implements AsyncDisposable {
  readonly service: NetworkService;
  readonly admission = new Admission();
  readonly readers = new AnswerReaders();
  readonly proven = new ProvenClaims();

  constructor(service: NetworkService) {
    this.service = service;
  }

  async [Symbol.asyncDispose](): Promise<void> {
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
  readonly drop: () => void;
}
