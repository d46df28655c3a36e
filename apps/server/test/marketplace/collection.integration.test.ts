import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBlobFolder } from '../../src/blobs/blob-folder.ts';
import type { BlobStore } from '../../src/blobs/blob-store.ts';
import { configOf } from '../../src/config/config.ts';
import { openDatabase } from '../../src/db/database.ts';
import { embeddedConnection } from '../../src/db/postgres/embedded-postgres.ts';
import { type Db, transactOn } from '../../src/db/tx.ts';
import { readEnv } from '../../src/config/env.ts';
import { endIntent, insertIntent } from '../../src/features/canister/payment/intents.ts';
import { type CollectContext, collectUnused } from '../../src/features/document/collect-unused.ts';
import { lockDocument } from '../../src/features/document/store.ts';
import { createLogger } from '../../src/log/logger.ts';
import { ApiClient } from '../support/client.ts';
import { custom, moduleOf } from '../support/modules.ts';
import { pngOf } from '../support/pictures.ts';
import { NO_NETWORK, startTestServer } from '../support/server.ts';
import { startProduct } from '../support/server-process.ts';

const fresh = (): Buffer => moduleOf({ exports: ['canister_query a'], after: [custom(randomUUID())] });

async function blobsIn(dataDir: string): Promise<string[]> {
  const entries = await readdir(join(dataDir, 'blobs'), { recursive: true, withFileTypes: true });
  // Beside them is the mark by which database and folder know each other.
  return entries.filter((entry) => entry.isFile() && entry.name !== 'place').map(({ name }) => name);
}

/** As if everything had been uploaded some hours earlier. */
async function age(db: Db, hours: number): Promise<void> {
  const earlier = sql<Date>`now() - make_interval(hours => ${hours})`;
  await db.updateTable('documents').set({ uploaded_at: earlier }).execute();
  await db.updateTable('blobs').set({ stored_at: earlier }).execute();
}

describe('what nothing uses is collected', () => {
  let dataDir: string;
  let server: Awaited<ReturnType<typeof startTestServer>>;
  let db: Db;
  let ada: ApiClient;
  let ctx: CollectContext;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'cannery-collection-'));
    server = await startTestServer({ DATA_DIR: dataDir, IC_URL: NO_NETWORK });
    db = openDatabase(embeddedConnection(dataDir), 12);
    ada = await ApiClient.signIn(server.url, 'ada');
    const config = configOf(readEnv({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' }));
    const folder = await openBlobFolder(join(dataDir, 'blobs'));
    ctx = {
      config,
      blobs: folder,
      transact: transactOn(db),
      failpoint: () => {},
      log: createLogger(config),
    };
  });
  afterAll(async () => {
    await db?.destroy();
    await server?.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  test('after 24 hours, not before; a registry keeps its modules, all versions of it', async () => {
    const [unused, first, second] = [
      await ada.uploadWasm(fresh()),
      await ada.uploadWasm(fresh()),
      await ada.uploadWasm(fresh()),
    ];
    const icon = await ada.uploadIcon(pngOf('old'));
    const { body } = await ada.post('/registry/add', { name: 'Shop', identifier: first });
    const changed = await ada.post(`/registry/update/${body.id}`, { name: 'Shop', identifier: second });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);

    await age(db, 23);
    await collectUnused(ctx);
    expect((await blobsIn(dataDir)).toSorted()).toEqual([unused, first, second, icon].toSorted());
    await age(db, 25);
    await collectUnused(ctx);
    expect((await blobsIn(dataDir)).toSorted()).toEqual([first, second].toSorted());
    const rows = await db.selectFrom('modules').select('identifier').execute();
    expect(rows.map(({ identifier }) => identifier).toSorted()).toEqual([first, second].toSorted());
    expect((await ada.get(`/document/get/${icon}`)).status).toBe(404);
  });

  test('a dapp keeps its icon and the modules of all its versions until it is withdrawn', async () => {
    const [first, second] = [await ada.uploadWasm(fresh()), await ada.uploadWasm(fresh())];
    const icon = await ada.uploadIcon(pngOf('dapp'));
    const texts = { name: 'Shop', git_url: 'https://example.org/a', description: 'Sells', version: '1.0.0' };
    const { body } = await ada.post('/marketplace/submit', { ...texts, icon, wasm: first });
    await ada.post(`/marketplace/update/${body.data}`, { wasm: second, version: '1.1.0' });
    await age(db, 25);
    await collectUnused(ctx);
    expect(await blobsIn(dataDir)).toEqual(expect.arrayContaining([first, second, icon]));
    await ada.post(`/marketplace/delete/${body.data}`, {});
    await collectUnused(ctx);
    const left = await blobsIn(dataDir);
    expect([first, second, icon].filter((one) => left.includes(one))).toEqual([]);
  });

  test('an installation under way keeps its module until it has ended', async () => {
    const identifier = await ada.uploadWasm(fresh());
    const userId = String((await ada.get('/user/profile')).body.id);
    const intent = await ctx.transact((tx) =>
      insertIntent(tx, {
        kind: 'install',
        userId,
        holdId: null,
        canisterId: null,
        lease: undefined,
        canisterName: null,
        cycles: 0n,
        cyclesBefore: null,
        change: { kind: 'installed', detail: 'Installed.', moduleHash: identifier, chunked: false },
        call: {
          requestId: randomUUID(),
          envelope: new Uint8Array(),
          effectiveCanisterId: 'aaaaa-aa',
          expiresAt: new Date(),
          ledgerTime: null,
          isRepetition: false,
        },
      }),
    );
    await age(db, 25);
    await collectUnused(ctx);
    expect(await blobsIn(dataDir)).toContain(identifier);
    await ctx.transact((tx) => endIntent(tx, intent));
    await collectUnused(ctx);
    expect(await blobsIn(dataDir)).not.toContain(identifier);
  });

  test('content of two stays until neither has it; uploading it again makes it new', async () => {
    const eve = await ApiClient.signIn(server.url, 'eve');
    const module = fresh();
    const identifier = await ada.uploadWasm(module);
    await eve.uploadWasm(module);
    await age(db, 25);
    await eve.uploadWasm(module);
    await collectUnused(ctx);
    const owners = await db
      .selectFrom('documents')
      .select('user_id')
      .where('identifier', '=', identifier)
      .execute();
    expect(owners).toHaveLength(1);
    expect(await blobsIn(dataDir)).toContain(identifier);
  });

  test('a document that is about to be used is left, whichever comes first', async () => {
    const identifier = await ada.uploadWasm(fresh());
    const userId = String((await ada.get('/user/profile')).body.id);
    await age(db, 25);
    await ctx.transact(async (tx) => {
      await lockDocument(tx, { identifier, userId, kind: 'wasm' });
      await collectUnused(ctx);
    });
    expect(await blobsIn(dataDir)).toContain(identifier);
    await collectUnused(ctx);
    expect(await blobsIn(dataDir)).not.toContain(identifier);
    const late = ctx.transact((tx) => lockDocument(tx, { identifier, userId, kind: 'wasm' }));
    await expect(late).rejects.toMatchObject({ code: 'not_found' });
  });

  test.each(['/registry/add', '/marketplace/submit'])(
    '%s with a module that is being collected finds none',
    async (path) => {
      const identifier = await ada.uploadWasm(fresh());
      const adding = await ctx.transact(async (tx) => {
        await tx.deleteFrom('documents').where('identifier', '=', identifier).execute();
        const answer = ada.post(path, {
          name: 'Late',
          identifier,
          wasm: identifier,
          git_url: 'https://example.org/late',
          description: 'Late',
          version: '1.0.0',
        });
        // It waits for the collection, and looks only then.
        expect(
          await Promise.race([answer, new Promise((resolve) => setTimeout(resolve, 300, 'waits'))]),
        ).toBe('waits');
        return { answer };
      });
      const { status, body } = await adding.answer;
      expect([status, body.code]).toEqual([404, 'not_found']);
    },
  );

  test('an upload of the same content at any moment of a collection is never lost', async () => {
    const module = fresh();
    const identifier = await ada.uploadWasm(module);
    for (let round = 0; round < 12; round += 1) {
      await age(db, 25);
      // The upload waits for the check of the module first, so the collection is held up for a time that differs.
      const slow: BlobStore = {
        ...ctx.blobs,
        remove: async (hash) => {
          await ctx.blobs.remove(hash);
          await new Promise((resolve) => setTimeout(resolve, 60 * round));
        },
      };
      const [{ status }] = await Promise.all([
        ada.upload('/document/upload', 'wasm', module),
        collectUnused({ ...ctx, blobs: slow }),
        collectUnused(ctx),
      ]);
      expect(status).toBe(200);
      // Collected before or kept, but never a document without its content.
      const owners = await db
        .selectFrom('documents')
        .selectAll()
        .where('identifier', '=', identifier)
        .execute();
      expect(owners).toHaveLength(1);
      expect(await blobsIn(dataDir)).toContain(identifier);
      expect(
        await db.selectFrom('modules').selectAll().where('identifier', '=', identifier).execute(),
      ).toHaveLength(1);
    }
  });
});

