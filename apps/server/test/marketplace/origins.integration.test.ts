import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningServer } from '../../src/start-server.ts';
import { ApiClient } from '../support/client.ts';
import { newModule } from '../authorisation/matrix-world.ts';
import { OriginWorld } from './origin-world.ts';
import { startTestServer } from '../support/server.ts';

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

/** A canister of ada's, modules that she has uploaded, a registry and a dapp of two versions each. */
interface Things {
  readonly canister: string;
  readonly bytes: readonly [Buffer, Buffer];
  readonly modules: readonly [string, string];
  readonly registry: string;
  readonly dapp: string;
}

async function things(): Promise<Things> {
  const bytes = [newModule(), newModule()] as const;
  const modules = [await ada.uploadWasm(bytes[0]), await ada.uploadWasm(bytes[1])] as const;
  const added = await world.ok(ada, '/registry/add', { name: 'Sourdough', identifier: modules[0] });
  const registry = String(added.data);
  await world.ok(ada, `/registry/update/${registry}`, { name: 'Sourdough', identifier: modules[1] });
  const dapp = await world.submit(ada, 'Counter', modules[0]);
  await world.update(ada, dapp, modules[1]);
  return { canister: await ada.create('Mine'), bytes, modules, registry, dapp };
}

type Way = (has: Things) => Promise<unknown>;
const upgrade: Way = ({ canister, modules: [, second] }) =>
  world.ok(ada, '/marketplace/upgrade', { canister_id: canister, identifier: second });
const fromDapp: Way = ({ canister, modules: [first], dapp }) =>
  world.install(ada, canister, first, `dapp ${dapp}`);
const fromRegistry: Way = ({ canister, modules: [first], registry }) =>
  world.install(ada, canister, first, `registry ${registry} 1`);
const fromFile: Way = ({ canister, modules: [first] }) => world.install(ada, canister, first);

/** How code gets into a canister, and what is written down of it then. Each ends with the version whose module it runs. */
const ways: readonly (readonly [string, string, 0 | 1 | 2, Way])[] = [
  ['nothing', 'empty', 0, async () => {}],
  ['a file', 'file', 1, fromFile],
  [
    'a file that upgrades',
    'file',
    2,
    async (has) => {
      await fromDapp(has);
      await world.install(ada, has.canister, has.modules[1], undefined, 'upgrade');
    },
  ],
  [
    'a file that is put in again',
    'file',
    1,
    async (has) => {
      await fromDapp(has);
      await world.install(ada, has.canister, has.modules[0], undefined, 'reinstall');
    },
  ],
  ['a version of a registry', 'registry 1', 1, fromRegistry],
  [
    'the next version of a registry',
    'registry 2',
    2,
    async (has) => {
      await fromRegistry(has);
      await world.install(ada, has.canister, has.modules[1], `registry ${has.registry} 2`, 'upgrade');
    },
  ],
  ['a dapp', 'dapp 1.0.0', 1, fromDapp],
  [
    'an upgrade of a dapp',
    'dapp 2.0.0',
    2,
    async (has) => {
      await fromDapp(has);
      await upgrade(has);
    },
  ],
  [
    'the way back of a dapp',
    'dapp 1.0.0',
    1,
    async (has) => {
      await fromDapp(has);
      await upgrade(has);
      await world.ok(ada, '/marketplace/back', { canister_id: has.canister });
    },
  ],
  [
    'a snapshot of what came from a registry',
    'registry 1',
    1,
    async (has) => {
      await fromRegistry(has);
      const taken = await world.snapshot(ada, has.canister);
      await world.install(ada, has.canister, has.modules[1], undefined, 'reinstall');
      await world.restore(ada, has.canister, taken);
    },
  ],
  [
    'a snapshot of the dapp, over a file of the same bytes',
    'dapp 1.0.0',
    1,
    async (has) => {
      await fromDapp(has);
      const taken = await world.snapshot(ada, has.canister);
      await world.install(ada, has.canister, has.modules[0], undefined, 'reinstall');
      expect(await world.told(ada, has.canister)).toBe('file');
      await world.restore(ada, has.canister, taken);
    },
  ],
  [
    'a snapshot that others have taken',
    'unknown',
    1,
    async (has) => {
      await fromDapp(has);
      const others = await world.outside(ada, has.canister);
      await world.ok(ada, '/canister/stop', { canister_id: has.canister });
      const taken = await others.takeSnapshot();
      await world.restore(ada, has.canister, taken);
    },
  ],
  [
    'a snapshot of code that others have put in',
    'unknown',
    2,
    async (has) => {
      await fromDapp(has);
      await (await world.outside(ada, has.canister)).put(has.bytes[1]);
      await world.restore(ada, has.canister, await world.snapshot(ada, has.canister));
    },
  ],
  [
    'code of others in an empty canister',
    'empty changed',
    1,
    async (has) => (await world.outside(ada, has.canister)).put(has.bytes[0], 'install'),
  ],
  [
    'code of others over a file',
    'file changed',
    2,
    async (has) => {
      await fromFile(has);
      await (await world.outside(ada, has.canister)).put(has.bytes[1]);
    },
  ],
  [
    'code of others over a dapp, though it is the next version of it',
    'dapp 1.0.0 changed',
    2,
    async (has) => {
      await fromDapp(has);
      await (await world.outside(ada, has.canister)).put(has.bytes[1], 'upgrade');
    },
  ],
  [
    'nothing, since others have removed the code',
    'registry 1 changed',
    0,
    async (has) => {
      await fromRegistry(has);
      await (await world.outside(ada, has.canister)).uninstall();
    },
  ],
  [
    'a file after others have changed the code',
    'file',
    1,
    async (has) => {
      await fromDapp(has);
      await (await world.outside(ada, has.canister)).put(has.bytes[1]);
      await world.told(ada, has.canister);
      await world.install(ada, has.canister, has.modules[0], undefined, 'reinstall');
    },
  ],
];

