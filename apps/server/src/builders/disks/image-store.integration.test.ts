import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test } from 'vitest';
import { BUILD_UID } from '../process/build-user.ts';
import type { Sandbox, StepResult } from '../sandbox/sandbox.ts';
import { openWorkspace, type Workspace } from './workspace.ts';
import { testMachine, testWorkspace } from './workspace.testing.ts';
import { DiskRoom } from './disk-room.ts';
import { isSound, makeImage } from './image-file.ts';
import { mountSpace } from './mount-space.ts';
import { disksIn, isRoot, loopsBelow, MIB, MOST, type Place, testDisks } from './image-store.testing.ts';

const { sandboxes, newPlace, open } = await testDisks();

interface Outcome extends StepResult {
  readonly text: string;
}

async function run(sandbox: Sandbox, folders: Workspace, argv: readonly string[]): Promise<Outcome> {
  const lines: string[] = [];
  const result = await sandbox.run(folders, {
    argv,
    env: {},
    way: null,
    cache: folders.cache,
    // So that no look at the size of the folder ends it before the kernel does.
    limits: { diskBytes: 1024 ** 4, entries: 1_000_000 },
    timeoutMs: 60_000,
    signal: new AbortController().signal,
    onLine: (line) => lines.push(line),
  });
  return { ...result, text: lines.join('\n') };
}

const script = (text: string): readonly string[] => ['sh', '-c', text];

/** Bytes and inodes that are used on a disk. */
function usedOn(path: string): { bytes: number; entries: number } {
  const { blocks, bfree, bsize, files, ffree } = statfsSync(path);
  return { bytes: (blocks - bfree) * bsize, entries: files - ffree };
}

