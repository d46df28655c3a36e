import { randomBytes } from 'node:crypto';
import { IDL } from '@icp-sdk/core/candid';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SampleCanister, START_MS, startSample } from './sample-canister.ts';
import { browse, certifiedPage } from './sample-page.ts';

const done = IDL.Variant({ ok: IDL.Null, err: IDL.Text });
const file = IDL.Record({ name: IDL.Text, size: IDL.Nat, content_type: IDL.Text, at: IDL.Int });
const interfaceOf: IDL.InterfaceFactory = () =>
  IDL.Service({
    set_key: IDL.Func([IDL.Text], [done], []),
    remove: IDL.Func([IDL.Text], [IDL.Bool], []),
    files: IDL.Func([], [IDL.Vec(file)], ['query']),
    room: IDL.Func([], [IDL.Record({ used: IDL.Nat, left: IDL.Nat })], ['query']),
  });
interface Drop {
  set_key(key: string): Promise<{ ok: null } | { err: string }>;
  remove(name: string): Promise<boolean>;
  files(): Promise<{ name: string; size: bigint; content_type: string }[]>;
  room(): Promise<{ used: bigint; left: bigint }>;
}

const KEY = 'correct horse battery';

let sample: SampleCanister;
beforeAll(async () => {
  sample = await startSample('file-drop', new Uint8Array(IDL.encode([], [])));
}, START_MS);
afterAll(() => sample.close());

const upload = (name: string, type: string, body: string | Buffer, key = KEY): ReturnType<typeof browse> =>
  browse(sample, `/upload?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    body,
    headers: { 'x-drop-key': key, 'content-type': type },
  });

test('a file is uploaded with the key and served certified, and an upgrade keeps it', async () => {
  const [owner, stranger] = await Promise.all([
    sample.actor<Drop>(interfaceOf, sample.controller),
    sample.actor<Drop>(interfaceOf, Ed25519KeyIdentity.generate()),
  ]);
  expect(await upload('a.txt', 'text/plain', 'Hello', '')).toMatchObject({ status: 403 });
  expect(await stranger.set_key(KEY)).toEqual({ err: expect.stringContaining('Only a controller') });
  expect(await owner.set_key('too short')).toEqual({ err: expect.stringContaining('16 to 200') });
  expect(await owner.set_key(KEY)).toEqual({ ok: null });
  expect(await upload('a.txt', 'text/plain', 'Hello', 'another key of that length')).toMatchObject({
    status: 403,
  });

  expect(await upload('a.txt', 'text/plain', 'Hello')).toMatchObject({ status: 201, body: '/files/a.txt' });
  expect(await upload('b.html', 'text/html', '<script>alert(1)</script>')).toMatchObject({ status: 201 });
  const large = randomBytes(1_900_000);
  expect(await upload('large.bin', 'application/zip', large)).toMatchObject({ status: 201 });
  expect(await upload('../a.txt', 'text/plain', 'x')).toMatchObject({ status: 400 });
  expect(await upload('"a".txt', 'text/plain', 'x')).toMatchObject({ status: 400 });
  expect(await upload('empty.txt', 'text/plain', '')).toMatchObject({ status: 400 });
  expect(
    await upload('more.bin', 'application/zip', Buffer.concat([large, large.subarray(0, 1)])),
  ).toMatchObject({
    status: 400,
    body: expect.stringContaining('1900000 bytes'),
  });

  await sample.upgrade('1.1.0');
  const text = await certifiedPage(sample, '/files/a.txt');
  expect(text).toMatchObject({ status: 200, body: 'Hello' });
  expect(text.headers.get('content-disposition')).toBe('inline; filename="a.txt"');
  const html = await certifiedPage(sample, '/files/b.html');
  expect(html.headers.get('content-disposition')).toBe('attachment; filename="b.html"');
  expect(html.headers.get('content-type')).toBe('application/octet-stream');
  expect(html.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
  expect((await browse(sample, '/files/large.bin')).headers['content-length']).toBe('1900000');
  expect((await certifiedPage(sample, '/files/none.txt')).status).toBe(404);
  expect((await certifiedPage(sample, '/')).body).toContain('<a href="/files/a.txt">a.txt</a>');
  expect((await certifiedPage(sample, '/page.js')).body).toContain("fetch('/upload");
  expect(await owner.room()).toEqual({ used: 1_900_030n, left: 198_099_970n });

  // The same name again takes the place of the first.
  expect(await upload('a.txt', 'text/plain', 'Hello again')).toMatchObject({ status: 201 });
  expect((await certifiedPage(sample, '/files/a.txt')).body).toBe('Hello again');
  expect((await owner.files()).map(({ name }) => name)).toEqual(['a.txt', 'b.html', 'large.bin']);
  expect(await stranger.remove('a.txt')).toBe(false);
  expect(await owner.remove('a.txt')).toBe(true);
  expect((await certifiedPage(sample, '/files/a.txt')).status).toBe(404);
  expect((await owner.room()).used).toBe(1_900_025n);
}, 120_000);