describe('where code came from is written down when it is put in', () => {
  test.each(ways)('%s: %s', async (_name, told, version, way) => {
    const has = await things();
    await way(has);
    const { canister, modules, dapp, registry } = has;
    expect(await world.told(ada, canister)).toBe(told);
    const wanted = version === 0 ? null : modules[version - 1];
    expect((await ada.get(`/canister/status/${canister}`)).body.module_hash).toBe(wanted);
    // Updates and lists come from that and from nothing else.
    const found = await world.instance(ada, canister);
    const isInstance = told === 'dapp 1.0.0' || told === 'dapp 2.0.0';
    expect(found?.dapp_id).toBe(isInstance ? dapp : undefined);
    expect(found?.update?.identifier).toBe(told === 'dapp 1.0.0' ? modules[1] : undefined);
    const { body } = await ada.get(`/registry/${registry}`);
    const listed = (body.versions as { version: number; canisters: { id: string }[] }[]).flatMap((one) =>
      one.canisters.map(({ id }) => `${id} ${one.version}`),
    );
    expect(listed).toEqual(/^registry \d$/.test(told) ? [`${canister} ${told.at(-1)}`] : []);
  });

  test('a canister that is created with a registry has its newest version', async () => {
    const { registry } = await things();
    const { data } = await world.ok(ada, '/canister/create', { name: 'Baked', registry });
    const { canister_id: id } = data as { canister_id: string };
    const origin = await world.origin(ada, id);
    expect(origin).toMatchObject({ kind: 'registry', source_id: registry, name: 'Sourdough', by: 'ada' });
    expect(await world.told(ada, id)).toBe('registry 2');
  });

  test('the bytes of a dapp without a word are of no dapp, whoever has published them', async () => {
    const { modules } = await things();
    const canister = await eve.create('Hers');
    await world.install(eve, canister, modules[0]);
    expect(await world.told(eve, canister)).toBe('unknown');
    expect(await world.instance(eve, canister)).toBeUndefined();
  });
});

describe('what a client says is not taken on trust', () => {
  type Lie = (
    has: Things,
  ) => readonly [identifier: string, header: string] | Promise<readonly [string, string]>;
  const lies: readonly (readonly [string, number, Lie])[] = [
    ['a dapp that does not exist', 404, ({ modules }) => [modules[0], 'dapp none']],
    [
      'a dapp without this module',
      404,
      async ({ dapp }) => [await ada.uploadWasm(newModule()), `dapp ${dapp}`],
    ],
    [
      'a dapp that was withdrawn',
      404,
      async ({ modules, dapp }) => {
        await world.ok(ada, `/marketplace/delete/${dapp}`, {});
        return [modules[0], `dapp ${dapp}`];
      },
    ],
    [
      'the registry of somebody else',
      404,
      async ({ bytes, modules }) => {
        const identifier = await eve.uploadWasm(bytes[0]);
        const added = await world.ok(eve, '/registry/add', { name: 'Hers', identifier });
        return [modules[0], `registry ${String(added.data)} 1`];
      },
    ],
    [
      'another version of the registry',
      404,
      ({ modules, registry }) => [modules[0], `registry ${registry} 2`],
    ],
    ['a version that is not there', 404, ({ modules, registry }) => [modules[0], `registry ${registry} 3`]],
    ['no version', 400, ({ modules, registry }) => [modules[0], `registry ${registry}`]],
    ['version 0', 400, ({ modules, registry }) => [modules[0], `registry ${registry} 0`]],
    ['a run', 400, ({ modules }) => [modules[0], 'run 1']],
    ['two words more', 400, ({ modules, dapp }) => [modules[0], `dapp ${dapp} 1 2`]],
    ['nothing', 400, ({ modules }) => [modules[0], 'dapp']],
    ['too much', 400, ({ modules }) => [modules[0], `dapp ${'x'.repeat(200)}`]],
  ];
  test.each(lies)('%s: %d, and nothing is installed', async (_name, status, lie) => {
    const has = await things();
    const [identifier, header] = await lie(has);
    const body = { canister_id: has.canister, identifier, mode: 'install' };
    expect((await ada.post('/canister/install', body, { 'code-origin': header })).status).toBe(status);
    expect(await world.told(ada, has.canister)).toBe('empty');
  });

  test('a request under the key of one from another origin is another request', async () => {
    const { canister, modules, dapp } = await things();
    const body = { canister_id: canister, identifier: modules[0], mode: 'install' };
    const headers = { 'idempotency-key': `origin ${canister}` };
    expect((await ada.post('/canister/install', body, headers)).status).toBe(200);
    const other = await ada.post('/canister/install', body, { ...headers, 'code-origin': `dapp ${dapp}` });
    expect([other.status, other.body.code]).toEqual([400, 'invalid_input']);
    expect(await world.told(ada, canister)).toBe('file');
  });
});

