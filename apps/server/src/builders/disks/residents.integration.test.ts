import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { startResident } from './workspace.ts';
import { testMachine, type TestWorkspace, testWorkspace } from './workspace.testing.ts';
import { disksIn, isRoot, loopsBelow, testDisks } from './image-store.testing.ts';

const { sandboxes, newPlace, open } = await testDisks();

/** Folder programs that see the disk of this device. */
function programsOn(device: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const [file = ''] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        return file.endsWith('/node') && statSync(`/proc/${pid}/root/tenant`).dev === device
          ? [Number(pid)]
          : [];
      } catch {
        return [];
      }
    });
}

const deviceOf = ({ disk }: TestWorkspace): number => statSync(disk.source).dev;

function ownSandbox(): Sandbox {
  const [, sandbox] = sandboxes.find(([, { hasUsers }]) => hasUsers) ?? [];
  if (sandbox === undefined) throw new Error('There is no sandbox for root.');
  return sandbox;
}

describe.runIf(isRoot)('where builds have users and disks', () => {
  test('a build leaves its folder program to the next one of the tenant, and to no other', async () => {
    const sandbox = ownSandbox();
    const place = newPlace();
    const images = await open(place);
    const first = await testWorkspace(place.dataDir, sandbox, { images });
    await first.source.write('kept.txt', 'one');
    const device = deviceOf(first);
    const [pid = 0] = programsOn(device);
    expect(pid).toBeGreaterThan(0);
    await first.remove();
    const other = await testWorkspace(place.dataDir, sandbox, { owner: 'eve', images });
    await other.source.write('mine.txt', 'eve');
    const others = deviceOf(other);
    expect(others).not.toBe(device);
    expect(programsOn(others)).toHaveLength(1);
    await other.remove();
    const second = await testWorkspace(place.dataDir, sandbox, { images });
    expect([second.user, programsOn(device)]).toEqual([first.user, [pid]]);
    expect(await second.source.read('kept.txt', 10)).toBe('none');
    await second.source.write('kept.txt', 'two');
    expect(readFileSync(join(second.disk.source, 'kept.txt'), 'utf8')).toBe('two');
    await second.remove();
    // One that was killed meanwhile is not asked.
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => programsOn(device)).toEqual([]);
    const third = await testWorkspace(place.dataDir, sandbox, { images });
    await third.source.write('kept.txt', 'three');
    expect(programsOn(device)).toHaveLength(1);
    await third.remove();
    await images.close();
    expect([...programsOn(device), ...programsOn(others)]).toEqual([]);
    expect(loopsBelow(place.disks)).toEqual([]);
    expect(place.warnings).toEqual([]);
  });

  test('the disk that is ready has a folder program, which its first tenant gets', async () => {
    const sandbox = ownSandbox();
    const place = newPlace();
    const images = await open(place);
    const machine = testMachine(place.dataDir, sandbox);
    let device = 0;
    images.keepReady((disk) => {
      device = statSync(disk.own).dev;
      return startResident(machine, disk);
    });
    const [spare = ''] = disksIn(place.disks);
    await expect.poll(() => programsOn(device), { timeout: 10_000 }).toHaveLength(1);
    await expect.poll(() => readdirSync(machine.buildsFolder)).toEqual([]);
    const pids = programsOn(device);
    const folders = await testWorkspace(place.dataDir, sandbox, { images });
    expect([folders.user, deviceOf(folders)]).toEqual([Number(spare.split('.')[1]), device]);
    await folders.source.write('a/b.txt', 'text');
    expect(statSync(join(folders.disk.source, 'a/b.txt')).uid).toBe(folders.user);
    expect(programsOn(device)).toEqual(pids);
    await folders.remove();
    await images.close();
    expect(programsOn(device)).toEqual([]);
    expect(place.warnings).toEqual([]);
  });
});
