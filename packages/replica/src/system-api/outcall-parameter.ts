import { WireMessage } from '@cannery/candid/wire-message';
import { IDL } from '@icp-sdk/core/candid';
import type { OutcallReplication, OutcallUsage } from '../cycles/http-outcall-fee.ts';
import { ArgumentCosts } from './argument-costs.ts';

const { Nat64, Nat32, Reserved, Opt, Record, Variant } = IDL;

const Counts = Record({ total_requests: Nat32, min_responses: Nat32, max_responses: Nat32 });
/** The parameter of `ic0.cost_http_request_v2`. */
const Parameters = Record({
  request_bytes: Nat64,
  http_roundtrip_time_ms: Nat64,
  raw_response_bytes: Nat64,
  transformed_response_bytes: Nat64,
  transform_instructions: Nat64,
  outcall_type: Opt(Variant({ fully_replicated: Reserved, non_replicated: Reserved, flexible: Opt(Counts) })),
});

interface CandidCounts {
  total_requests: number;
  min_responses: number;
  max_responses: number;
}
type OutcallType = { fully_replicated: null } | { non_replicated: null } | { flexible: [] | [CandidCounts] };
interface CandidParameters {
  request_bytes: bigint;
  http_roundtrip_time_ms: bigint;
  raw_response_bytes: bigint;
  transformed_response_bytes: bigint;
  transform_instructions: bigint;
  outcall_type: [] | [OutcallType];
}

/** An outcall whose price a canister asks for. */
export interface OutcallParameter {
  readonly usage: OutcallUsage;
  readonly replication: OutcallReplication;
}

/** The outcall that a Candid parameter describes. Throws `Error` when it is malformed. */
export function readOutcallParameter(parameter: Uint8Array): OutcallParameter {
  // Bounds the work of the decoder, which is not metered.
  new WireMessage(parameter, new ArgumentCosts()).skipAll();
  const [value] = IDL.decode([Parameters], parameter) as unknown as [CandidParameters];
  return {
    usage: {
      requestBytes: value.request_bytes,
      roundtripMilliseconds: value.http_roundtrip_time_ms,
      rawResponseBytes: value.raw_response_bytes,
      transformedResponseBytes: value.transformed_response_bytes,
      transformInstructions: value.transform_instructions,
    },
    replication: replicationOf(value.outcall_type),
  };
}

function replicationOf([type]: CandidParameters['outcall_type']): OutcallReplication {
  if (!type || 'fully_replicated' in type) return { kind: 'full' };
  if ('non_replicated' in type) return { kind: 'single' };
  const [counts] = type.flexible;
  if (!counts) return { kind: 'flexible' };
  return {
    kind: 'flexible',
    counts: {
      totalRequests: BigInt(counts.total_requests),
      minResponses: BigInt(counts.min_responses),
      maxResponses: BigInt(counts.max_responses),
    },
  };
}