describe('the order in which something is published decides nothing', () => {
  test('whoever publishes the bytes of a file of somebody else has no update for it', async () => {
    const bytes = newModule();
    const canister = await ada.create('Secret of mine');
    await world.install(ada, canister, await ada.uploadWasm(bytes));
    const copied = await world.submit(eve, 'Security', await eve.uploadWasm(bytes));
    const evil = await eve.uploadWasm(newModule());
    await world.update(eve, copied, evil);
    expect(await ada.list('/marketplace/instances')).not.toContainEqual(
      expect.objectContaining({ canister_id: canister }),
    );
    const pressed = await ada.post('/marketplace/upgrade', { canister_id: canister, identifier: evil });
    expect(pressed.status).toBe(404);
    expect(await world.told(ada, canister)).toBe('file');
  });

  test('of two dapps with the same module the one that was installed has the instance and is counted', async () => {
    const bytes = newModule();
    const first = await world.submit(eve, 'First', await eve.uploadWasm(bytes));
    const identifier = await ada.uploadWasm(bytes);
    const second = await world.submit(ada, 'Second', identifier);
    const canister = await ada.create('Of the second');
    await world.install(ada, canister, identifier, `dapp ${second}`);
    await world.update(eve, first, await eve.uploadWasm(newModule()), '6.6.6');
    const found = await world.instance(ada, canister);
    expect(found).toMatchObject({ dapp_id: second, dapp_name: 'Second', publisher: 'ada', update: null });
    const installs = async (id: string) => (await ada.get(`/marketplace/${id}`)).body.installs;
    expect([await installs(first), await installs(second)]).toEqual([0, 1]);
  });

  test('an update names its publisher and both hashes', async () => {
    const has = await things();
    await fromDapp(has);
    const { modules, canister } = has;
    expect(await world.instance(ada, canister)).toMatchObject({
      publisher: 'ada',
      version: '1.0.0',
      module_hash: modules[0],
      update: { version: '2.0.0', identifier: modules[1], notes: 'Security fix' },
    });
  });

  test('an update is decided on what the network certifies at that moment', async () => {
    const has = await things();
    await fromDapp(has);
    const { canister, modules } = has;
    const others = await world.outside(ada, canister);
    await others.put(newModule());
    // The console has not looked since, so it still lists the update.
    const pressed = await ada.post('/marketplace/upgrade', { canister_id: canister, identifier: modules[1] });
    expect([pressed.status, pressed.body.error]).toEqual([
      404,
      'The code of the canister was changed outside the console, so the dapp has no updates for it.',
    ]);
    expect(await world.told(ada, canister)).toBe('dapp 1.0.0 changed');
    expect(await world.instance(ada, canister)).toBeUndefined();
    expect((await ada.list('/canister/list/')).find(({ id }) => id === canister)).toMatchObject({
      origin: { changed_outside: true },
    });
  });

  test('a way back leads from what the upgrade has put in, and from nothing else', async () => {
    const has = await things();
    await fromDapp(has);
    await upgrade(has);
    const { canister, modules } = has;
    await world.install(ada, canister, modules[1], undefined, 'reinstall');
    expect(await world.instance(ada, canister)).toBeUndefined();
    expect((await ada.post('/marketplace/back', { canister_id: canister })).status).toBe(404);
  });

  test('no way leads back from what others have put in, whether the console has seen it or not', async () => {
    const has = await things();
    await fromDapp(has);
    await upgrade(has);
    const { canister } = has;
    const others = await world.outside(ada, canister);
    await others.put(newModule());
    const press = async () => {
      const { status, body } = await ada.post('/marketplace/back', { canister_id: canister });
      return [status, body.error];
    };
    expect(await press()).toEqual([
      404,
      'The code of the canister was changed outside the console, so there is no way back from it.',
    ]);
    // This looks at the canister.
    expect(await world.told(ada, canister)).toBe('dapp 2.0.0 changed');
    expect(await press()).toEqual([404, 'Upgrade not found.']);
  });
});
