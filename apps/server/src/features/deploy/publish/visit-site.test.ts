import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { visitSite } from './visit-site.ts';

const never = new AbortController().signal;
let server: Server;
let asked: string[];
/** What is answered, one after another; the last one again and again. */
let statuses: number[];
beforeEach(async () => {
  [asked, statuses] = [[], [200]];
  server = createServer((request, answer) => {
    asked.push(`${request.headers.host} ${request.url}`);
    answer.writeHead(statuses.length > 1 ? (statuses.shift() ?? 0) : (statuses[0] ?? 0), { location: '/x' });
    // A canister may send without end: nothing of it is awaited.
    answer.write('x');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const address = (host: string): string => `http://${host}:${(server.address() as AddressInfo).port}/`;

test.each(['aaaaa-aa.localhost', '127.0.0.1'])(
  'a page at %s is seen, and a redirect is not followed',
  async (host) => {
    expect(await visitSite(address(host), never)).toBe(true);
    statuses = [307];
    expect(await visitSite(address(host), never)).toBe(true);
    const { port } = server.address() as AddressInfo;
    expect(asked).toEqual([`${host}:${port} /`, `${host}:${port} /`]);
  },
);

test('a page that is not there fails at once, a network that is away after some tries', async () => {
  statuses = [404];
  await expect(visitSite(address('a.localhost'), never)).rejects.toThrow(
    /its address answers 404: http:\/\/a\.localhost/,
  );
  expect(asked).toHaveLength(1);
  statuses = [503, 200];
  expect(await visitSite(address('a.localhost'), never)).toBe(true);
  statuses = [502];
  await expect(visitSite(address('a.localhost'), never)).rejects.toThrow(/answers 502/);
});

test('an address that this server cannot reach is no failure', async () => {
  const gone = address('a.localhost');
  server.close();
  await once(server, 'close');
  expect(await visitSite(gone, never)).toBe(false);
});

test('a network that was away is waited for, and the page is asked for from the beginning', async () => {
  statuses = [502, 503, 502, 503, 200];
  let away = 4;
  const wasAway = async (): Promise<boolean> => {
    away -= 1;
    return away >= 0;
  };
  expect(await visitSite(address('a.localhost'), never, wasAway)).toBe(true);
  expect(asked).toHaveLength(5);
});
