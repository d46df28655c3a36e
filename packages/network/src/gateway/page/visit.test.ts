import { once } from 'node:events';
import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NetworkService } from '../../http/endpoints/service.ts';
import { beginVisit, GatewayParts, type Visit } from './visit.ts';

const address = { canisterId: Uint8Array.of(1), text: 'a', raw: false, isOwnHost: true };
/** No question is asked here, so that no network is needed. */
const parts = new GatewayParts({} as NetworkService);
const server = createServer();

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await parts[Symbol.asyncDispose]();
});

/** A request that has come, its visit, and what the client can do. */
async function come(): Promise<{ visit: Visit; response: ServerResponse; leave: () => void }> {
  const { port } = server.address() as AddressInfo;
  const client = httpRequest({ host: '127.0.0.1', port, agent: false });
  client.on('error', () => undefined).on('response', (answer) => answer.resume());
  client.end();
  const [request, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  return { visit: beginVisit(parts, address, request, response), response, leave: () => client.destroy() };
}

test('what is kept for a client counts until it is released, or the visit is over', async () => {
  const { visit, response } = await come();
  const release = visit.keep(10);
  visit.keep(5);
  expect(parts.admission.inFlight.bytes).toBe(15);
  release();
  release();
  expect(parts.admission.inFlight.bytes).toBe(5);
  response.end('done');
  await once(response, 'close');
  expect(parts.admission.inFlight.bytes).toBe(0);
  expect(visit.signal.aborted).toBe(false);
});

test('visits from addresses of one network count together', async () => {
  const { response, leave } = await come();
  const from = (remoteAddress: string): string => {
    const request = { socket: { remoteAddress } } as IncomingMessage;
    return beginVisit(parts, address, request, response).visitor.address;
  };
  expect(from('2001:db8:1:2::1')).toBe(from('2001:db8:1:2:ffff::9'));
  expect(from('2001:db8:1:2::1')).not.toBe(from('2001:db8:1:3::1'));
  leave();
});

test('nothing is counted for a client that has gone, before or after', async () => {
  const { visit, response, leave } = await come();
  visit.keep(10);
  leave();
  await once(response, 'close');
  expect(visit.signal.aborted).toBe(true);
  visit.keep(10)();
  visit.keep(10);
  expect(parts.admission.inFlight.bytes).toBe(0);
});
