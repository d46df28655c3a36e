import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { embeddedConnection } from '../../src/db/postgres/embedded-postgres.ts';
import type { Db } from '../../src/db/tx.ts';
import { ApiClient } from '../support/client.ts';
import type { HookUnderTest } from './hook-deliveries.ts';
import { NO_NETWORK, startTestServer } from '../support/server.ts';
import { openWire, type Wire } from '../support/wire.ts';

/** A webhook that is on, and its deploy. */
interface Hooked extends HookUnderTest {
  readonly deploy: string;
}

/** A server on which runs stay in line: what counts is whether there are any. */
export interface HookWorld {
  readonly url: string;
  readonly db: Db;
  readonly wire: Wire;
  readonly ada: ApiClient;
  /** A deploy of a repository of another git host, which nobody asks for it, with its webhook. */
  hooked(client?: ApiClient): Promise<Hooked>;
  /** A webhook that does not exist. */
  absent(): HookUnderTest;
  /** Runs of the deploy, oldest first. */
  runsOf(hook: Hooked): Promise<string[]>;
  /** Ends what waits, so that the next run is another one. */
  endRuns(hook: Hooked): Promise<void>;
  close(): Promise<void>;
}

export async function openHookWorld(): Promise<HookWorld> {
  const dataDir = await mkdtemp(join(tmpdir(), 'cannery-hooks-'));
  const server = await startTestServer({ DATA_DIR: dataDir, IC_URL: NO_NETWORK, WORKER: 'off' });
  const db = openDatabase(embeddedConnection(dataDir), 2);
  const wire = openWire(server.url);
  const ada = await ApiClient.signIn(server.url, 'ada');
  return {
    url: server.url,
    db,
    wire,
    ada,
    async hooked(client = ada) {
      const deploy = randomUUID();
      const { id: user } = (await client.get('/user/profile')).body;
      await db
        .insertInto('deploys')
        .values({
          id: deploy,
          user_id: String(user),
          name: 'Mill',
          type: 'STATIC_SITE',
          branch: 'main',
          repo_owner: 'flour',
          repo_name: 'mill',
          is_public: true,
          repo_url: 'https://git.example/flour/mill',
          settings: JSON.stringify({ build_command: '', publish_directory: '' }),
        })
        .execute();
      const { status, body } = await client.post(`/deploy/${deploy}/hook`, {});
      expect(status, body.error).toBe(200);
      return { deploy, address: String(body.address), secret: String(body.secret) };
    },
    absent: () => ({ address: `${server.url}/api/hooks/deploy/${randomUUID()}`, secret: 'no-secret' }),
    async runsOf({ deploy }) {
      const rows = await db
        .selectFrom('deploy_instances')
        .select('id')
        .where('deploy_id', '=', deploy)
        .orderBy('seq')
        .execute();
      return rows.map(({ id }) => id);
    },
    async endRuns({ deploy }) {
      await db
        .updateTable('deploy_instances')
        .set({ status: 'COMPLETED', finished_at: new Date() })
        .where('deploy_id', '=', deploy)
        .execute();
    },
    async close() {
      wire.close();
      await db.destroy();
      await server.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
