import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type MethodMode, parseService, type ServiceMethod } from '@cannery/candid';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createApiClient } from '../../lib/api/api-client.ts';
import type { SendCall } from './call-method.ts';
import { RefusedCallError, UnknownOutcomeError } from './explain-error.ts';
import { sendByConsole } from './send-by-console.ts';

const ID = 'rrkah-fqaaa-aaaaa-aaaaq-cai';
const caller = 'aaaaa-aa';
const replied = { status: 'replied', caller, reply_hex: '4449444c0000', cycles: '1234' };
const away = {
  error: 'The network cannot be reached right now.',
  message: 'The network cannot be reached right now.',
  code: 'network_unavailable',
  next_step: 'Try again.',
};

interface Asked {
  readonly key: string | undefined;
  readonly body: Record<string, unknown>;
}

/** A service that gives one answer after another, and keeps what it was asked. */
let service: Server;
let asked: Asked[];
let answers: { status: number; body: unknown }[];
let send: SendCall;

beforeEach(async () => {
  asked = [];
  service = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const key = request.headers['idempotency-key'];
      asked.push({
        key: typeof key === 'string' ? key : undefined,
        body: JSON.parse(Buffer.concat(chunks).toString()),
      });
      const { status, body } = answers.shift() ?? { status: 500, body: {} };
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const { port } = service.address() as AddressInfo;
  send = sendByConsole(createApiClient({ base: `http://127.0.0.1:${port}`, readToken: () => 'token' }), ID);
});
afterEach(() => new Promise((resolve) => service.close(resolve)));

function method(mode: MethodMode, name = 'do'): ServiceMethod {
  const suffix = mode === 'update' ? '' : ` ${mode}`;
  const [parsed] = parseService(`service : { do : () -> ()${suffix} }`).methods;
  if (!parsed) throw new Error('no method');
  return { ...parsed, name };
}

const arg = Uint8Array.of(0x44, 0x49, 0x44, 0x4c, 0, 0);

test('an update is sent again under its key and its expiry until its outcome is known', async () => {
  answers = [
    { status: 503, body: away },
    { status: 200, body: { status: 'pending', caller } },
    { status: 200, body: replied },
  ];
  expect(await send(method('update'), arg)).toEqual({ reply: arg, cycles: 1234n });
  const [first, ...again] = asked;
  expect(first?.key).toMatch(/^[0-9a-f]{32}$/);
  expect(first?.body).toMatchObject({ canister_id: ID, method: 'do', argument_hex: '4449444c0000' });
  const wait = Date.parse(String(first?.body['expires_at'])) - Date.now();
  expect(wait).toBeGreaterThan(3 * 60_000);
  expect(wait).toBeLessThanOrEqual(4 * 60_000);
  expect(again).toEqual([first, first]);
});

test('two updates are two calls, and a query is neither', async () => {
  answers = [
    { status: 200, body: replied },
    { status: 200, body: replied },
    { status: 200, body: { ...replied, cycles: null } },
  ];
  await send(method('update'), arg);
  await send(method('update'), arg);
  expect(await send(method('composite_query'), arg)).toEqual({ reply: arg, cycles: undefined });
  expect(asked[0]?.key).not.toBe(asked[1]?.key);
  expect(asked[2]).toMatchObject({ key: undefined, body: { as_query: true } });
});

test('a refusal keeps its codes and what it cost, and is not repeated', async () => {
  const reject = { reject_code: 5, error_code: 'IC0503', reject_message: 'no\nmore', cycles: '7' };
  answers = [{ status: 200, body: { status: 'rejected', caller, ...reject } }];
  const error: unknown = await send(method('update'), arg).catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(RefusedCallError);
  expect(error).toMatchObject({ rejectCode: 5, errorCode: 'IC0503', message: 'no\nmore', cycles: 7n });
  answers = [{ status: 404, body: { ...away, code: 'not_found' } }];
  await expect(send(method('update'), arg)).rejects.toMatchObject({ code: 'not_found' });
  expect(asked).toHaveLength(2);
});

test('a oneway method is sent, with or without the end that the network reports', async () => {
  const silent = { reject_code: 5, error_code: 'IC0506', reject_message: 'did not reply', cycles: null };
  answers = [
    { status: 200, body: { status: 'rejected', caller, ...silent } },
    { status: 200, body: replied },
    { status: 200, body: { status: 'rejected', caller, ...silent, error_code: 'IC0503' } },
  ];
  expect(await send(method('oneway'), arg)).toMatchObject({ reply: undefined });
  expect(await send(method('oneway'), arg)).toMatchObject({ reply: undefined });
  await expect(send(method('oneway'), arg)).rejects.toBeInstanceOf(RefusedCallError);
});

test('what the service would change or refuse is not sent', async () => {
  answers = [];
  await expect(send(method('update', 'a\0b'), arg)).rejects.toThrow('NUL');
  await expect(send(method('query'), new Uint8Array(400 * 1024))).rejects.toThrow('393,216 bytes');
  expect(asked).toEqual([]);
  answers = [{ status: 200, body: { status: 'pending', caller } }];
  await expect(send(method('query'), arg)).rejects.toBeInstanceOf(UnknownOutcomeError);
});

test('an update goes out also from a page without TLS, where a browser makes no UUIDs', async () => {
  using uuid = vi.spyOn(crypto, 'randomUUID');
  uuid.mockImplementation(() => {
    throw new TypeError('crypto.randomUUID is not a function');
  });
  answers = [{ status: 200, body: replied }];
  await send(method('update'), arg);
  expect(asked[0]?.key).toMatch(/^[0-9a-f]{32}$/);
});
