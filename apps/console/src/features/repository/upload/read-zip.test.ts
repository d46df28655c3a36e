import { expect, test } from 'vitest';
import { MOST_BYTES, MOST_FILES } from './chosen-files.ts';
import { readZip } from './read-zip.ts';
import { type ZipEntry, zipOf } from './zip.testing.ts';

const textsOf = async (file: File): Promise<Record<string, string>> => {
  const { files } = await readZip(file);
  return Object.fromEntries(files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString('utf8')]));
};

test('an archive is read: packed and as it is, with folders, a comment, and programs that may run', async () => {
  const file = zipOf(
    [
      { name: 'src/', mode: 0o040755 },
      { name: 'src/index.html', content: '<h1>Bäckerei</h1>'.repeat(100) },
      { name: 'build.sh', content: 'echo', stored: true, mode: 0o100755 },
      { name: 'päge.txt', content: '', mode: 0o100644 },
    ],
    { comment: 'PK\x05\x06 is a comment here' },
  );
  const { name, files, leftOut } = await readZip(file);
  expect(name).toBe('my-site');
  expect(leftOut).toEqual([]);
  expect(files.map(({ path, isExecutable }) => [path, isExecutable])).toEqual([
    ['src/index.html', false],
    ['build.sh', true],
    ['päge.txt', false],
  ]);
  expect((await textsOf(file))['src/index.html']).toBe('<h1>Bäckerei</h1>'.repeat(100));
});

test('the folder that everything is in is taken off, as archives of git hosts have one', async () => {
  const file = zipOf([
    { name: 'repo-main/index.html', content: 'a' },
    { name: 'repo-main/css\\main.css', content: 'b' },
    { name: '__MACOSX/repo-main/._index.html', content: 'x' },
    { name: 'repo-main/.git/config', content: 'x' },
    { name: 'repo-main/node_modules/x/index.js', content: 'x' },
    { name: 'repo-main/.env.local', content: 'SECRET=1' },
    { name: 'repo-main/.env.example', content: 'SECRET=' },
  ]);
  expect(await textsOf(file)).toEqual({ 'index.html': 'a', 'css/main.css': 'b', '.env.example': 'SECRET=' });
  expect((await readZip(file)).leftOut).toEqual([
    '.git (the history stays with you)',
    'node_modules (installed again by the build)',
    '.env (it may hold secrets)',
  ]);
});

const ok: ZipEntry = { name: 'index.html', content: 'a' };

test.each<[string, readonly ZipEntry[], RegExp]>([
  ['a path that leads up', [ok, { name: '../../evil.sh' }], /'\.\.\/\.\.\/evil\.sh' is no path/],
  ['one that does in the middle', [{ name: 'a/../../b' }], /is no path/],
  ['one with the other slash', [{ name: '..\\b' }], /is no path/],
  ['one from the root', [{ name: '/etc/passwd' }], /is no path/],
  ['one of a drive', [{ name: 'C:\\b' }], /is no path/],
  ['an empty name', [{ name: 'a//b' }], /is no path/],
  ['a control character', [{ name: 'a\nb' }], /is no path/],
  ['a very long path', [{ name: 'a/'.repeat(600) + 'b' }], /is no path/],
  ['a link', [ok, { name: 'link', content: '/etc/passwd', mode: 0o120777 }], /is a link or a device/],
  ['a device', [{ name: 'null', mode: 0o020666 }], /is a link or a device/],
  ['an encrypted file', [{ ...ok, flags: 1 }], /encrypted/],
  ['another method', [{ ...ok, method: 14 }], /method that browsers do not know/],
  ['a name that is no UTF-8', [{ name: Buffer.from([0xff, 0xfe]) }], /not in UTF-8/],
  ['the same path twice', [ok, ok], /is in it twice/],
  ['a file that is a folder as well', [{ name: 'a' }, { name: 'a/b' }], /a file and a folder/],
  ['nothing but what is left out', [{ name: '.git/config' }], /no file in it/],
  ['nothing at all', [], /no file in it/],
  ['a wrong checksum', [{ ...ok, checksum: 1 }], /no zip archive, or a part/],
  [
    'more than the list says',
    [{ name: 'a', content: 'b'.repeat(1_000), size: 10 }],
    /a part of it is missing/,
  ],
  ['less than the list says', [{ name: 'a', content: 'b', size: 10 }], /a part of it is missing/],
  ['files that are too large', [{ name: 'a', content: 'b', size: MOST_BYTES + 1 }], /larger than 64 MiB/],
  [
    'files that are too large together',
    [1, 2, 3].map((number) => ({ name: `${number}`, content: 'b', size: MOST_BYTES / 2 })),
    /larger than 64 MiB/,
  ],
  [
    'too many files',
    Array.from({ length: MOST_FILES + 1 }, (_, number) => ({ name: `${number}` })),
    /more than 2000 files/,
  ],
])('an archive with %s is refused', async (_what, entries, reason) => {
  await expect(readZip(zipOf(entries))).rejects.toThrow(reason);
});

test('a few bytes do not become a memory full: no more is unpacked than the list says, and it says no more than is taken', async () => {
  const zeros = Buffer.alloc(MOST_BYTES + 1);
  const honest = zipOf([{ name: 'zeros', content: zeros }]);
  expect(honest.size).toBeLessThan(1024 ** 2);
  await expect(readZip(honest)).rejects.toThrow(/larger than 64 MiB/);
  const before = process.memoryUsage().arrayBuffers;
  await expect(readZip(zipOf([{ name: 'zeros', content: zeros, size: 1_000 }]))).rejects.toThrow(
    /a part of it is missing/,
  );
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50 * 1024 ** 2);
});

test('whatever is cut off, changed or no archive at all is refused, and never read as something else', async () => {
  const whole = Buffer.from(await zipOf([ok, { name: 'b.txt', content: 'bb' }]).arrayBuffer());
  const name = 'a.zip';
  for (let length = 0; length < whole.length; length += 1)
    await expect(readZip(new File([whole.subarray(0, length)], name)), `${length}`).rejects.toThrow(
      /zip archive|no file/,
    );
  for (let at = 0; at < whole.length; at += 1) {
    const changed = Buffer.from(whole);
    changed[at] = (changed[at] ?? 0) ^ 0xff;
    const result = await readZip(new File([changed], name)).catch((error: unknown) => error);
    // Either it is refused in words, or what was changed was of no meaning, and the contents are the same.
    if (!(result instanceof Error))
      expect((result as Awaited<ReturnType<typeof readZip>>).files.map(({ bytes }) => bytes.length)).toEqual([
        1, 2,
      ]);
    else expect(result.name, `${at}: ${result.message}`).toBe('UnfitFilesError');
  }
});
