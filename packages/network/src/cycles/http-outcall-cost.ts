import { SUBNET_NODES } from './cost-table.ts';

/** How many nodes make an HTTP outcall, and how many of their responses the canister gets. */
export type OutcallReplication =
  | { readonly kind: 'full' | 'single' }
  | {
      readonly kind: 'flexible';
      readonly totalRequests: bigint;
      readonly minResponses: bigint;
      readonly maxResponses: bigint;
    };

/** What an outcall uses; sizes in bytes. */
export interface OutcallUsage {
  readonly requestBytes: bigint;
  readonly roundtripMilliseconds: bigint;
  readonly rawResponseBytes: bigint;
  readonly transformedResponseBytes: bigint;
  readonly transformInstructions: bigint;
}

/** Without counts a flexible outcall asks every node and wants more than two thirds of the answers. */
export const DEFAULT_FLEXIBLE: OutcallReplication = {
  kind: 'flexible',
  totalRequests: SUBNET_NODES,
  minResponses: (2n * SUBNET_NODES) / 3n + 1n,
  maxResponses: SUBNET_NODES,
};

const N = SUBNET_NODES;

/**
 * An HTTP outcall of pricing version 2, in cycles. Source: dfinity/ic, pay-as-you-go pricing of HTTP outcalls
 * (`total_fee`): a base fee, a fee for each node that takes part, and a fee for the responses put into a block.
 */
export function costOfHttpOutcall(usage: OutcallUsage, replication: OutcallReplication): bigint {
  const network = 50n * usage.rawResponseBytes + 300n * usage.roundtripMilliseconds;
  const transform = usage.transformInstructions / 13n;
  const gossip = replication.kind === 'full' ? 0n : 50n * usage.transformedResponseBytes * N;
  const perNode = network + transform + gossip;
  return baseFee(usage, replication) + nodesOf(replication) * perNode + blockFee(usage, replication);
}

function baseFee({ requestBytes }: OutcallUsage, replication: OutcallReplication): bigint {
  const common = 1_000_000n + 50n * requestBytes;
  if (replication.kind === 'full') return N * (common + 140_000n * N + 800n * N * N);
  const responses = replication.kind === 'flexible' ? replication.minResponses : 1n;
  return N * (common + 90_000n * N + extraResponse * responses);
}

/** Consensus on one more response of a flexible outcall, for each node. */
const extraResponse = 2_000n * N + 100_000n;

function blockFee({ transformedResponseBytes }: OutcallUsage, replication: OutcallReplication): bigint {
  const perByte = (10n * N + 600n) * N;
  if (replication.kind !== 'flexible') return perByte * transformedResponseBytes;
  const { minResponses, maxResponses } = replication;
  const beyond = maxResponses > minResponses ? maxResponses - minResponses : 0n;
  return perByte * maxResponses * (181n + transformedResponseBytes) + N * extraResponse * beyond;
}

function nodesOf(replication: OutcallReplication): bigint {
  if (replication.kind === 'flexible') return replication.totalRequests;
  return replication.kind === 'full' ? N : 1n;
}
