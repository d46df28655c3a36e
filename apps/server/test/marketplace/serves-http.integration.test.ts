import { randomUUID } from 'node:crypto';
import type { CanisterAnswer } from '@cannery/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningServer } from '../../src/start-server.ts';
import { ApiClient } from '../support/client.ts';
import { custom, moduleOf } from '../support/modules.ts';
import { startTestServer } from '../support/server.ts';
import { OriginWorld } from './origin-world.ts';

let server: RunningServer;
let ada: ApiClient;
let eve: ApiClient;
let world: OriginWorld;
beforeAll(async () => {
  server = await startTestServer({ OPENING_BALANCE_T: '1000' });
  ada = await ApiClient.signIn(server.url, 'ada');
  eve = await ApiClient.signIn(server.url, 'eve');
  world = new OriginWorld(server);
});
afterAll(() => server.close());

/** A module like no other. @param candid of the interface that it publishes */
function module(exports: readonly string[], candid?: string): Buffer {
  const told = candid === undefined ? [] : [custom('icp:public candid:service', candid)];
  return moduleOf({ exports, after: [custom(randomUUID()), ...told] });
}

const HTTP = 'canister_query http_request';
const SERVICE = 'service : { http_request : (record {}) -> (record {}) query }';

async function canisterOf(id: string, client = ada): Promise<CanisterAnswer> {
  return (await client.get(`/canister/status/${id}/?real_time=true`)).body as unknown as CanisterAnswer;
}
const serves = async (id: string): Promise<boolean> => (await canisterOf(id)).serves_http;
const listed = async (id: string): Promise<boolean | undefined> =>
  ((await ada.list('/canister/list/')) as unknown as CanisterAnswer[]).find((one) => one.id === id)
    ?.serves_http;

test.each([
  ['the query http_request', [HTTP], undefined, true],
  ['the composite query http_request', ['canister_composite_query http_request'], undefined, true],
  [
    'an update of that name, which no gateway calls first',
    ['canister_update http_request'],
    undefined,
    false,
  ],
  ['another name that begins alike', [`${HTTP}_update`], undefined, false],
  ['nothing, whatever its interface says', ['canister_query get'], SERVICE, false],
] as const)(
  'of code that the console has put in, with %s, the exports tell',
  async (_name, exports, candid, is) => {
    const canister = await ada.create('Put in');
    expect(await serves(canister)).toBe(false);
    await world.install(ada, canister, await ada.uploadWasm(module(exports, candid)));
    expect([await serves(canister), await listed(canister)]).toEqual([is, is]);
  },
);

test('an upgrade, a snapshot and a dapp of somebody else each take with them what is known of their code', async () => {
  const [web, plain] = [module([HTTP]), module(['canister_query get'])];
  const identifier = await eve.uploadWasm(web);
  const dapp = await world.submit(eve, 'Web', identifier);
  const canister = await ada.create('Instance');
  await world.install(ada, canister, identifier, `dapp ${dapp}`);
  expect(await serves(canister)).toBe(true);
  expect(await world.instance(ada, canister)).toMatchObject({ serves_http: true });

  const snapshot = await world.snapshot(ada, canister);
  await world.install(ada, canister, await ada.uploadWasm(plain), undefined, 'upgrade');
  expect([await serves(canister), await listed(canister)]).toEqual([false, false]);
  await world.restore(ada, canister, snapshot);
  expect([await serves(canister), await listed(canister)]).toEqual([true, true]);
});

test('of code that others have put in, the interface tells, for that canister and that code alone', async () => {
  const lie = module(['canister_query get'], SERVICE);
  const canister = await ada.create('Taken over');
  const outside = await world.outside(ada, canister);
  await outside.put(module([HTTP], SERVICE));
  expect(await serves(canister)).toBe(true);
  expect(await listed(canister)).toBe(true);

  await outside.put(module([HTTP], 'service : { http_request : () -> () }'));
  expect(await serves(canister)).toBe(false);
  await outside.put(module([HTTP], 'service : { get : () -> (nat) query }'));
  expect(await serves(canister)).toBe(false);
  await outside.put(lie);
  expect(await serves(canister)).toBe(true);
  // Another canister with the same bytes, which the console has put in.
  const other = await ada.create('The same bytes');
  await world.install(ada, other, await ada.uploadWasm(lie));
  expect(await serves(other)).toBe(false);

  await outside.uninstall();
  expect(await serves(canister)).toBe(false);
});

test.each([
  ['none', undefined],
  ['one that is no Candid', 'service : {'],
  ['one that is not UTF-8', Buffer.from([0xff, 0xfe, 0x00]).toString('latin1')],
  ['one as deep as it can be', `type t = ${'opt '.repeat(200_000)}nat; service : { f : (t) -> () }`],
] as const)(
  'of code of others with the interface %s nothing is known, and nothing breaks',
  async (_name, candid) => {
    const canister = await ada.create('Strange');
    const outside = await world.outside(ada, canister);
    await outside.put(module([HTTP], candid));
    expect(await serves(canister)).toBe(false);
    expect((await ada.get(`/canister/details/${canister}`)).status).toBe(200);
    expect((await canisterOf(canister, eve)) as unknown).toMatchObject({ code: 'not_found' });
  },
  60_000,
);

test('the list learns of code of others too, without the page of the canister', async () => {
  const canister = await ada.create('In the list');
  const outside = await world.outside(ada, canister);
  await outside.put(module([HTTP], SERVICE));
  await expect.poll(() => listed(canister), { timeout: 20_000, interval: 1_000 }).toBe(true);
}, 40_000);
