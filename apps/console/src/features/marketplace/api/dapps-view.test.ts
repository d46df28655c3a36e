import type { Dapp } from '@cannery/contract';
import { expect, test } from 'vitest';
import { CARDS, fieldsOf, firstView, isNarrowed, pageOfAnswer, queryOf, readView } from './dapps-view.ts';

const dapp = (name: string, more: Partial<Dapp> = {}): Dapp => ({
  id: name,
  name,
  app_name: name,
  icon: null,
  picture: null,
  picture_of: null,
  git_url: null,
  description: 'Cans of peaches',
  wasm: 'aa',
  version: '1.0.0',
  created_at: '2024-03-05T15:07:00.000Z',
  user: { username: 'ada' },
  kind: null,
  installs: null,
  rating: null,
  ratings: null,
  ...more,
});
const names = (answer: readonly Dapp[], view = firstView) =>
  pageOfAnswer(answer, view).dapps.map(({ name }) => name);

test('a view and its address say the same; nonsense in an address is left out', () => {
  const view = { search: 'token', sort: 'installs', kind: 'tool', by: 'ada', page: 2 } as const;
  expect(readView(fieldsOf(view))).toEqual(view);
  expect(fieldsOf(firstView)).toEqual({});
  expect(readView({ sort: 'price', kind: 'game', page: '-1' })).toEqual(firstView);
});

test('a view is narrowed by any word, kind or uploader', () => {
  const narrowing = [{ search: 'token' }, { kind: 'tool' }, { by: 'ada' }] as const;
  expect(narrowing.map((change) => isNarrowed({ ...firstView, ...change }))).toEqual([true, true, true]);
  expect(isNarrowed({ ...firstView, search: ' - ', sort: 'name', page: 2 })).toBe(false);
});

test('one dapp more than a page is asked for', () => {
  expect(queryOf(firstView)).toEqual({ limit: CARDS + 1 });
  expect(queryOf({ ...firstView, page: 2, sort: 'name' })).toEqual({
    limit: CARDS + 1,
    offset: 2 * CARDS,
    sort: 'name',
  });
});

test('the query names what is searched for, the kind and the uploader', () => {
  expect(queryOf({ ...firstView, search: ' token ', kind: 'tool', by: 'ada' })).toEqual({
    search: 'token',
    kind: 'tool',
    uploader: 'ada',
    limit: CARDS + 1,
  });
});

test('a page of our service is shown as it is', () => {
  const answer = Array.from({ length: CARDS + 1 }, (_, n) => dapp(`Dapp ${n}`, { installs: 0 }));
  const page = pageOfAnswer(answer, { ...firstView, page: 3, search: 'whatever it found' });
  expect([page.dapps.length, page.hasNext]).toEqual([CARDS, true]);
  expect(pageOfAnswer(answer.slice(1), firstView).hasNext, 'no more than a page').toBe(false);
});

test('[API-23] all dapps of another service are searched, sorted and paged here', () => {
  const few = [
    dapp('Tomato Token', { user: { username: 'eve' } }),
    dapp('Apple'),
    dapp('Zip tool', { kind: 'tool' }),
  ];
  expect(names(few)).toEqual(['Tomato Token', 'Apple', 'Zip tool']);
  expect(names(few, { ...firstView, sort: 'name' })).toEqual(['Apple', 'Tomato Token', 'Zip tool']);
  expect(names(few, { ...firstView, search: 'tok pea' })).toEqual(['Tomato Token']);
  expect(names(few, { ...firstView, search: 'EVE' })).toEqual(['Tomato Token']);
  expect(names(few, { ...firstView, by: 'eve' })).toEqual(['Tomato Token']);
  expect(names(few, { ...firstView, kind: 'tool' })).toEqual(['Zip tool']);
  const many = Array.from({ length: 60 }, (_, n) => dapp(`Dapp ${n}`));
  expect(names(many, { ...firstView, page: 2 })).toEqual(many.slice(48).map(({ name }) => name));
  expect(pageOfAnswer(many, { ...firstView, page: 1 }).hasNext).toBe(true);
  // One that counts installations may still answer all its dapps.
  const counted = many.map((one, n) => ({ ...one, installs: n }));
  const mostInstalled = { ...firstView, sort: 'installs', page: 2 } as const;
  expect(pageOfAnswer(counted, mostInstalled).dapps.map(({ installs }) => installs)).toEqual(
    Array.from({ length: 12 }, (_, n) => 11 - n),
  );
});

test('a whole list is sorted by its ratings here, what nobody has rated last', () => {
  const rated = (name: string, rating: number | null, ratings: number | null) =>
    dapp(name, { rating, ratings });
  const answer = [
    rated('none', null, null),
    rated('few', 4, 1),
    rated('no ratings', 5, 0),
    rated('many', 4, 9),
    rated('best', 4.5, 2),
  ];
  expect(names(answer, { ...firstView, sort: 'rating' })).toEqual([
    'best',
    'many',
    'few',
    'none',
    'no ratings',
  ]);
});