describe('killed at any step of an upload or a collection', () => {
  test.each(['upload.announced', 'upload.kept', 'collect.deleting', 'collect.removed'])(
    '%s: the next server ends it, and the upload can be made again',
    async (point) => {
      const dataDir = await mkdtemp(join(tmpdir(), 'cannery-collection-'));
      const module = fresh();
      const options = { DATA_DIR: dataDir, IC_URL: NO_NETWORK };
      if (point.startsWith('collect.')) {
        const product = await startProduct(options);
        await (await ApiClient.signIn(product.url, 'ada')).uploadWasm(module);
        const db = openDatabase(embeddedConnection(dataDir), 1);
        await age(db, 25);
        await db.destroy();
        await product.kill('SIGTERM');
        // It dies while it starts, or a moment later.
        const deadly = await startProduct({ ...options, NODE_ENV: 'test', FAULT_POINT: point }).catch(
          () => undefined,
        );
        await deadly?.kill('SIGKILL');
      } else {
        const deadly = await startProduct({ ...options, NODE_ENV: 'test', FAULT_POINT: point });
        const ada = await ApiClient.signIn(deadly.url, 'ada');
        await expect(ada.uploadWasm(module)).rejects.toThrow();
        await deadly.kill('SIGKILL');
      }
      const next = await startProduct(options);
      const db = openDatabase(embeddedConnection(dataDir), 1);
      try {
        if (point.startsWith('upload.')) {
          expect(await db.selectFrom('documents').selectAll().execute()).toEqual([]);
          await age(db, 25);
          await db.destroy();
          await next.kill('SIGTERM');
          const third = await startProduct(options);
          await expect.poll(() => blobsIn(dataDir), { timeout: 10_000 }).toEqual([]);
          await third.kill('SIGTERM');
          return;
        }
        await expect.poll(() => blobsIn(dataDir), { timeout: 10_000 }).toEqual([]);
        await expect.poll(() => db.selectFrom('blobs').selectAll().execute()).toEqual([]);
        const identifier = await (await ApiClient.signIn(next.url, 'ada')).uploadWasm(module);
        expect(await blobsIn(dataDir)).toEqual([identifier]);
      } finally {
        await db.destroy();
        await next.kill('SIGTERM');
        await rm(dataDir, { recursive: true, force: true });
      }
    },
    120_000,
  );
});
