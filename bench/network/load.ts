import autocannon from 'autocannon';

export interface LoadOptions {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly expectStatus?: number;
}

/** Requests a second over kept-alive connections; throws unless each one was answered with the expected status. */
export async function requestsPerSecond(options: LoadOptions): Promise<number> {
  const { url, connections, seconds, headers, expectStatus = 200 } = options;
  const result = await autocannon({ url, connections, duration: seconds, headers: { ...headers } });
  const expected = (result.statusCodeStats as Record<string, { count: number }>)[String(expectStatus)]?.count;
  const all = result.requests.total;
  if (result.errors > 0 || expected !== all) {
    throw new Error(
      `${url}: of ${all} requests ${expected ?? 0} had ${expectStatus}, ${result.errors} failed.`,
    );
  }
  return all / result.duration;
}
