import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { startTestServer } from '../support/server.ts';

let server: Awaited<ReturnType<typeof startTestServer>>;
let ada: ApiClient;

beforeAll(async () => {
  server = await startTestServer({ UPLOAD_MB: 1 });
  ada = await ApiClient.signIn(server.url, 'ada');
});
afterAll(() => server?.close());

/** One connection, which is kept for the next request. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

async function call(method: string, path: string, type?: string, body?: Buffer): Promise<number> {
  const headers = {
    authorization: `Bearer ${ada.token}`,
    ...(type !== undefined && { 'content-type': type, 'content-length': body?.length }),
  };
  const sent = request(`${server.url}/api${path}`, {
    method,
    headers,
    agent,
    signal: AbortSignal.timeout(10_000),
  });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  return answer.statusCode ?? 0;
}

test('after an upload that is refused in its middle, the connection takes the next request', async () => {
  const head =
    '--edge\r\nContent-Disposition: form-data; name="wasm"; filename="a.wasm"\r\nContent-Type: application/wasm\r\n\r\n';
  const module = Buffer.alloc(24 * 1024 * 1024, Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]));
  const form = Buffer.concat([Buffer.from(head), module, Buffer.from('\r\n--edge--\r\n')]);
  for (let round = 0; round < 3; round += 1) {
    expect(await call('POST', '/document/upload', 'multipart/form-data; boundary=edge', form)).toBe(400);
    expect(await call('GET', '/user/profile')).toBe(200);
  }
});
