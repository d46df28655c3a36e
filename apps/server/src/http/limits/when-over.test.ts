import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { whenOver } from './when-over.ts';

test('everything that waits for the end of an answer is done once, by one listener', async () => {
  const done: string[] = [];
  const listeners: number[] = [];
  const over = Promise.withResolvers<void>();
  const server = createServer((_request, response) => {
    const before = response.listenerCount('close');
    for (let place = 0; place < 40; place += 1) whenOver(response, () => done.push(`${place}`));
    listeners.push(response.listenerCount('close') - before);
    whenOver(response, () => {
      whenOver(response, () => done.push('late'));
      over.resolve();
    });
    response.end('x');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  get({ port: (server.address() as AddressInfo).port, agent: false }, (answer) => answer.resume());
  await over.promise;
  server.close();
  expect(listeners).toEqual([1]);
  expect(done).toEqual([...Array.from({ length: 40 }, (_one, place) => `${place}`), 'late']);
});
