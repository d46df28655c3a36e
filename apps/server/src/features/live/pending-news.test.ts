import { expect, test } from 'vitest';
import { PendingNews } from './pending-news.ts';

test('the same news wait once, and are gone when they are taken', () => {
  const news = new PendingNews();
  for (let time = 0; time < 1_000; time += 1)
    for (const notice of ['canisters a-b', 'run d r', 'deploys d', 'balance', 'repositories', 'dapps'])
      news.add(notice);
  expect(news.take()).toEqual([
    { kind: 'canisters', id: 'a-b' },
    { kind: 'run', deploy_id: 'd', id: 'r' },
    { kind: 'deploys', id: 'd' },
    { kind: 'balance' },
    { kind: 'repositories' },
    { kind: 'dapps' },
  ]);
  expect(news.take()).toEqual([]);
});

test('more than a few subjects become one, which is to ask for everything again', () => {
  const news = new PendingNews();
  for (let place = 0; place < 64; place += 1) news.add(`canisters c-${place}`);
  expect(news.take()).toHaveLength(64);
  for (let place = 0; place < 10_000; place += 1) news.add(`canisters c-${place}`);
  expect(news.take()).toEqual([{ kind: 'all' }]);
  news.add('balance');
  expect(news.take()).toEqual([{ kind: 'balance' }]);
});

test('after a gap, and of a kind that is not known, everything is asked for again', () => {
  const news = new PendingNews();
  news.add('balance');
  news.add(undefined);
  news.add('repositories');
  expect(news.take()).toEqual([{ kind: 'all' }]);
  news.add('something new');
  expect(news.take()).toEqual([{ kind: 'all' }]);
});
