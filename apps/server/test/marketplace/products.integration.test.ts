import { MAX_PRODUCTS, product } from '@cannery/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningServer } from '../../src/start-server.ts';
import { type Answer, ApiClient } from '../support/client.ts';
import { NO_NETWORK, startTestServer } from '../support/server.ts';

let server: RunningServer;
let ada: ApiClient;
let eve: ApiClient;
beforeAll(async () => {
  server = await startTestServer({ IC_URL: NO_NETWORK });
  ada = await ApiClient.signIn(server.url, 'ada');
  eve = await ApiClient.signIn(server.url, 'eve');
});
afterAll(() => server.close());

const plums = { img: 'pears', title: 'Plums', subtitle: 'In cider', price: 19.99, rating: 4.1 };

async function add(client: ApiClient, fields: object = plums): Promise<Answer['body']> {
  const { status, body } = await client.post('/products', fields);
  expect(status, body.error).toBe(200);
  return body;
}

test('[API-36] [DEMO-13] the sample products are listed with id, img, title, subtitle, price and rating', async () => {
  const list = await ada.list('/products');
  expect(list).toHaveLength(12);
  for (const row of list) product.strict().parse(row);
  expect(list[0]).toEqual({
    id: expect.any(String),
    img: 'peaches',
    title: 'Peach halves',
    subtitle: 'In light syrup, 820 g',
    price: 3.49,
    rating: 4.6,
  });
  expect(await ada.list('/products')).toEqual(list);
});

test('[API-36] a deletion takes one product off the list, once, and it does not come back', async () => {
  const [first, ...others] = await ada.list('/products');
  expect(await ada.delete(`/products/${first?.id}`)).toMatchObject({ status: 200 });
  expect(await ada.list('/products')).toEqual(others);
  expect(await ada.delete(`/products/${first?.id}`)).toMatchObject({
    status: 404,
    body: { error: 'Product not found.' },
  });
  for (const { id } of others) await ada.delete(`/products/${id}`);
  expect(await ada.list('/products')).toEqual([]);
});

test('[DEMO-17] a product is added and changed, to the cent', async () => {
  const added = await add(ada);
  expect(added).toEqual({ id: expect.any(String), ...plums });
  const next = { ...plums, img: 'olives', title: '  Plums, dried ', price: 0.29, rating: 0 };
  const { status, body } = await ada.put(`/products/${added.id}`, next);
  expect(status).toBe(200);
  expect(body).toEqual({ ...next, id: added.id, title: 'Plums, dried' });
  expect((await ada.list('/products')).find(({ id }) => id === added.id)).toEqual(body);
});

test.each([
  [{ title: ' \t ' }, 'Title is required.'],
  [{ title: 'x'.repeat(101) }, 'The title can have at most 100 characters.'],
  [{ subtitle: 'x'.repeat(201) }, 'The subtitle can have at most 200 characters.'],
  [{ img: 'https://pictures.example/peach.png' }, 'Choose one of the pictures.'],
  [{ price: -0.01 }, 'The price is a number from 0 to 1,000,000'],
  [{ price: 1.005 }, 'with at most 2 decimals'],
  [{ price: '3' }, 'The price is a number'],
  [{ rating: 5.1 }, 'The rating is a number from 0 to 5'],
  [{ rating: 4.25 }, 'with at most 1 decimal'],
])('a product with %j is refused', async (fields, reason) => {
  const before = await ada.list('/products');
  for (const { status, body } of [
    await ada.post('/products', { ...plums, ...fields }),
    await ada.put(`/products/${before[0]?.id}`, { ...plums, ...fields }),
  ]) {
    expect(status).toBe(400);
    expect(body.error).toContain(reason);
  }
  expect(await ada.list('/products')).toEqual(before);
});

test("somebody else's product answers like an absent one", async () => {
  const { id } = await add(ada);
  for (const other of [String(id), crypto.randomUUID()]) {
    expect(await eve.delete(`/products/${other}`)).toMatchObject({
      status: 404,
      body: { error: 'Product not found.' },
    });
    expect(await eve.put(`/products/${other}`, plums)).toMatchObject({
      status: 404,
      body: { error: 'Product not found.' },
    });
  }
  expect((await ada.list('/products')).find((row) => row.id === id)).toMatchObject(plums);
  expect(JSON.stringify(await eve.list('/products'))).not.toContain(String(id));
});

test('a shelf is filled once, also when it is asked for several times at once', async () => {
  const bob = await ApiClient.signIn(server.url, 'bob');
  const lists = await Promise.all(Array.from({ length: 8 }, () => bob.list('/products')));
  for (const list of lists) expect(list).toHaveLength(12);
});

test('a shelf holds 500 products and no more, however they come', async () => {
  const carl = await ApiClient.signIn(server.url, 'carl');
  for (let size = 12; size < MAX_PRODUCTS - 3; size += 1) await add(carl);
  const last = await Promise.all(Array.from({ length: 6 }, () => carl.post('/products', plums)));
  expect(last.filter(({ status }) => status === 200)).toHaveLength(3);
  expect(last.find(({ status }) => status !== 200)).toMatchObject({
    status: 400,
    body: { code: 'quota_reached' },
  });
  expect(await carl.list('/products')).toHaveLength(MAX_PRODUCTS);
});

test('[API-36] [DEMO-12] with the flag off nobody answers the calls, and the configuration says so', async () => {
  const without = await startTestServer({ IC_URL: NO_NETWORK, SAMPLE_PRODUCTS: 'off' });
  try {
    const client = await ApiClient.signIn(without.url, 'ada');
    const nothing = await client.get('/no/such/call');
    expect(nothing.status).toBe(404);
    expect((await client.get('/products')).body).toEqual(nothing.body);
    expect((await client.post('/products', plums)).status).toBe(404);
    expect((await client.get('/config')).body['sample_products']).toBe(false);
    expect((await client.get('/openapi.json')).body['paths']).not.toHaveProperty('/products');
  } finally {
    await without.close();
  }
  expect((await ada.get('/config')).body['sample_products']).toBe(true);
});
