import {
  canisterEndpoints,
  deployEndpoints,
  documentEndpoints,
  repositoryEndpoints,
  userEndpoints,
} from '@cannery/contract';
import { expect, test, vi } from 'vitest';
import { startTestServer } from '../../testing/http-server.ts';
import { createApiClient } from './api-client.ts';
import { ApiError } from './api-error.ts';

const canister = {
  id: 'aaaaa-aa',
  name: 'one',
  cycles: 1,
  cycles_exact: '1',
  status: 'running',
  module_hash: null,
  created_at: '2024-03-05T15:07:00Z',
  updated_at: null,
};

test('[AUTH-15] every call carries the bearer token as it is stored at that moment', async () => {
  await using server = await startTestServer(() => ({ body: [] }));
  let token: string | undefined = 'first';
  const api = createApiClient({ base: server.base, readToken: () => token });
  await api.call(canisterEndpoints.list, {});
  token = 'second';
  await api.call(deployEndpoints.list, {});
  // A stream of events is a call as well; this answer is none.
  const stream = { params: { id: 'd', instanceId: 'i' }, signal: new AbortController().signal };
  await expect(api.events(deployEndpoints.log, stream)).rejects.toMatchObject({ code: 'unreadable_answer' });
  token = undefined;
  await api.call(deployEndpoints.list, {});
  expect(server.seen.map(({ authorization }) => authorization)).toEqual([
    'Bearer first',
    'Bearer second',
    'Bearer second',
    undefined,
  ]);
});

test('[API-08] the real-time form keeps the path of the call table', async () => {
  await using server = await startTestServer(() => ({ body: canister }));
  const api = createApiClient({ base: server.base, readToken: () => 't' });
  await api.call(canisterEndpoints.status, { params: { id: 'a/b' } });
  await api.call(canisterEndpoints.status, { params: { id: 'aaaaa-aa' }, query: { real_time: 'true' } });
  expect(server.seen.map(({ url }) => url)).toEqual([
    '/api/canister/status/a%2Fb',
    '/api/canister/status/aaaaa-aa/?real_time=true',
  ]);
});

test('[VAL-05] the top-up amount travels as a JSON number', async () => {
  await using server = await startTestServer(() => ({ body: { message: 'ok', canister } }));
  const api = createApiClient({ base: server.base, readToken: () => 't' });
  await api.call(canisterEndpoints.topUp, { body: { canister_id: 'aaaaa-aa', amount: 0.05 } });
  expect(server.seen[0]).toMatchObject({
    method: 'POST',
    url: '/api/canister/topup',
    contentType: 'application/json',
    body: '{"canister_id":"aaaaa-aa","amount":0.05}',
  });
});

test('[CAND-13] a file goes up as the multipart field of its endpoint', async () => {
  await using server = await startTestServer(() => ({
    body: { data: { identifier: 'w1' }, identifier: 'w1' },
  }));
  const api = createApiClient({ base: server.base, readToken: () => 't' });
  const file = new File(['\0asm'], 'counter.wasm', { type: 'application/wasm' });
  await expect(api.call(documentEndpoints.uploadWasm, { file })).resolves.toBe('w1');
  expect(server.seen[0]?.contentType).toMatch(/^multipart\/form-data; boundary=/);
  expect(server.seen[0]?.body).toContain('name="wasm"; filename="counter.wasm"');
});

test.each([
  ['bare', [{ name: 'main' }]],
  ['wrapped', { data: [{ name: 'main' }] }],
])('[API-31] a list is read in its %s form', async (_form, body) => {
  await using server = await startTestServer(() => ({ body }));
  const api = createApiClient({ base: server.base, readToken: () => 't' });
  const branches = await api.call(repositoryEndpoints.branches, { body: { repo: 'r', owner: 'o' } });
  expect(branches).toEqual([{ name: 'main' }]);
});

test('an answer that fits no form is an error with a next step', async () => {
  await using server = await startTestServer(() => ({ body: { unexpected: true } }));
  const api = createApiClient({ base: server.base, readToken: () => 't' });
  await expect(api.call(canisterEndpoints.list, {})).rejects.toMatchObject({
    code: 'unreadable_answer',
    nextStep: expect.stringContaining('Reload'),
  });
});

