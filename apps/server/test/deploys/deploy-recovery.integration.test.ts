import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { processes } from '@cannery/dev-env';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { embeddedConnection } from '../../src/db/postgres/embedded-postgres.ts';
import { type DeployClient, startDeployClient } from '../support/deploy-client.ts';

let client: DeployClient;

beforeAll(async () => {
  client = await startDeployClient();
});
afterAll(() => client.dispose());

describe('a run under way', () => {
  const mark = `${60_000 + Math.floor(Math.random() * 10_000)}.75`;
  const isBuilding = (): boolean => processes().some(({ command }) => command.includes(`sleep ${mark}`));

  /** A site whose build hangs on its first run only. */
  async function hanging(name: string): Promise<string> {
    await client.push(name, { 'index.html': name });
    return client.create(name, 'STATIC_SITE', { build_command: `sleep ${mark}` });
  }

  async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
    for (const end = Date.now() + 60_000; !(await condition()); await delay(100)) {
      if (Date.now() > end) throw new Error('waited too long');
    }
  }

  test('shows its lines while it runs', async () => {
    const id = await hanging('slow');
    const instanceId = await client.trigger(id);
    await until(
      async () => (await client.instance(id, instanceId)).logs?.includes(`$ sleep ${mark}`) ?? false,
    );
    expect((await client.instance(id, instanceId)).status).toBe('RUNNING');
    await client.ada.call('PATCH', `/deploy/${id}`, { build_cmd: 'true' });

    // The whole product dies as in a power cut: the build dies with it, and the next worker starts the run again.
    await until(isBuilding);
    await client.product.kill();
    await until(() => !isBuilding());
    await client.product.restart();
    const { status, logs } = await client.finished(id, instanceId);
    expect(logs).toContain('The run starts again (attempt 2).');
    expect(status).toBe('COMPLETED');
    expect((await client.page(id)).text).toBe('slow');
  });

  test('a stop in good order ends the build and puts the run back in line', async () => {
    const id = await hanging('stopped');
    const instanceId = await client.trigger(id);
    await until(isBuilding);
    await client.ada.call('PATCH', `/deploy/${id}`, { build_cmd: 'true' });
    await client.product.stop();
    expect(isBuilding()).toBe(false);
    await client.product.restart();
    const { status, logs } = await client.finished(id, instanceId);
    expect(logs).toContain('The server is being stopped. This run starts again when the server is back.');
    expect(status).toBe('COMPLETED');
  });
});

test('a run goes on when the network is killed while it publishes, and its canister is paid for once', async () => {
  const files = Array.from({ length: 80 }, (_, place) => [
    `${place}.txt`,
    randomBytes(40_000).toString('hex'),
  ]);
  await client.push('large', { ...Object.fromEntries(files), 'index.html': 'large' });
  const id = await client.create('large', 'STATIC_SITE');
  const paid = async (): Promise<unknown[]> =>
    (await client.ada.call<{ transaction_name: string; amount: unknown }[]>('GET', '/transactions/')).filter(
      (line) => line.transaction_name === 'CANISTER_CREATE',
    );
  const before = await paid();
  const instanceId = await client.trigger(id);
  await expect
    .poll(async () => (await client.instance(id, instanceId)).logs, { timeout: 30_000, interval: 30 })
    .toContain('==> Publishing');
  await client.product.killNetwork();
  const { status, logs } = await client.finished(id, instanceId);
  expect(status, logs ?? '').toBe('COMPLETED');
  expect(logs).toContain('The network does not answer. Waiting for it, 90 s at most.');
  expect(logs).toContain('The network answers again.');
  expect(await client.page(id)).toMatchObject({ text: 'large' });
  expect(await paid()).toHaveLength(before.length + 1);
});

test('[R2] a run that nothing stands behind any more is ended once the server is back', async () => {
  await client.push('orphan', { 'index.html': 'orphan' });
  const id = await client.create('orphan', 'STATIC_SITE');
  const database = new pg.Client(embeddedConnection(client.product.dataDir));
  await database.connect();
  const lost = randomUUID();
  await database.query(
    `insert into deploy_instances (id, deploy_id, user_id, status, turn, job_sent, trigger_by, created_at)
     select $1, id, user_id, 'RUNNING', 0, true, 'MANUAL', now() - interval '2 minutes' from deploys where id = $2`,
    [lost, id],
  );
  await database.end();
  await client.product.stop();
  await client.product.restart();
  const { status, logs } = await client.finished(id, lost);
  expect(status).toBe('FAILED');
  expect(logs).toContain('Failed: the server stopped while it ran this deploy. Deploy again.');
});
