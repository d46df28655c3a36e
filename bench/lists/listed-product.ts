import { type Api, createApi, signIn, startProduct } from '@cannery/dev-env';
import pg from 'pg';
import { embeddedConnection } from '../../apps/server/src/db/postgres/embedded-postgres.ts';
import { insertDapps } from '../../apps/server/test/support/insert-dapps.ts';
import { insertRegistries } from '../../apps/server/test/support/insert-registries.ts';
import { onCore, SERVER_CORE } from '../pinned.ts';

/** What all names of the list have, some of them, one of them, and none. */
export const texts = {
  common: 'service',
  some: 'twentieth',
  rare: 'hundredth',
  one: 'single',
  absent: 'nowhere',
};

/** The head of a WebAssembly module, which is one. */
const emptyModule = Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);

/** A product whose user has as many registries as there are dapps. */
export interface ListedProduct extends AsyncDisposable {
  readonly url: string;
  readonly api: Api;
}

/**
 * Starts a product with `count` registries and dapps. They are written past the server, since ten thousand uploads would
 * take a quarter of an hour; their rows are as the server writes them.
 */
export async function startListed(count: number): Promise<ListedProduct> {
  const product = await startProduct({
    command: (program, args) => onCore(SERVER_CORE, program, args),
    // One user makes all calls, as fast as they are answered.
    env: { RATE_LIMIT: '100000' },
  });
  try {
    const api = createApi(product.url, await signIn(product.url, 'bench'));
    const { id: userId } = await api.call<{ id: string }>('GET', '/user/profile');
    const { body } = await api.upload('/document/upload', 'wasm', { name: 'empty.wasm', bytes: emptyModule });
    const { identifier } = body as { identifier: string };
    const names = Array.from({ length: count }, (_, place) => nameOf(place));
    const database = new pg.Client(embeddedConnection(product.dataDir));
    await database.connect();
    try {
      await insertRegistries(database, { userId, identifier, names });
      const dapps = names.map((name, place) => ({
        name,
        description: 'Counts peaches and puts them into cans, one after the other.',
        kind: place % 4 === 0 ? 'tool' : null,
        installs: (place * 31) % 997,
        ratings: place % 50,
        rating_sum: (place % 50) * (1 + (place % 5)),
      }));
      await insertDapps(database, { userId, username: 'bench', dapps });
      // As the database does by itself within minutes.
      await database.query('vacuum analyze registries, registry_versions, dapps');
    } finally {
      await database.end();
    }
    return { url: product.url, api, [Symbol.asyncDispose]: () => product.dispose() };
  } catch (error) {
    await product.dispose();
    throw error;
  }
}

/** Words of one row in twenty, in a hundred, and of a single one, each spread over every order. */
function nameOf(place: number): string {
  const words = [place % 20 === 3 && texts.some, place % 100 === 57 && texts.rare, place === 61 && texts.one];
  return [texts.common, (place * 7919) % 10_007, ...words.filter((word) => word !== false)].join(' ');
}
