import type { Origin } from './message.ts';

export type OutcallMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'PATCH';

export interface HttpHeader {
  readonly name: string;
  readonly value: string;
}

/** An HTTP request of a canister that is not answered yet. It is stored, so that a restart can answer its call. */
export interface Outcall {
  readonly id: number;
  readonly origin: Origin;
  /** The canister that asked; it also has the transform function. */
  readonly canister: Uint8Array;
  /** Cycles that go back with the answer. */
  readonly refund: bigint;
  readonly url: string;
  readonly method: OutcallMethod;
  readonly headers: readonly HttpHeader[];
  readonly body: Uint8Array;
  readonly maxResponseBytes: number;
  readonly transform: { readonly method: string; readonly context: Uint8Array } | undefined;
}

/** What a test answers an HTTP request of a canister with. */
export type MockedResponse =
  | { readonly status: bigint; readonly headers: HttpHeader[]; readonly body: Uint8Array }
  | { readonly rejectCode: number; readonly message: string };

/**
 * Which HTTP requests canisters may make: none; `https` to public addresses, as on the Internet Computer; or also
 * `http` and `https` to this machine itself. With `mocked` none is made: each waits until a test answers it.
 */
export type OutcallPolicy = 'off' | 'https' | 'https-and-loopback' | 'mocked';

/** Whether an operator may choose the policy of this name. */
export function isOutcallPolicy(name: string): name is Exclude<OutcallPolicy, 'mocked'> {
  return name === 'off' || name === 'https' || name === 'https-and-loopback';
}
