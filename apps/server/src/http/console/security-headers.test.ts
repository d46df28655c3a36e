import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { testHttpApp } from '../http-app.testing.ts';

const called = { network: 'https://net.example', api: undefined };

/** The head of what comes back for bytes that are sent as they are. */
function headFor(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
    socket.on('error', reject);
    socket.on('close', () => resolve(answer.split('\r\n\r\n')[0]?.toLowerCase() ?? ''));
  });
}

test('a console by https tells browsers to come by nothing else for a year, and one without TLS does not', async () => {
  for (const httpsOnly of [true, false]) {
    const { app } = await testHttpApp({ called: { ...called, httpsOnly } });
    for (const url of ['/', '/api/no/such/call']) {
      const { headers } = await app.inject({ url });
      expect(headers['strict-transport-security']).toBe(
        httpsOnly ? 'max-age=31536000; includeSubDomains' : undefined,
      );
    }
    await app.close();
  }
});

test('answers that come before any route have the headers that forbid frames and guessing of types', async () => {
  const { app, port } = await testHttpApp({ servesHost: (header) => header === 'ours' });
  app.get('/one/:id', async () => 'one');
  await app.ready();
  const bare = [
    'GET / HTTP/1.1\r\nHost: theirs\r\n\r\n',
    'no request\r\n\r\n',
    `GET / HTTP/1.1\r\nHost: ours\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
  ];
  const unreadable = ['/%', '/%ff', `/one/${'x'.repeat(400)}`].map(
    (path) => `GET ${path} HTTP/1.1\r\nHost: ours\r\nConnection: close\r\n\r\n`,
  );
  for (const text of [...bare, ...unreadable, 'GET / HTTP/1.1\r\nHost: ours\r\nConnection: close\r\n\r\n']) {
    const head = await headFor(port, text);
    expect(head).toMatch(/^http\/1\.1 4/);
    expect(head).toContain('x-content-type-options: nosniff');
    expect(head).toContain('referrer-policy: no-referrer');
    expect(head).toMatch(/content-security-policy: .*frame-ancestors 'none'/);
  }
  await app.close();
});