describe.runIf(isRoot).each(sandboxes)('with %s', (name, sandbox) => {
  test('[R7] the kernel gives a build its bytes and no more, and another build those of its disk', async () => {
    const place = newPlace();
    const images = await open(place);
    const greedy = await testWorkspace(place.dataDir, sandbox, { owner: 'eve', images });
    const modest = await testWorkspace(place.dataDir, sandbox, { owner: 'ada', images });
    const before = usedOn(greedy.disk.source).bytes;
    const fill =
      'cat /dev/zero > a & cat /dev/zero > "$HOME/b" & cat /dev/zero > /var/cache/npm/c & wait; exit 3';
    const [full, other] = await Promise.all([
      run(sandbox, greedy, script(fill)),
      run(sandbox, modest, script('sleep 1; head -c 40000000 /dev/zero > a && echo written')),
    ]);
    expect(full.stopped).toBe('it wrote more than 1048576 MB to disk');
    expect([other.exitCode, other.text]).toEqual([0, 'written']);
    expect(usedOn(greedy.disk.source).bytes - before).toBeLessThanOrEqual(MOST.bytes);
    // The disk counts on the machine's disk for what was written only.
    for (const one of [greedy, modest]) await one.remove();
    expect(place.warnings).toEqual([]);
    for (const one of disksIn(place.disks))
      expect(statSync(join(place.disks, one)).blocks * 512).toBeLessThan(24 * MIB);
  });

  test('[R7] the kernel gives a build its inodes and no more', async () => {
    const place = newPlace();
    const folders = await testWorkspace(place.dataDir, sandbox, { images: await open(place) });
    const before = usedOn(folders.disk.source).entries;
    const make = 'for (1 .. 100000) { open(my $file, ">", "f$_") or die "none left: $!\\n" } ';
    const { text, stopped } = await run(sandbox, folders, ['perl', '-e', make]);
    expect(`${stopped} ${text}`).toMatch(/it made more than 1000000 files and folders/);
    expect(usedOn(folders.disk.source).entries - before).toBeLessThan(1.3 * MOST.entries);
    await folders.remove();
  });

  test('[R7] two running builds have two disks and two users, also of one tenant; the next build finds what was cached', async () => {
    const place = newPlace();
    const images = await open(place);
    const first = await testWorkspace(place.dataDir, sandbox, { images });
    const second = await testWorkspace(place.dataDir, sandbox, { images });
    expect(new Set([first.user, second.user, BUILD_UID]).size).toBe(3);
    expect(statSync(first.disk.source).dev).not.toBe(statSync(second.disk.source).dev);
    const see = 'touch made; stat -c %u made > /var/cache/npm/user; grep " /build/source " /proc/mounts';
    for (const one of [first, second])
      expect((await run(sandbox, one, script(see))).text).toMatch(/^\/dev\/loop\d+ .*nosuid,nodev/);
    if (name === 'namespaces as root') expect(statSync(join(first.disk.source, 'made')).uid).toBe(first.user);
    await first.remove();
    const strangers = await Promise.all(
      ['eve', 'bob'].map((owner) => testWorkspace(place.dataDir, sandbox, { owner, images })),
    );
    const next = await testWorkspace(place.dataDir, sandbox, { images });
    expect(next.user).toBe(first.user);
    expect(readdirSync(next.disk.source)).toEqual([]);
    expect((await run(sandbox, next, script('cat /var/cache/npm/user'))).exitCode).toBe(0);
    expect(strangers.flatMap(({ disk }) => readdirSync(disk.cache))).toEqual([]);
    expect(new Set([next, second, ...strangers].map(({ user }) => user)).size).toBe(4);
    for (const one of [second, next, ...strangers]) await one.remove();
    expect(place.warnings).toEqual([]);
  });

  test('[R7] a build gets what room is left, and the next one waits for it', async () => {
    const place = newPlace();
    const images = await open(place);
    const space = await mountSpace();
    const small = join(place.dataDir, 'small');
    mkdirSync(small);
    await space.run('mount', ['-t', 'tmpfs', '-o', `size=${512 + 260}m`, 'tmpfs', small]);
    const machine = { ...testMachine(place.dataDir, sandbox), images, room: new DiskRoom(space.seen(small)) };
    const waiting: string[] = [];
    const build = (owner: string) => ({
      owner,
      id: owner,
      reserve: { signal: new AbortController().signal, onWait: () => void waiting.push(owner) },
    });
    const first = await openWorkspace(machine, build('ada'));
    const second = openWorkspace(machine, build('bob'));
    await expect.poll(() => waiting).toEqual(['bob']);
    const { stopped } = await run(sandbox, first, script('cat /dev/zero > a'));
    expect(stopped).toBe('it wrote more than 260 MB to disk');
    await first.remove();
    await (await second).remove();
    await space.run('umount', [small]);
    expect(place.warnings).toEqual([]);
  });

  test('a folder that moves between the checkout and the packages of a tenant is on one disk', async () => {
    const place = newPlace();
    const folders = await testWorkspace(place.dataDir, sandbox, { images: await open(place) });
    await run(sandbox, folders, script('mkdir node_modules && touch node_modules/a'));
    expect(await folders.source.move('node_modules', { folder: folders.kept, path: 'key' })).toBe(true);
    await folders.remove();
  });

  test('a disk with less room than a build may have is not given to the next one', async () => {
    const place = newPlace();
    const images = await open(place);
    const first = await testWorkspace(place.dataDir, sandbox, { images });
    // Entries of the caches beyond what is set aside for them.
    await run(sandbox, first, [
      'perl',
      '-e',
      'for (1 .. 8000) { open(my $f, ">", "/var/cache/npm/f$_") or die $! }',
    ]);
    await first.remove();
    const next = await testWorkspace(place.dataDir, sandbox, { images });
    expect(readdirSync(next.disk.cache)).toEqual([]);
    await next.remove();
  });

  test('[R7] a disk on which something of a build has stayed is thrown away, and its file with it', async () => {
    const place = newPlace();
    const images = await open(place);
    const disk = await images.take('ada');
    writeFileSync(join(disk.own, 'left'), 'of a build');
    const [name = ''] = disksIn(place.disks).filter((one) => one.startsWith('ada'));
    const { ino } = statSync(join(place.disks, name));
    await disk.release(false);
    expect(disksIn(place.disks).filter((one) => one.startsWith('ada'))).toEqual([]);
    await expect.poll(() => loopsBelow(place.disks).some((file) => file.includes('deleted'))).toBe(false);
    const folders = await testWorkspace(place.dataDir, sandbox, { images });
    const [next = ''] = disksIn(place.disks).filter((one) => one.startsWith('ada'));
    expect(statSync(join(place.disks, next)).ino).not.toBe(ino);
    await folders.remove();
  });
});

