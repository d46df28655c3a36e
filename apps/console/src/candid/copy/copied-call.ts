import type { ServiceMethod } from '@cannery/candid';

/** A call as it is copied, to be made elsewhere. */
export interface CopiedCall {
  readonly canisterId: string;
  readonly method: ServiceMethod;
  readonly values: readonly unknown[];
  /** Address of the IC HTTP interface. */
  readonly networkUrl: string;
  /** Whether the network vouches for its own root key. */
  readonly networkIsLocal: boolean;
  /** The caller's principal; undefined for an anonymous call. */
  readonly caller: string | undefined;
}

/** Whether a call asks one replica only. */
export function isQuery({ mode }: ServiceMethod): boolean {
  return mode === 'query' || mode === 'composite_query';
}
