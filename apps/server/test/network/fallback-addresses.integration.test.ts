import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AnonymousIdentity } from '@icp-sdk/core/agent';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createIcClient } from '../../src/ic/create-ic-client.ts';
import { ForeignNetwork, LONG_MS } from '../support/foreign-network.ts';
import { type NetworkProxy, startNetworkProxy } from '../support/network-proxy.ts';

const T = 1_000_000_000_000n;
const network = new ForeignNetwork();

/** Two ways to one network, as two boundary nodes are. */
let ways: readonly [NetworkProxy, NetworkProxy];
beforeEach(async () => {
  ways = [await startNetworkProxy(network.url), await startNetworkProxy(network.url)];
  await network.start({ IC_URL: ways[0].url, IC_FALLBACK_URLS: ways[1].url });
});
afterEach(async () => {
  for (const way of ways) await way.close();
});

test('a network whose first address is away is worked with by the second, and by the first when that is back', {
  timeout: LONG_MS,
}, async () => {
  const [first, second] = ways;
  first.refuse(503);
  const id = await network.ada.create('Shop');
  expect((await network.ada.get(`/canister/status/${id}/?real_time=true`)).body.status).toBe('running');
  first.heal();
  second.refuse(503);
  expect((await network.topUp(id, 1)).status).toBe(200);
  expect(await network.balance()).toBe(57n * T);

  first.refuse(503);
  expect((await network.ada.post('/canister/stop', { canister_id: id })).status).toBe(503);
});

test.each(['before', 'after'] as const)(
  'a payment whose connection ends %s the network has carried it out is made once',
  { timeout: LONG_MS },
  async (moment) => {
    const id = await network.ada.create('Shop');
    const before = await network.cyclesOf(id);
    let isCut = false;
    ways[0].cutAt(moment, () => {
      isCut = true;
    });
    expect((await network.topUp(id, 5)).status).toBe(200);
    expect(isCut).toBe(true);
    expect(await network.balance()).toBe(53n * T);
    const got = (await network.cyclesOf(id)) - before;
    // What it burns meanwhile is less than a hundredth of that.
    expect(got).toBeGreaterThan((499n * T) / 100n);
    expect(got).toBeLessThanOrEqual(5n * T);
  },
);

/** A way that takes calls, ends the connection and hands them on only when it is told. */
async function startLateWay(): Promise<{ url: string; handOn(): Promise<void>; close(): void }> {
  const taken: { path: string; body: Uint8Array<ArrayBuffer> }[] = [];
  const server = createServer(async (request, response) => {
    const body = new Uint8Array(Buffer.concat(await request.toArray()));
    const path = request.url ?? '/';
    if (path.endsWith('/call')) {
      taken.push({ path, body });
      request.socket.destroy();
      return;
    }
    const answer = await fetch(`${network.url}${path}`, {
      method: request.method ?? 'GET',
      headers: { 'content-type': 'application/cbor' },
      ...(body.length > 0 && { body }),
    });
    response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async handOn() {
      for (const { path, body } of taken.splice(0)) {
        const headers = { 'content-type': 'application/cbor' };
        await fetch(`${network.url}${path}`, { method: 'POST', headers, body });
      }
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

test('what one node may have taken is not given back because the next one refuses it', {
  timeout: LONG_MS,
}, async () => {
  const id = await network.ada.create('Shop');
  const late = await startLateWay();
  const refusing = createServer(async (request, response) => {
    await request.toArray();
    response.writeHead(request.url?.endsWith('/call') === true ? 429 : 503).end('Too many calls.');
  });
  await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve));
  const refusingUrl = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}`;
  await network.product.kill('SIGTERM');
  try {
    await network.restart({
      IC_URL: late.url,
      IC_FALLBACK_URLS: refusingUrl,
    });
    const { status } = await network.topUp(id, 5);
    expect(status).toBe(503);
    expect(await network.balance()).toBe(53n * T);
    // Nor is a method said to be refused.
    const client = createIcClient({
      icUrl: late.url,
      fallbackUrls: [refusingUrl],
      identity: new AnonymousIdentity(),
    });
    const call = {
      canisterId: id,
      method: 'any',
      arg: new Uint8Array(),
      nonce: new Uint8Array(16),
      expiresAt: undefined,
    };
    expect(await client.methods.update(call)).toEqual({ status: 'pending' });
    await late.handOn();
    await expect
      .poll(async () => (await network.ada.list('/transactions/')).map((line) => line.transaction_name), {
        timeout: LONG_MS,
      })
      .toContain('CANISTER_TOPUP');
    expect(await network.balance()).toBe(53n * T);
  } finally {
    late.close();
    refusing.close();
  }
});
