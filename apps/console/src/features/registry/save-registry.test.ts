import type { Registry } from '@cannery/contract';
import { registryForm } from '@cannery/contract';
import { expect, test } from 'vitest';
import { createApiClient } from '../../lib/api/api-client.ts';
import { startTestServer } from '../../testing/http-server.ts';
import type { SavingStep } from './registry-steps.ts';
import { saveRegistry } from './save-registry.ts';

const entry: Registry = {
  id: 'flour',
  name: 'Flour',
  wasm_identifier: 'abc',
  version: 1,
  created_at: '2024-03-05T15:07:00Z',
};

test('[ERR-12] a refused save is thrown to the caller with the text of the service, and frees the dialog', async () => {
  await using server = await startTestServer(() => ({
    status: 400,
    body: { error: 'The pantry is full.', message: 'The pantry is full.' },
  }));
  const api = createApiClient({ base: server.base, readToken: () => 't' });
  const steps: SavingStep[] = [];
  const { signal } = new AbortController();
  const saving = saveRegistry(
    api,
    { name: 'Rye', file: undefined },
    { entry, signal, tell: (step) => steps.push(step) },
  );
  await expect(saving).rejects.toThrow('The pantry is full.');
  expect(steps).toMatchObject([
    { at: 'saving' },
    { at: 'failed', error: { message: 'The pantry is full.' } },
  ]);
});

test('[VAL-13] [API-15] an update without a file sends the name and the stored identifier, and uploads nothing', async () => {
  await using server = await startTestServer(() => ({ body: {} }));
  const api = createApiClient({ base: server.base, readToken: () => 't' });
  const { signal } = new AbortController();
  await saveRegistry(api, { name: 'Rye', file: undefined }, { entry, signal, tell: () => undefined });
  expect(server.seen.map(({ method, url, body }) => [method, url, JSON.parse(body)])).toEqual([
    ['POST', '/api/registry/update/flour', { name: 'Rye', identifier: 'abc' }],
  ]);
});

test.each(['', '   ', '\t\n'])('[VAL-11] the name %j is refused as missing', (name) => {
  expect(registryForm.safeParse({ name }).error?.issues[0]?.message).toBe('Name is required.');
});

test('[VAL-11] a name is trimmed', () => {
  expect(registryForm.parse({ name: '  Rye  ' })).toEqual({ name: 'Rye' });
});
