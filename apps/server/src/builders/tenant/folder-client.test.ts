import { expect, test } from 'vitest';
import { startProgram } from '../../starter/start-program.ts';
import { BuildError } from '../build-error.ts';
import { FolderClient } from './folder-client.ts';
import { TenantFolder } from './tenant-folder.ts';

/** A program that takes requests and answers as its script says, for which `answer(head, body)` writes an answer. */
async function speaking(script: string): Promise<FolderClient> {
  const helpers = `
    const frame = (text) => { const size = Buffer.alloc(4); size.writeUInt32BE(text.length); process.stdout.write(Buffer.concat([size, Buffer.from(text)])); };
    const answer = (head, body = '') => { frame(JSON.stringify({ id: 1, ...head })); process.stdout.write(body); };
    const asked = () => new Promise((resolve) => process.stdin.once('data', resolve));
    setTimeout(() => process.exit(), 60000);
    (async () => { await asked(); ${script} })();`;
  return new FolderClient(await startProgram(process.execPath, ['-e', helpers], {}, { withInput: true }));
}

const broken = 'its answers break the protocol';

test.each([
  ['a head of four gigabytes', 'process.stdout.write(Buffer.alloc(4, 255));', broken],
  ['a head that is no JSON', "frame('not JSON');", broken],
  ['a body beyond what was asked for', "answer({ result: 1, body: 101 }, 'x'.repeat(101));", broken],
  ['a body of less than nothing', 'answer({ result: 1, body: -1 });', broken],
  ['a body that is no number', "answer({ result: 1, body: '5' }, 'xxxxx');", broken],
  ['the answer to another request', 'answer({ id: 2, result: 1, body: 0 });', broken],
  ['an answer to no request', 'answer({ id: null, result: 1, body: 0 });', broken],
  ['half a byte', 'answer({ result: 1, body: 0.5 });', broken],
  ['no body at all', 'answer({ result: 1 });', broken],
  ['a body that never ends', "answer({ result: 1, body: 100 }, 'x');", 'it did not answer in time'],
  ['no answer', '', 'it did not answer in time'],
  [
    'its end in the middle of an answer',
    "answer({ result: 1, body: 100 }, 'x'); setTimeout(process.exit, 100);",
    'it has ended',
  ],
  ['its end', 'process.exit(0);', 'it has ended'],
])('a program that answers with %s ends the build, and is ended', async (_what, script, reason) => {
  const client = await speaking(script);
  const asking = client.ask({ op: 'read' }, { most: 100, timeoutMs: 80_000 });
  const timely = reason.includes('in time')
    ? client.ask({ op: 'read' }, { most: 100, timeoutMs: 500 })
    : null;
  await Promise.all([
    expect(asking).rejects.toThrow(`The program that works on the files of the build failed: ${reason}.`),
    timely === null ? null : expect(timely).rejects.toThrow(BuildError),
  ]);
  await expect(client.ask({ op: 'read' })).rejects.toThrow(BuildError);
  await client.close();
});

test.each([
  ['the same answer twice', 'answer({ result: 1, body: 0 }); answer({ result: 2, body: 0 });'],
  [
    'the same answer twice, the second when more is asked',
    'answer({ result: 1, body: 0 }); await asked(); answer({ result: 2, body: 0 });',
  ],
])('%s ends the program', async (_what, script) => {
  const client = await speaking(script);
  expect((await client.ask({ op: 'read' })).result).toBe(1);
  await expect(client.ask({ op: 'read' })).rejects.toThrow(BuildError);
  await client.close();
});

test.each([
  ['a size that does not fit the body', "answer({ result: { sizes: ['x'] }, body: 0 });"],
  ['too few sizes', 'answer({ result: { sizes: [] }, body: 0 });'],
])('%s is no answer about files', async (_what, script) => {
  const client = await speaking(script);
  await expect(new TenantFolder('x', client.ask).readAll(['a'], 10)).rejects.toThrow('has another form');
  await client.close();
});

test.each(['../x', '/etc/passwd', 'a/../../x', 'a\0b', '..'])(
  'the path %j is asked of no program',
  async (path) => {
    const client = await speaking('process.exit(0);');
    const folder = new TenantFolder('x', client.ask);
    await expect(folder.read(path, 10)).rejects.toThrow('leads out of its folder');
    await expect(folder.move('a', { folder, path })).rejects.toThrow('leads out of its folder');
    await client.close();
  },
);

test('a folder of a tenant is no path: what opens files does not take it', () => {
  const folder = new TenantFolder('builds/one/source', () => Promise.reject(new Error('not asked')));
  // @ts-expect-error -- it is no string, buffer or URL
  const path: string | Buffer | URL = folder;
  expect(JSON.stringify([path, String(path)])).not.toContain('builds');
});
