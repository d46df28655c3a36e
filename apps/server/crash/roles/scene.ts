import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/db/database.ts';
import type { Db } from '../../src/db/tx.ts';
import { type Fleet, startFleet } from '../../test/roles/fleet.ts';

/** A fleet under load, with what is needed to look behind its back. */
export interface Scene extends AsyncDisposable {
  readonly fleet: Fleet;
  readonly db: Db;
  /** Of the fleet. */
  readonly folder: string;
  /** Where users keep their checkouts. */
  readonly away: string;
}

/** @param env more settings of all processes */
export async function openScene(env: Readonly<Record<string, string>> = {}): Promise<Scene> {
  await using opening = new AsyncDisposableStack();
  const [folder = '', away = ''] = await Promise.all(
    ['cannery-crash-roles-', 'cannery-crash-users-'].map((name) => mkdtemp(join(tmpdir(), name))),
  );
  for (const each of [folder, away]) opening.defer(() => rm(each, { recursive: true, force: true }));
  const fleet = await startFleet({
    folder,
    env: {
      NETWORK_FEES: 'free',
      OPENING_BALANCE_T: '100000',
      LOG_LEVEL: 'error',
      RATE_LIMIT: '100000',
      SIGN_IN_LIMIT: '100000',
      PUSHES_PER_MINUTE: '100000',
      SITE_PICTURES: 'off',
      RUST_TOOLCHAIN: 'off',
      SAMPLE_PRODUCTS: 'off',
      ...env,
    },
  });
  opening.defer(() => fleet.close());
  const db = openDatabase({ connectionString: fleet.postgres.url }, 2);
  opening.defer(() => db.destroy());
  const opened = opening.move();
  return { fleet, db, folder, away, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
