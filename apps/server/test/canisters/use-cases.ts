import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { configOf } from '../../src/config/config.ts';
import type { AppContext } from '../../src/context.ts';
import { readEnv } from '../../src/config/env.ts';
import { embeddedConnection } from '../../src/db/postgres/embedded-postgres.ts';
import { createIcClient } from '../../src/ic/create-ic-client.ts';
import { openPaymentFence } from '../../src/jobs/payment-fence.ts';
import { createLogger } from '../../src/log/logger.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type Program, startNetworkProgram } from '../support/server-process.ts';

/** What the use cases of canisters need: a database and a network of a test, without a server around them. */
export interface UseCases {
  readonly folder: string;
  readonly database: TestDatabase;
  readonly network: Program;
  readonly ctx: AppContext;
  dispose(): Promise<void>;
}

/** @param name part of the name of its folder @param identity of the console */
export async function startUseCases(
  name: string,
  identity = Ed25519KeyIdentity.generate(),
): Promise<UseCases> {
  const folder = await mkdtemp(join(tmpdir(), `cannery-${name}-`));
  const [database, network] = await Promise.all([
    createTestDatabase(),
    startNetworkProgram(join(folder, 'network')),
  ]);
  const config = configOf(readEnv({ IC_URL: network.url, LOG_LEVEL: 'silent' }));
  const log = createLogger(config);
  const fence = openPaymentFence({ connection: embeddedConnection(database.folder), log });
  return {
    folder,
    database,
    network,
    ctx: {
      config,
      log,
      db: database.db,
      transact: database.transact,
      ic: createIcClient({ icUrl: network.url, identity }),
      failpoint: () => {},
      fence,
      // The use cases of canisters need no more of the context.
    } as unknown as AppContext,
    async dispose() {
      await network.kill('SIGTERM');
      await fence[Symbol.asyncDispose]();
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
