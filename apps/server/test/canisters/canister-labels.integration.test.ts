import { canisterChange, MAX_CANISTER_TAGS } from '@cannery/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningServer } from '../../src/start-server.ts';
import { ApiClient } from '../support/client.ts';
import { startTestServer } from '../support/server.ts';

let server: RunningServer;
let ada: ApiClient;
let bob: ApiClient;
beforeAll(async () => {
  server = await startTestServer({ OPENING_BALANCE_T: '100' });
  [ada, bob] = await Promise.all([ApiClient.signIn(server.url, 'ada'), ApiClient.signIn(server.url, 'bob')]);
});
afterAll(() => server.close());

const rename = (client: ApiClient, id: string, name: string) =>
  client.post('/canister/rename', { canister_id: id, name });
const tag = (client: ApiClient, id: string, add: readonly string[], remove: readonly string[] = []) =>
  client.post('/canister/tags', { canister_id: id, add_tags: add, remove_tags: remove });

const shownIn = async (id: string): Promise<unknown[]> => {
  const [{ body: one }, list] = await Promise.all([
    ada.get(`/canister/status/${id}`),
    ada.list('/canister/list/'),
  ]);
  return [one, list.find((each) => each['id'] === id)];
};
const historyOf = async (id: string): Promise<(readonly [string, string | null, string | null])[]> =>
  (await ada.list(`/canister/history/${id}`))
    .map((entry) => canisterChange.parse(entry))
    .map(({ kind, actor, detail }) => [kind, actor, detail] as const);

test('a canister gets another name, in every answer and with an entry of its history', async () => {
  const id = await ada.create('Bakery');
  const { status, body } = await rename(ada, id, '  Corner “bakery” ');
  expect([status, body]).toMatchObject([200, { id, name: 'Corner “bakery”' }]);
  for (const seen of await shownIn(id)) expect(seen).toMatchObject({ name: 'Corner “bakery”' });
  expect((await historyOf(id))[0]).toEqual(['renamed', 'ada', 'From “Bakery” to “Corner “bakery””.']);
});

test('the same name again is no change, and a stopped canister is renamed as well', async () => {
  const id = await ada.create('Bakery');
  await ada.post('/canister/stop', { canister_id: id });
  for (let time = 0; time < 3; time += 1) expect((await rename(ada, id, 'Shop')).status).toBe(200);
  expect((await historyOf(id)).map(([kind]) => kind)).toEqual(['renamed', 'stopped', 'created']);
});

test('the rules of a creation hold: any characters, no blank name; a long one is cut in the history alone', async () => {
  const id = await ada.create('Bakery');
  for (const name of ['', '   ', '\n'])
    expect(await rename(ada, id, name)).toMatchObject({ status: 400, body: { error: 'Name is required' } });
  const long = `<b>Ünï</b> 🥫 ${'long '.repeat(1_000)}end`;
  expect(await rename(ada, id, long)).toMatchObject({ status: 200, body: { name: long } });
  expect((await historyOf(id))[0]?.[2]?.length).toBeLessThan(300);
  expect((await rename(ada, id, 'nul \0')).status).toBe(
    (await ada.post('/canister/create', { name: 'nul \0' })).status,
  );
});

test('a name has the characters that a list of many canisters can have of each', async () => {
  const name = 'n'.repeat(10_001);
  const id = await ada.create('Bakery');
  const refused = { status: 400, body: { code: 'invalid_input' } };
  expect(await rename(ada, id, name)).toMatchObject(refused);
  expect(await ada.post('/canister/create', { name })).toMatchObject(refused);
  expect(await rename(ada, id, name.slice(1))).toMatchObject({ status: 200 });
});

test('nobody renames or tags the canister of somebody else', async () => {
  const id = await ada.create('Bakery');
  for (const answer of [await rename(bob, id, 'Mine'), await tag(bob, id, ['mine'])])
    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
  for (const seen of await shownIn(id)) expect(seen).toMatchObject({ name: 'Bakery', tags: [] });
});

test('tags are added and removed one by one, in lower case and in the order of the alphabet', async () => {
  const id = await ada.create('Bakery');
  await tag(ada, id, ['Prod', ' team:  bread ']);
  await tag(ada, id, ['prod', 'éclair']);
  const { body } = await tag(ada, id, ['cake'], ['ÉCLAIR', 'never there']);
  expect(body).toMatchObject({ tags: ['cake', 'prod', 'team: bread'] });
  for (const seen of await shownIn(id)) expect(seen).toMatchObject({ tags: ['cake', 'prod', 'team: bread'] });
  expect((await historyOf(id)).slice(0, 3)).toEqual([
    ['tagged', 'ada', 'Added: cake. Removed: éclair.'],
    ['tagged', 'ada', 'Added: éclair.'],
    ['tagged', 'ada', 'Added: prod, team: bread.'],
  ]);
});

test('windows that tag a canister at the same moment do not undo each other', async () => {
  const id = await ada.create('Bakery');
  const names = Array.from({ length: MAX_CANISTER_TAGS }, (_, place) => `tag ${place}`);
  const answers = await Promise.all(names.map((name) => tag(ada, id, [name])));
  expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
  for (const seen of await shownIn(id)) expect(seen).toMatchObject({ tags: names });
  expect(await tag(ada, id, ['one more'])).toMatchObject({
    status: 400,
    body: { error: 'A canister has at most 10 tags.' },
  });
  expect((await tag(ada, id, ['one more'], ['tag 0'])).status).toBe(200);
});

test.each(['', ' ', '-', 'a,b', '<b>', 'x'.repeat(25), 'a\u0007b', 'a\u202eb'])(
  '%j is no tag',
  async (text) => {
    const id = await ada.create('Bakery');
    expect((await tag(ada, id, [text])).status).toBe(400);
    for (const seen of await shownIn(id)) expect(seen).toMatchObject({ tags: [] });
  },
);
