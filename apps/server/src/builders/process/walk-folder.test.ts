import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sizeOfFolder } from './folder-size.ts';

const MIB = 1024 ** 2;
const most = { bytes: 1024 * MIB, entries: 100_000 };
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cannery-walk-'));
});
afterEach(() => {
  execFileSync('rm', ['-rf', '--', folder]);
  rmSync(folder, { recursive: true, force: true });
});

/** Makes folders in one another, which no path could name, and does something in the last. */
function nest(count: number, name: string, last: string): void {
  const script = `for (let i = 0; i < ${count}; i += 1) { fs.mkdirSync('${name}'); process.chdir('${name}'); } ${last}`;
  execFileSync(process.execPath, ['-e', script], { cwd: folder });
}

describe.runIf(process.platform === 'linux')('the size of a folder', () => {
  test('counts what lies behind paths longer than a program may name', async () => {
    nest(40, 'd'.repeat(200), `fs.writeFileSync('file', Buffer.alloc(${4 * MIB}, 1))`);
    const { bytes, entries } = await sizeOfFolder(folder, most);
    expect(bytes).toBeGreaterThanOrEqual(4 * MIB);
    expect(entries).toBe(41);
  });

  test('counts files and folders without content, and ends beyond the bound', async () => {
    for (let index = 0; index < 300; index += 1) writeFileSync(join(folder, `empty-${index}`), '');
    expect(await sizeOfFolder(folder, most)).toMatchObject({ entries: 300, isHidden: false });
    expect((await sizeOfFolder(folder, { ...most, entries: 100 })).entries).toBe(101);
  });

  test('counts a file of two names once, and nothing behind a link', async () => {
    writeFileSync(join(folder, 'a'), Buffer.alloc(MIB, 1));
    linkSync(join(folder, 'a'), join(folder, 'b'));
    mkdirSync(join(folder, 'inner'));
    symlinkSync('/usr', join(folder, 'inner', 'usr'));
    const { bytes, entries } = await sizeOfFolder(join(folder), most);
    expect(entries).toBe(4);
    expect(bytes).toBeLessThan(2 * MIB);
    symlinkSync('/usr', join(folder, 'whole'));
    expect((await sizeOfFolder(join(folder, 'whole'), most)).entries).toBe(0);
  });

  test('says where folders are too many in one another to be counted', async () => {
    nest(700, 'd', '');
    expect(await sizeOfFolder(folder, most)).toMatchObject({ isHidden: true });
  });

  test('counts what has a name that is no text', async () => {
    execFileSync('sh', ['-c', `n=$(printf 'a\\377'); mkdir "$n"; head -c ${2 * MIB} /dev/zero > "$n/$n"`], {
      cwd: folder,
    });
    expect((await sizeOfFolder(folder, most)).bytes).toBeGreaterThanOrEqual(2 * MIB);
  });
});
