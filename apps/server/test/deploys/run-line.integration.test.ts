import { setTimeout as delay } from 'node:timers/promises';
import type { DeployInstanceAnswer } from '@cannery/contract';
import { createApi, processes, signIn } from '@cannery/dev-env';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DeployClient, startDeployClient } from '../support/deploy-client.ts';

/** How soon a cancelled build has to be gone, in milliseconds. */
const GONE_MS = 2_000;

let client: DeployClient;

beforeAll(async () => {
  client = await startDeployClient({ env: { BUILDS: '1' } });
});
afterAll(() => client.dispose());

const cancel = (id: string, instanceId: string): Promise<DeployInstanceAnswer> =>
  client.ada.call('POST', `/deploy/${id}/instances/${instanceId}/cancel`);

async function until(condition: () => boolean | Promise<boolean>, ms = 60_000): Promise<void> {
  for (const end = Date.now() + ms; !(await condition()); await delay(20)) {
    if (Date.now() > end) throw new Error('waited too long');
  }
}

const lastLine = ({ logs }: { logs: string | null }): string | undefined => logs?.split('\n').at(-1);

/** A site whose build sleeps for a time that no other process has in its arguments. */
async function sleeping(name: string): Promise<{ id: string; isBuilding: () => boolean }> {
  const mark = `${70_000 + Math.floor(Math.random() * 10_000)}.75`;
  await client.push(name, { 'index.html': name });
  const build = `setsid nohup sleep ${mark} & sleep ${mark}`;
  const id = await client.create(name, 'STATIC_SITE', { build_command: build });
  return { id, isBuilding: () => processes().some(({ command }) => command.includes(`sleep ${mark}`)) };
}

describe('a cancelled run', () => {
  test('[STATE-09] [R7] that builds is FAILED, says by whom, and none of its processes lives', async () => {
    const { id, isBuilding } = await sleeping('under-way');
    const run = await client.trigger(id);
    await until(isBuilding);
    const start = Date.now();
    expect((await cancel(id, run)).status).toBe('RUNNING');
    await until(() => !isBuilding(), GONE_MS);
    const ended = await client.finished(id, run);
    expect(Date.now() - start).toBeLessThan(GONE_MS + 1_000);
    expect(ended.status).toBe('FAILED');
    expect(lastLine(ended)).toBe('Cancelled by ada.');
    // Said once, and once only.
    const again = await Promise.all([cancel(id, run), cancel(id, run)]);
    for (const answer of again)
      expect(answer).toMatchObject({ status: 'FAILED', logs: ended.logs, duration: ended.duration });
    await client.ada.call('PATCH', `/deploy/${id}`, { build_cmd: 'true' });
    expect((await client.run(id)).status).toBe('COMPLETED');
  });

  test('that waits ends at once, and never begins', async () => {
    const first = await sleeping('hangs');
    const second = await sleeping('waits');
    const [running, waiting] = [await client.trigger(first.id), await client.trigger(second.id)];
    await until(first.isBuilding);
    expect((await client.instance(second.id, waiting)).waiting).toEqual({ reason: 'user', ahead: 1 });
    expect(await cancel(second.id, waiting)).toMatchObject({
      status: 'FAILED',
      logs: 'Cancelled by ada.',
      waiting: null,
    });
    await cancel(first.id, running);
    await client.finished(first.id, running);
    await delay(1_000);
    expect(await client.instance(second.id, waiting)).toMatchObject({
      status: 'FAILED',
      logs: 'Cancelled by ada.',
    });
  });

  test('belongs to its owner: for others there is none', async () => {
    const { id } = await sleeping('private');
    const run = await client.trigger(id);
    const eve = createApi(client.product.url, await signIn(client.product.url, 'eve'));
    const path = `/deploy/${id}/instances/${run}/cancel`;
    expect(await eve.request('POST', path)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect((await client.instance(id, run)).status).not.toBe('FAILED');
    await cancel(id, run);
    await client.finished(id, run);
  });

  test('is over for good although its server is killed before it could end it', async () => {
    const { id, isBuilding } = await sleeping('killed');
    const run = await client.trigger(id);
    await until(isBuilding);
    const asked = cancel(id, run);
    await asked;
    await client.product.kill();
    await client.product.restart();
    const ended = await client.finished(id, run);
    expect([ended.status, lastLine(ended)]).toEqual(['FAILED', 'Cancelled by ada.']);
  });
});

describe('a run that builds nothing', () => {
  test('does not wait behind builds, and is ahead of none', async () => {
    await client.push('quick', { 'index.html': 'one' });
    const id = await client.create('quick', 'STATIC_SITE');
    const first = await client.run(id);
    await client.push('quick', { 'index.html': 'two' });
    await client.run(id);
    const builds = [await sleeping('holds'), await sleeping('behind')] as const;
    const [running, waiting] = [await client.trigger(builds[0].id), await client.trigger(builds[1].id)];
    await until(builds[0].isBuilding);
    const path = `/deploy/${id}/instances/${first.id}/rollback`;
    const back = await client.ada.call<{ id: string }>('POST', path, {});
    await until(async () => (await client.instance(id, back.id)).status === 'COMPLETED', 15_000);
    expect((await client.page(id)).text).toBe('one');
    // The only place of a build is still taken.
    expect(builds[0].isBuilding()).toBe(true);
    expect((await client.instance(builds[1].id, waiting)).waiting).toEqual({ reason: 'user', ahead: 1 });
    await cancel(builds[1].id, waiting);
    await cancel(builds[0].id, running);
    await client.finished(builds[0].id, running);
  });
});

describe('runs of one deploy', () => {
  test('[R4] [API-32] a trigger while one runs waits for it; more triggers meanwhile get the same run', async () => {
    const { id, isBuilding } = await sleeping('again');
    const first = await client.trigger(id);
    await until(isBuilding);
    const triggered = await Promise.all(Array.from({ length: 20 }, () => client.trigger(id)));
    const [second = ''] = triggered;
    expect(new Set(triggered)).toEqual(new Set([second]));
    expect(second).not.toBe(first);
    expect(await client.instance(id, second)).toMatchObject({
      status: 'SCHEDULED',
      waiting: { reason: 'deploy', ahead: 1 },
    });
    await client.ada.call('PATCH', `/deploy/${id}`, { build_cmd: 'true' });
    await cancel(id, first);
    const ended = await client.finished(id, second);
    expect(ended.status).toBe('COMPLETED');
    const { data } = await client.ada.call<{ data: DeployInstanceAnswer[] }>(
      'GET',
      `/deploy/${id}/instances`,
    );
    expect(data.map((run) => [run.id, run.status])).toEqual([
      [second, 'COMPLETED'],
      [first, 'FAILED'],
    ]);
  });

  test('[R4] the one that waits is not forgotten when the server is killed', async () => {
    const { id, isBuilding } = await sleeping('forgotten');
    const first = await client.trigger(id);
    await until(isBuilding);
    const second = await client.trigger(id);
    await client.ada.call('PATCH', `/deploy/${id}`, { build_cmd: 'true' });
    await client.product.kill();
    await client.product.restart();
    for (const run of [first, second]) expect((await client.finished(id, run)).status).toBe('COMPLETED');
  });
});
