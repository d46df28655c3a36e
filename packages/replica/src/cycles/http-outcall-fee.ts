/** How many nodes make an HTTP outcall, and how many of their responses the canister gets. */
export type OutcallReplication =
  | { readonly kind: 'full' }
  | { readonly kind: 'single' }
  | {
      readonly kind: 'flexible';
      /** Without counts a flexible outcall asks every node and wants more than two thirds of the answers. */
      readonly counts?: OutcallCounts;
    };

interface OutcallCounts {
  readonly totalRequests: bigint;
  readonly minResponses: bigint;
  readonly maxResponses: bigint;
}

/** What an outcall uses; sizes in bytes. */
export interface OutcallUsage {
  readonly requestBytes: bigint;
  readonly roundtripMilliseconds: bigint;
  readonly rawResponseBytes: bigint;
  readonly transformedResponseBytes: bigint;
  readonly transformInstructions: bigint;
}

/**
 * An HTTP outcall of pricing version 2 on a subnet of `n` nodes, in cycles. Source: dfinity/ic, pay-as-you-go pricing
 * of HTTP outcalls (`total_fee`): a base fee, a fee for each node that takes part, and a fee for the responses put
 * into a block.
 */
export function httpOutcallFee(usage: OutcallUsage, replication: OutcallReplication, n: bigint): bigint {
  const counts = countsOf(replication, n);
  const network = 50n * usage.rawResponseBytes + 300n * usage.roundtripMilliseconds;
  const transform = usage.transformInstructions / 13n;
  const gossip = replication.kind === 'full' ? 0n : 50n * usage.transformedResponseBytes * n;
  const perNode = network + transform + gossip;
  return (
    baseFee(usage, replication, counts, n) +
    counts.totalRequests * perNode +
    blockFee(usage, replication, counts, n)
  );
}

function countsOf(replication: OutcallReplication, n: bigint): OutcallCounts {
  if (replication.kind === 'full') return { totalRequests: n, minResponses: 1n, maxResponses: 1n };
  if (replication.kind !== 'flexible') return { totalRequests: 1n, minResponses: 1n, maxResponses: 1n };
  return replication.counts ?? { totalRequests: n, minResponses: (2n * n) / 3n + 1n, maxResponses: n };
}

function baseFee(
  { requestBytes }: OutcallUsage,
  { kind }: OutcallReplication,
  { minResponses }: OutcallCounts,
  n: bigint,
): bigint {
  const common = 1_000_000n + 50n * requestBytes;
  if (kind === 'full') return n * (common + 140_000n * n + 800n * n * n);
  return n * (common + 90_000n * n + extraResponse(n) * minResponses);
}

/** Consensus on one more response of a flexible outcall, for each node. */
function extraResponse(n: bigint): bigint {
  return 2_000n * n + 100_000n;
}

function blockFee(
  { transformedResponseBytes }: OutcallUsage,
  { kind }: OutcallReplication,
  { minResponses, maxResponses }: OutcallCounts,
  n: bigint,
): bigint {
  const perByte = (10n * n + 600n) * n;
  if (kind !== 'flexible') return perByte * transformedResponseBytes;
  const beyond = maxResponses > minResponses ? maxResponses - minResponses : 0n;
  return perByte * maxResponses * (181n + transformedResponseBytes) + n * extraResponse(n) * beyond;
}
