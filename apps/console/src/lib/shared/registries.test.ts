import type { Registry } from '@cannery/contract';
import { expect, test } from 'vitest';
import { cutRegistries, queryOf, type RegistriesView } from './registries.ts';

const view: RegistriesView = { search: '', sorting: undefined, page: 0, size: 2 };
const registries = ['Rye', 'oat 10', 'Oat 9', null].map(
  (name, place): Registry => ({
    id: `id ${place}`,
    name,
    wasm_identifier: 'aa',
    version: null,
    created_at: `2024-03-0${place + 1}T00:00:00.000Z`,
  }),
);

test('the query of a view says what differs from the first page', () => {
  expect(queryOf(view)).toEqual({ limit: 2 });
  const sorting = { column: 'name', direction: 'desc' } as const;
  expect(queryOf({ search: ' oat ', sorting, page: 3, size: 10 })).toEqual({
    search: 'oat',
    by: 'name',
    direction: 'desc',
    offset: 30,
    limit: 10,
  });
  expect(queryOf({ ...view, sorting: { column: 'price', direction: 'asc' } })).toEqual({ limit: 2 });
});

test('[REG-02] a whole list is searched, sorted and cut as a page of the service is', () => {
  const names = (change: Partial<RegistriesView>) => {
    const { registries: rows, ...counts } = cutRegistries(registries, { ...view, ...change });
    return [rows.map(({ name }) => name), counts.total];
  };
  expect(names({})).toEqual([['Rye', 'oat 10'], 4]);
  expect(names({ page: 1 })).toEqual([['Oat 9', null], 4]);
  expect(names({ search: 'OAT' })).toEqual([['oat 10', 'Oat 9'], 2]);
  expect(names({ search: '10' }), 'a part of a name').toEqual([['oat 10'], 1]);
  expect(names({ search: 'OAT', sorting: { column: 'name', direction: 'asc' } })).toEqual([
    ['Oat 9', 'oat 10'],
    2,
  ]);
  expect(names({ sorting: { column: 'created', direction: 'desc' } })).toEqual([[null, 'Oat 9'], 4]);
  expect(names({ search: 'barley' })).toEqual([[], 0]);
});
