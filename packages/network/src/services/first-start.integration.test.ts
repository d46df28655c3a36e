import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { storePaths } from '@cannery/store/files/layout';
import { Principal } from '@icp-sdk/core/principal';
import { afterAll, expect, test } from 'vitest';
import { NetworkProcess } from '../../test/network-process.ts';
import { startServices } from '../../test/services/other-services.ts';
import { readServices } from './chosen-services.ts';
import { prepareFirstStart } from './first-start.ts';
import { serviceCanisters } from './system-canisters.ts';

const folder = mkdtempSync(join(tmpdir(), 'cannery-first-start-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const newest = serviceCanisters.map(({ canister }) => ({
  id: Principal.fromText(canister.id),
  module: canister.versions.at(-1),
}));

test('the process of a first start installs all services, and leaves the folder to who asked for it', async () => {
  const dataDir = join(folder, 'process');
  const services = readServices('default');
  await prepareFirstStart({ services, provisional: 'anyone', engine: { dataDir } });
  await using network = await startServices({ dataDir, services: 'none' });
  for (const { id, module } of newest) expect(await network.look(id)).toEqual({ status: 'running', module });
});

test.each([0, 300, 900])(
  'kill -9 of a first start %i ms after it has a folder: the next one, at once, ends it',
  async (ms) => {
    const dataDir = join(folder, `killed-${ms}`);
    const first = new NetworkProcess(dataDir, { args: ['--services', 'default'] });
    while (!existsSync(storePaths.index(dataDir))) await sleep(5);
    await sleep(ms);
    await first.end('SIGKILL');
    const next = await NetworkProcess.start(dataDir, '--services', 'default');
    await next.end();
    expect(next.errors).toBe('');
    await using network = await startServices({ dataDir, services: 'none' });
    for (const { id, module } of newest)
      expect(await network.look(id)).toEqual({ status: 'running', module });
  },
);
