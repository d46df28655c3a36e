/** What is told of a pool of connections to the database. */
interface Pool {
  readonly ended: boolean;
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

const pools = new Set<Pool>();

/** Counts the connections of a pool until it is closed. */
export function watchPool(pool: Pool): void {
  for (const each of pools) if (each.ended) pools.delete(each);
  pools.add(pool);
}

/** Connections of this process that are in use and that wait for work, and what waits for a connection. */
export function connectionsNow(): { used: number; idle: number; waiting: number } {
  const sum = { used: 0, idle: 0, waiting: 0 };
  for (const { ended, totalCount, idleCount, waitingCount } of pools) {
    if (ended) continue;
    sum.used += totalCount - idleCount;
    sum.idle += idleCount;
    sum.waiting += waitingCount;
  }
  return sum;
}
