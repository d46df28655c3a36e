import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { DeployInstanceAnswer } from '@cannery/contract';
import { type Api, createApi, pushFolder, signIn } from '@cannery/dev-env';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DeployClient, startDeployClient } from '../support/deploy-client.ts';

/** Far fewer than what both would have together, far more than an honest build here needs. */
const PROCESSES = 150;
const MEMORY_MB = 512;
/** Builds of the honest tenant beside the greedy ones. */
const BUILDS = 3;

let client: DeployClient;
let eve: Api;

beforeAll(async () => {
  // One place is left whatever the greedy tenant does.
  const env = {
    BUILDS: '3',
    BUILDS_PER_USER: '2',
    BUILD_PROCESSES: String(PROCESSES),
    BUILD_MEMORY_MB: String(MEMORY_MB),
  };
  client = await startDeployClient({ env });
  eve = createApi(client.product.url, await signIn(client.product.url, 'eve'));
}, 120_000);
afterAll(() => client?.dispose());

/** Starts processes that stay and fills files, both without end, and says once when it got no more processes. */
const FORKS_AND_FILLS = `
import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
let isTold = false;
const refused = () => { if (!isTold) console.log('no more processes'); isTold = true; };
setInterval(() => {
  for (let turn = 0; turn < 50; turn += 1) {
    try { spawn('sleep', ['1000'], { stdio: 'ignore' }).on('error', refused); } catch { refused(); }
  }
}, 50);
let file = 0;
mkdirSync('small');
setInterval(() => {
  appendFileSync('large', Buffer.alloc(4 * 1024 * 1024, 'x'));
  for (let turn = 0; turn < 50; turn += 1) writeFileSync('small/' + (file += 1), 'x');
}, 100);
`;
const TAKES_MEMORY = `
const held = [];
setInterval(() => held.push(Buffer.alloc(16 * 1024 * 1024, 1)), 10);
`;
/** Needs processes, memory and room on the disk, and fails when it lacks any. */
const HONEST = `
import { spawnSync, spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
const all = Array.from({ length: 40 }, () => new Promise((done, fail) => {
  spawn('sleep', ['1']).on('error', fail).on('exit', (code) => (code === 0 ? done() : fail(new Error('ended with ' + code))));
}));
const held = Buffer.alloc(150 * 1024 * 1024, 1);
writeFileSync('room', held);
await Promise.all(all);
for (let turn = 0; turn < 20; turn += 1) if (spawnSync('true').status !== 0) throw new Error('no process');
rmSync('room');
mkdirSync('dist');
writeFileSync('dist/index.html', 'built ' + process.argv[2] + ' ' + held.length);
`;

/** A site of the greedy tenant. */
async function greedySite(name: string, script: string): Promise<string> {
  const folder = mkdtempSync(join(client.folder, `${name}-`));
  writeFileSync(join(folder, 'build.mjs'), script);
  writeFileSync(join(folder, 'index.html'), name);
  await pushFolder({ productUrl: client.product.url, api: eve, folder, owner: 'eve', name });
  const body = { name, branch: 'main', owner: 'eve', repo_name: name, deploy_type: 'STATIC_SITE' };
  const settings = { build_command: 'node build.mjs', publish_directory: 'dist', is_public: false };
  return (await eve.call<{ id: string }>('POST', '/deploy', { ...body, ...settings })).id;
}

const trigger = async (id: string): Promise<string> =>
  (await eve.call<{ id: string }>('POST', `/deploy/${id}/trigger`, {})).id;
const run = (id: string, instance: string): Promise<DeployInstanceAnswer> =>
  eve.call('GET', `/deploy/${id}/instances/${instance}`);

async function until(id: string, instance: string, isSo: (run: DeployInstanceAnswer) => boolean) {
  for (const end = Date.now() + 120_000; Date.now() < end; await delay(200)) {
    const seen = await run(id, instance);
    if (isSo(seen)) return seen;
  }
  throw new Error(`it was not seen: ${(await run(id, instance)).logs}`);
}

test.runIf(process.getuid?.() === 0)(
  '[R7] a tenant who forks and fills without end keeps the builds of another from nothing',
  { timeout: 500_000 },
  async () => {
    await client.push('honest', { 'build.mjs': HONEST });
    const honest = await client.create('honest', 'STATIC_SITE', {
      build_command: 'node build.mjs alone',
      publish_directory: 'dist',
    });
    expect((await client.run(honest)).status).toBe('COMPLETED');
    expect((await client.page(honest)).text).toBe(`built alone ${150 * 1024 * 1024}`);

    const forks = await greedySite('forks', FORKS_AND_FILLS);
    const memory = await greedySite('memory', TAKES_MEMORY);
    const forking = await trigger(forks);
    await until(forks, forking, ({ status, logs }) => {
      expect([status, logs]).not.toEqual(['FAILED', expect.anything()]);
      return logs?.includes('no more processes') === true;
    });
    let isOver = false;
    const ends: (string | null)[] = [];
    const taking = (async () => {
      while (!isOver) {
        const { status, logs } = await until(
          memory,
          await trigger(memory),
          ({ status: now }) => now === 'FAILED' || now === 'COMPLETED',
        );
        expect(status).toBe('FAILED');
        ends.push(logs);
      }
    })();

    for (let turn = 0; turn < BUILDS; turn += 1) {
      await client.ada.call('PATCH', `/deploy/${honest}`, { build_cmd: `node build.mjs ${turn}` });
      const { status, logs } = await client.run(honest);
      expect([status, logs]).toEqual(['COMPLETED', expect.stringContaining('The site is live')]);
      expect(logs).not.toMatch(/EAGAIN|ENOMEM|ENOSPC|temporarily unavailable|no process/i);
      expect((await client.page(honest)).text).toBe(`built ${turn} ${150 * 1024 * 1024}`);
      // All the while.
      expect((await run(forks, forking)).status).toBe('RUNNING');
    }
    isOver = true;
    await taking;
    expect(ends.length).toBeGreaterThan(1);
    for (const logs of ends) expect(logs).toMatch(/The build was stopped: .* memory/);
    await eve.call('POST', `/deploy/${forks}/instances/${forking}/cancel`, {});
    await until(forks, forking, ({ status }) => status === 'FAILED');
  },
);
