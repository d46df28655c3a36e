import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { registryEndpoints, sortText } from '@cannery/contract';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { embeddedConnection } from '../../src/db/postgres/embedded-postgres.ts';
import type { RunningServer } from '../../src/start-server.ts';
import { ApiClient } from '../support/client.ts';
import { insertRegistries } from '../support/insert-registries.ts';
import { newModule } from '../authorisation/matrix-world.ts';
import { NO_NETWORK, startTestServer } from '../support/server.ts';

let dataDir: string;
let server: RunningServer;
let ada: ApiClient;
let eve: ApiClient;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cannery-registry-pages-'));
  server = await startTestServer({ DATA_DIR: dataDir, IC_URL: NO_NETWORK });
  ada = await ApiClient.signIn(server.url, 'ada');
  eve = await ApiClient.signIn(server.url, 'pages');
  const identifier = await eve.uploadWasm(newModule());
  for (const name of ['Flour 10', 'flour 2', 'ÉCLAIR', '100 % rye_', 'Flour 1']) {
    await eve.post('/registry/add', { name, identifier });
  }
});

afterAll(async () => {
  await server.close();
  await rm(dataDir, { recursive: true, force: true });
});

const page = async (query: string, client = eve) => {
  const { status, body } = await client.get(`/registry/page?${query}`);
  expect(status, body.error).toBe(200);
  const { registries, total, more } = registryEndpoints.page.response.parse(body);
  return { names: registries.map(({ name }) => name), total, more };
};

test('[REG-02] a page of registries is sorted both ways by each column, and cut', async () => {
  const whole = await eve.list('/registry/');
  const all = (await eve.get('/registry/page?limit=25')).body.registries;
  expect(all).toEqual(whole);
  const sorted = async (by: string) => {
    const up = (await page(`by=${by}&direction=asc&limit=25`)).names;
    expect((await page(`by=${by}&direction=desc&limit=25`)).names).toEqual(up.toReversed());
    return up;
  };
  expect(await sorted('name')).toEqual(['100 % rye_', 'ÉCLAIR', 'Flour 1', 'flour 2', 'Flour 10']);
  expect(await sorted('created')).toEqual(whole.map(({ name }) => name).toReversed());
  const byId = whole.toSorted((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
  expect(await sorted('id')).toEqual(byId.map(({ name }) => name));
  expect(await sorted('identifier')).toEqual(await sorted('id'));
  const second = await page('by=name&limit=2&offset=2');
  expect(second).toEqual({ names: ['Flour 1', 'flour 2'], total: 5, more: false });
  expect(await page('limit=2&offset=90')).toEqual({ names: [], total: 5, more: false });
  expect((await eve.get('/registry/page?limit=101')).status).toBe(400);
});

test.each([
  ['LOUR', ['Flour 1', 'flour 2', 'Flour 10']],
  ['our 1', ['Flour 1', 'Flour 10']],
  ['é', ['ÉCLAIR']],
  ['% r', ['100 % rye_']],
  ['_', ['100 % rye_']],
  ['%_', []],
  ["'; --", []],
  ['  flour 2 ', ['flour 2']],
])('a page finds the names that hold %j', async (search, names) => {
  const query = `by=name&limit=25&search=${encodeURIComponent(search)}`;
  expect(await page(query)).toEqual({ names, total: names.length, more: false });
  expect((await page(query, ada)).names, 'of nobody else').toEqual([]);
});

test('a page follows a new name and a deletion', async () => {
  const identifier = await eve.uploadWasm(newModule());
  const { body } = await eve.post('/registry/add', { name: 'Sugar', identifier });
  await eve.post(`/registry/update/${body.data}`, { name: 'Salt' });
  expect((await page('search=sugar&limit=5')).total).toBe(0);
  expect((await page('search=salt&limit=5')).names).toEqual(['Salt']);
  await eve.post(`/registry/delete/${body.data}`, undefined);
  expect((await page('search=salt&limit=5')).total).toBe(0);
});

test('a page of very many is the same as of few: rare, common and unknown texts in each order', async () => {
  const many = await ApiClient.signIn(server.url, 'many');
  const { id: userId } = (await many.get('/user/profile')).body;
  const identifier = await many.uploadWasm(newModule());
  const names = Array.from({ length: 1500 }, (_, n) => {
    const words = [n % 2 === 0 && 'even', n % 12 === 0 && 'dozen', n % 500 === 499 && 'rare'];
    return ['module', (n * 7919) % 10_007, ...words.filter(Boolean)].join(' ');
  });
  const database = new pg.Client(embeddedConnection(dataDir));
  await database.connect();
  try {
    await insertRegistries(database, { userId: String(userId), identifier, names });
  } finally {
    await database.end();
  }
  for (const search of ['', 'module', 'even', 'dozen', 'rare', 'odd']) {
    const fitting = names.filter((name) => name.includes(search));
    for (const direction of ['asc', 'desc']) {
      const sorted = fitting.toSorted((a, b) => (sortText(a) < sortText(b) ? -1 : 1));
      const wanted = direction === 'asc' ? sorted : sorted.toReversed();
      const query = `search=${search}&by=name&direction=${direction}&limit=25&offset=`;
      const [first, later] = [await page(`${query}0`, many), await page(`${query}50`, many)];
      expect(first.names, search).toEqual(wanted.slice(0, 25));
      expect(later.names, search).toEqual(wanted.slice(50, 75));
      if (first.more) expect(first.total, search).toBeLessThan(fitting.length);
      else expect(first.total, search).toBe(fitting.length);
    }
  }
});
