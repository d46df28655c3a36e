import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { embeddedConnection } from '../../src/db/postgres/embedded-postgres.ts';
import type { RunningServer } from '../../src/start-server.ts';
import { ApiClient } from '../support/client.ts';
import { insertDapps } from '../support/insert-dapps.ts';
import { NO_NETWORK, startTestServer } from '../support/server.ts';

/** Every second is 'even', every twelfth a 'dozen', three are 'rare'. */
const dapps = Array.from({ length: 1500 }, (_, n) => {
  const words = [n % 2 === 0 && 'even', n % 12 === 0 && 'dozen', n % 500 === 499 && 'rare'];
  return {
    name: `${n % 3 === 0 ? 'Dapp' : 'dapp'} ${(n * 7919) % 10_007}`,
    description: ['Peaches', ...words].filter(Boolean).join(' '),
    kind: n % 4 === 0 ? 'tool' : null,
    installs: (n * 31) % 97,
    // Every third has no rating; others have the same average by more or fewer.
    ratings: (n % 3) * (1 + (n % 2)),
    rating_sum: (n % 3) * (1 + (n % 2)) * (1 + (n % 5)),
  };
});
const newest = dapps.toReversed();
const averageOf = ({ ratings, rating_sum: sum }: (typeof dapps)[number]): number =>
  ratings === 0 ? 0 : sum / ratings;
const orders: Readonly<Record<string, typeof dapps>> = {
  newest,
  installs: newest.toSorted((a, b) => b.installs - a.installs),
  rating: newest.toSorted((a, b) => averageOf(b) - averageOf(a) || b.ratings - a.ratings),
  name: newest.toSorted((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1)),
};

let dataDir: string;
let server: RunningServer;
let ada: ApiClient;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cannery-many-dapps-'));
  server = await startTestServer({ DATA_DIR: dataDir, IC_URL: NO_NETWORK });
  ada = await ApiClient.signIn(server.url, 'ada');
  const { id } = (await ada.get('/user/profile')).body;
  const database = new pg.Client(embeddedConnection(dataDir));
  await database.connect();
  try {
    await insertDapps(database, { userId: String(id), username: 'ada', dapps });
  } finally {
    await database.end();
  }
});
afterAll(async () => {
  await server.close();
  await rm(dataDir, { recursive: true, force: true });
});

test.each(['', 'peach', 'even', 'DOZEN', 'rare', 'ada dozen', 'dapp 12', 'absent'])(
  '[API-23] a page of 1,500 dapps is the one of the whole list: search %j',
  async (search) => {
    const words = search.toLowerCase().split(' ');
    const fits = ({ name, description }: (typeof dapps)[number]): boolean => {
      const has = `${name} ada ${description}`.toLowerCase().split(' ');
      return words.every((word) => has.some((one) => one.startsWith(word)));
    };
    for (const [sort, sorted] of Object.entries(orders)) {
      for (const kind of [undefined, 'tool']) {
        const wanted = sorted.filter((dapp) => fits(dapp) && (kind === undefined || dapp.kind === kind));
        for (const offset of [0, 40]) {
          const query = new URLSearchParams({ search, sort, limit: '25', offset: String(offset) });
          if (kind !== undefined) query.set('kind', kind);
          const names = (await ada.list(`/marketplace/?${query.toString()}`)).map(({ name }) => name);
          expect(names, query.toString()).toEqual(wanted.slice(offset, offset + 25).map(({ name }) => name));
        }
      }
    }
  },
);
