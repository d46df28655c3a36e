import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { api } from '../../../lib/api/api.ts';
import { versionsQuery } from '../api/queries.ts';
import { versionOf } from './use-install-dapp.ts';

const version = (number: string) => ({
  id: `id of ${number}`,
  version: number,
  notes: '',
  identifier: `module of ${number}`,
  created_at: '2026-01-01T00:00:00.000Z',
  size: null,
});

test('arguments are asked for the module that is installed, also where a newer or an older list is at hand', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  const { queryKey } = versionsQuery('dapp');
  client.setQueryData(queryKey, [version('2'), version('1')]);
  expect(await versionOf(client, { id: 'dapp', wasm: 'module of 1' })).toMatchObject({ version: '1' });

  using call = vi.spyOn(api, 'call');
  call.mockResolvedValue([version('3'), version('2'), version('1')]);
  const newest = { id: 'dapp', wasm: 'module of 3' };
  expect(await versionOf(client, newest), 'the list was read before').toMatchObject({ version: '3' });
  await versionOf(client, newest);
  expect(call).toHaveBeenCalledOnce();
  expect(await versionOf(client, { id: 'dapp', wasm: 'of nobody' })).toBeUndefined();
});