test("[ERR-01] an error answer keeps status, error, message, code and next step of the service's body", async () => {
  const body = { error: 'Too poor.', message: 'Too poor.', code: 'insufficient_balance', next_step: 'Save.' };
  await using server = await startTestServer(() => ({ status: 400, body }));
  const api = createApiClient({ base: server.base, readToken: () => 't' });
  const failure = await api.call(canisterEndpoints.create, { body: {} }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ApiError);
  expect(failure).toMatchObject({
    status: 400,
    error: 'Too poor.',
    message: 'Too poor.',
    code: 'insufficient_balance',
    nextStep: 'Save.',
  });
});

test('an error answer without a readable body still has a sentence', async () => {
  await using server = await startTestServer(() => ({ status: 502, body: '<html>Bad gateway</html>' }));
  const api = createApiClient({ base: server.base, readToken: () => 't' });
  await expect(api.call(canisterEndpoints.list, {})).rejects.toThrow('The service answered with status 502.');
});

test('who follows the connection is told of answers, of calls without one, and of writes that may have happened', async () => {
  let status = 200;
  let body: unknown = [];
  const server = await startTestServer(() => ({ status, body }));
  const heard: unknown[] = [];
  const told = {
    answered: (succeeded: boolean) => heard.push(['answered', succeeded]),
    failed: () => heard.push('failed'),
    lost: (mayRepeat: boolean) => heard.push(['lost', mayRepeat]),
    holds: () => () => undefined,
  };
  const api = createApiClient({ base: server.base, readToken: () => 't', told });
  const hearing = async (call: () => Promise<unknown>): Promise<unknown[]> => {
    heard.length = 0;
    await call().catch(() => undefined);
    return [...heard];
  };
  const list = () => api.call(canisterEndpoints.list, {});
  const create = () => api.call(canisterEndpoints.create, { body: { name: 'one' } });
  const createOnce = () =>
    api.call(canisterEndpoints.create, { body: { name: 'one' }, idempotencyKey: 'key' });
  const stop = () => api.call(canisterEndpoints.stop, { body: { canister_id: 'aaaaa-aa' } });
  const branches = () => api.call(repositoryEndpoints.branches, { body: { repo: 'r', owner: 'o' } });

  expect(await hearing(list)).toEqual([['answered', true]]);
  for (const [refusal, said] of [
    [400, { error: 'No.' }],
    [500, { error: 'No.' }],
    [503, { error: 'The database is away.', code: 'database_unavailable' }],
  ] as const) {
    [status, body] = [refusal, said];
    expect(await hearing(create), `status ${status}`).toEqual([['answered', false]]);
  }
  for (const proxy of [502, 503, 504]) {
    [status, body] = [proxy, '<html>No upstream</html>'];
    expect(await hearing(list), `status ${status}`).toEqual(['failed']);
    expect(await hearing(create), `status ${status}`).toEqual(['failed', ['lost', true]]);
    await expect(list()).rejects.toMatchObject({ code: 'unreachable', status: proxy });
  }
  const aborted = AbortSignal.abort();
  expect(await hearing(() => api.call(canisterEndpoints.list, { signal: aborted }))).toEqual([]);

  await server[Symbol.asyncDispose]();
  expect(await hearing(list)).toEqual(['failed']);
  expect(await hearing(branches)).toEqual(['failed']);
  expect(await hearing(create)).toEqual(['failed', ['lost', true]]);
  expect(await hearing(createOnce), 'the service knows it again').toEqual(['failed', ['lost', false]]);
  expect(await hearing(stop), 'stopped twice is stopped').toEqual(['failed', ['lost', false]]);
  await expect(create()).rejects.toMatchObject({ nextStep: expect.stringContaining('may have happened') });
  await expect(createOnce()).rejects.toMatchObject({ nextStep: expect.not.stringContaining('happened') });
});

test('a refused token is reported', async () => {
  await using server = await startTestServer(() => ({ status: 401, body: { error: 'no', message: 'no' } }));
  const onUnauthenticated = vi.fn();
  const api = createApiClient({ base: server.base, readToken: () => 't', onUnauthenticated });
  await expect(api.call(userEndpoints.profile, {})).rejects.toMatchObject({ status: 401 });
  expect(onUnauthenticated).toHaveBeenCalledTimes(1);
});

test('a service that is not there is an error with status 0', async () => {
  const server = await startTestServer(() => ({ body: [] }));
  const api = createApiClient({ base: server.base, readToken: () => 't' });
  await server[Symbol.asyncDispose]();
  await expect(api.call(canisterEndpoints.list, {})).rejects.toMatchObject({
    status: 0,
    code: 'unreachable',
  });
});
