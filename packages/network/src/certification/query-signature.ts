import { sign } from 'node:crypto';
import { domainSeparator } from './hash.ts';
import type { NetworkKeys } from './keys.ts';
import { hashOfMap } from './representation-hash.ts';

const RESPONSE_DOMAIN = domainSeparator('ic-response');

/** The node's word for a query answer; agents check it against the node key in `/subnet`. */
export interface NodeSignature {
  readonly timestamp: bigint;
  readonly signature: Uint8Array;
  readonly identity: Uint8Array;
}

/** Signs the fields of a query answer as given at `timestamp` (Unix time in nanoseconds). */
export function signQueryResponse(
  keys: NetworkKeys,
  response: Readonly<Record<string, unknown>>,
  requestId: Uint8Array,
  timestamp: bigint,
): NodeSignature {
  const hash = hashOfMap({ ...response, timestamp, request_id: requestId });
  const signature = sign(null, Buffer.concat([RESPONSE_DOMAIN, hash]), keys.nodeKey);
  return { timestamp, signature, identity: keys.nodeId };
}