/** A server with a build on a disk and one that has ended, in a process that can be killed. */
const SERVER = (place: Place): string => `
  const { ImageStore } = await import(${JSON.stringify(join(import.meta.dirname, 'image-store.ts'))});
  const { mountSpace } = await import(${JSON.stringify(join(import.meta.dirname, 'mount-space.ts'))});
  const { UserIds } = await import(${JSON.stringify(join(import.meta.dirname, 'user-ids.ts'))});
  const { writeFileSync } = await import('node:fs');
  const store = await ImageStore.open({ folder: ${JSON.stringify(place.disks)}, users: new UserIds(${JSON.stringify(place.users)}),
    most: ${JSON.stringify(MOST)}, warn: console.error, space: await mountSpace() });
  const ended = await store.take('ended');
  writeFileSync(ended.own + '/cached', 'kept');
  await ended.release(true);
  const running = await store.take('running');
  writeFileSync(running.own + '/secret', 'of the build');
  console.log('ready');
  setInterval(() => {}, 1000);`;

describe.runIf(isRoot)('the disks of a server', () => {
  test('[R7] a disk is sound when it was unmounted in order, and not while it is mounted', async () => {
    const place = newPlace();
    const bytes = 64 * MIB;
    mkdirSync(place.disks, { recursive: true });
    const [file, at] = [join(place.disks, 'file'), join(place.disks, 'at')];
    mkdirSync(at);
    await makeImage(file, { bytes, entries: 1000 });
    const space = await mountSpace();
    const found = [await isSound(file, bytes)];
    await space.run('mount', ['-o', 'loop', file, at]);
    writeFileSync(join(space.seen(at), 'a'), 'a');
    await space.run('sync', ['-f', at]);
    found.push(await isSound(file, bytes));
    await space.run('umount', [at]);
    found.push(await isSound(file, bytes), await isSound(file, bytes + 1));
    expect(found).toEqual([true, false, true, false]);
  });

  test('[R7] run no program with rights and have no devices, wherever they are mounted', async () => {
    const place = newPlace();
    const images = await open(place);
    const disk = await images.take('ada');
    const [file = '', ...words] = disk.entry;
    const mounts = execFileSync(file, [...words, 'cat', '/proc/self/mounts'], { encoding: 'utf8' });
    const [line = ''] = mounts.split('\n').filter((one) => one.includes(` ${disk.mounted} `));
    expect(line).toMatch(/ ext4 rw,nosuid,nodev,/);
    await disk.release(true);
  });

  test('[R7] on which the folders of a build are left are not given to the next one', async () => {
    const place = newPlace();
    const images = await open(place);
    const disk = await images.take('ada');
    mkdirSync(join(disk.own, 'builds', 'old'), { recursive: true });
    await disk.release(true);
    const next = await images.take('ada');
    expect(readdirSync(next.own)).not.toContain('builds');
    await next.release(true);
  });

  test('[R7] that is killed are mounted no more at once; what a build had is removed by the next one, what was cached stays', async () => {
    const place = newPlace();
    // As on most machines, where what is mounted in one view is seen in others.
    const words = ['--mount', '--propagation', 'shared', '--', process.execPath];
    const server = spawn('unshare', [...words, '--input-type=module', '-e', SERVER(place)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void server.kill('SIGKILL'));
    const [line] = (await once(createInterface(server.stdout), 'line')) as [string];
    expect(line).toBe('ready');
    expect(loopsBelow(place.disks).length).toBeGreaterThan(1);
    // Nobody but the server and its steps sees them.
    for (const view of ['self', server.pid])
      expect(readFileSync(`/proc/${view}/mountinfo`, 'utf8')).not.toContain(place.disks);
    server.kill('SIGKILL');
    await once(server, 'exit');
    await expect.poll(() => loopsBelow(place.disks), { timeout: 20_000 }).toEqual([]);
    const names = disksIn(place.disks).join(' ');
    expect(names).toMatch(/ended\.\d+\.idle/);
    expect(names).toMatch(/running\.\d+\.taken/);
    const images = await open(place);
    expect(disksIn(place.disks).join(' ')).not.toContain('running');
    const disk = await images.take('ended');
    expect(readFileSync(join(disk.own, 'cached'), 'utf8')).toBe('kept');
    await disk.release(true);
    const inUse = disksIn(place.disks).map((one) => one.split('.')[1]);
    expect(readdirSync(place.users).sort()).toEqual(inUse.sort());
  });

  test('[R7] that were not unmounted in order, as when the machine loses power, are not used again', async () => {
    const place = newPlace();
    const images = await open(place);
    await (await images.take('ada')).release(true);
    const [name = ''] = disksIn(place.disks).filter((one) => one.startsWith('ada'));
    // A copy of what a disk has while it is mounted.
    const copy = join(place.disks, name.replace('ada', 'bob').replace(/\d+/, '79999'));
    execFileSync('cp', ['--sparse=always', join(place.disks, name), copy]);
    await images.close();
    const again = await open(place);
    expect(disksIn(place.disks).join(' ')).toMatch(/ada/);
    expect(disksIn(place.disks).join(' ')).not.toMatch(/bob/);
    await again.close();
  });

  test('[R7] whose file is another than the one that was made are not used', async () => {
    const place = newPlace();
    const first = await open(place);
    await (await first.take('ada')).release(true);
    await first.close();
    const images = await open(place);
    const [name = ''] = disksIn(place.disks).filter((one) => one.startsWith('ada'));
    renameSync(join(place.disks, name), join(place.dataDir, 'away'));
    writeFileSync(join(place.disks, name), '');
    const disk = await images.take('ada');
    expect(String(disk.user)).not.toBe(name.split('.')[1]);
    await disk.release(true);
    expect(place.warnings.join()).toContain('mount failed');
  });
});

describe.runIf(isRoot)('the plain folder of a tenant', () => {
  test('[R7] has a user that is recorded, and nobody else', async () => {
    const [, sandbox] = sandboxes.find(([name]) => name === 'namespaces as root') ?? [];
    if (sandbox === undefined) throw new Error('There is no sandbox for root.');
    const { dataDir } = newPlace();
    const owners = ['ada', 'eve', 'ada', 'eve'];
    const all = await Promise.all(owners.map((owner) => testWorkspace(dataDir, sandbox, { owner })));
    expect(new Set(all.map(({ user }) => user)).size).toBe(2);
    const [ada, eve] = all;
    if (ada === undefined || eve === undefined) throw new Error('There are no folders.');
    expect(ada.user).not.toBe(eve.user);
    await run(sandbox, ada, script('touch mine /var/cache/npm/mine'));
    expect(statSync(join(ada.disk.source, 'mine')).uid).toBe(ada.user);
    for (const one of all) await one.remove();
    const next = await testWorkspace(dataDir, sandbox, { owner: 'ada' });
    expect(next.user).toBe(ada.user);
    expect((await run(sandbox, next, script('rm /var/cache/npm/mine && echo removed'))).text).toBe('removed');
    await next.remove();
  });

  test('[R7] of a server before, whose builds all had one user, is emptied as that user and gets one', async () => {
    const [, sandbox] = sandboxes.find(([name]) => name === 'namespaces as root') ?? [];
    if (sandbox === undefined) throw new Error('There is no sandbox for root.');
    const { dataDir } = newPlace();
    const { tenantsFolder } = testMachine(dataDir, sandbox);
    const make = `mkdir -p ${tenantsFolder}/ada/cache ${tenantsFolder}/ada/packages ${tenantsFolder}/ada/builds/old/source && cd ${tenantsFolder}/ada/cache && ln -s ${dataDir} out && touch file && chown -hR ${BUILD_UID} .`;
    execFileSync('sh', ['-c', make]);
    writeFileSync(join(dataDir, 'secret'), 'mine');
    const folders = await testWorkspace(dataDir, sandbox, { owner: 'ada' });
    expect(folders.user).not.toBe(BUILD_UID);
    expect(readdirSync(folders.disk.cache)).toEqual([]);
    expect(statSync(folders.disk.cache).uid).toBe(folders.user);
    expect(readFileSync(join(dataDir, 'secret'), 'utf8')).toBe('mine');
    expect((await run(sandbox, folders, script('touch /var/cache/npm/a a && echo written'))).text).toBe(
      'written',
    );
    await folders.remove();
  });
});
