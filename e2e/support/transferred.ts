import type { Page } from '@playwright/test';
import { noteRequests, untilQuiet } from './until-quiet.ts';

/** What a page without a cache has received, heads of answers included, as the tools of a browser count it. */
export interface Transferred {
  readonly bytes: number;
  /** Bytes by address, the largest first. */
  readonly each: readonly (readonly [address: string, bytes: number])[];
}

/** How many addresses `told` names. */
const NAMED = 12;

/** Opens an address in a page that was never used and counts all that comes until nothing more is asked for. */
export async function transferredBy(page: Page, address: string): Promise<Transferred> {
  const addresses = new Map<string, string>();
  const sizes = new Map<string, number>();
  const client = await page.context().newCDPSession(page);
  await client.send('Network.enable');
  client.on('Network.responseReceived', ({ requestId, response }) => {
    addresses.set(requestId, response.url);
    sizes.set(requestId, response.encodedDataLength);
  });
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    sizes.set(requestId, encodedDataLength);
  });
  noteRequests(page);
  await page.goto(address);
  await untilQuiet(page);
  await client.detach();
  const each = [...sizes]
    .map(([id, bytes]) => [new URL(addresses.get(id) ?? address).pathname, bytes] as const)
    .toSorted(([, a], [, b]) => b - a);
  return { bytes: each.reduce((sum, [, bytes]) => sum + bytes, 0), each };
}

/** What was received, for who wants to know what is large. */
export function told({ bytes, each }: Transferred): string {
  const lines = each.slice(0, NAMED).map(([address, size]) => `${size} ${address}`);
  return [`${bytes} bytes in ${each.length} answers`, ...lines].join('\n');
}
