import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assetCanisterWasm } from '@cannery/assets';
import { createLocalNetwork, type LocalNetwork } from '@cannery/network';
import { IDL } from '@icp-sdk/core/candid';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compileMotoko } from '../../../../../packages/network/test/compile-motoko.ts';
import { AppError } from '../../errors.ts';
import type { AssetFile } from './asset-file.ts';
import type { Encoder } from './asset-rules.ts';
import { uploadAssets } from './asset-upload.ts';
import { createIcClient } from '../create-ic-client.ts';
import type { IcClient } from '../ic-client.ts';

let dataDir: string;
let network: LocalNetwork;
let client: IcClient;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'asset-upload-'));
  network = await createLocalNetwork({ dataDir, port: 0 });
  client = createIcClient({ icUrl: network.url, identity: Ed25519KeyIdentity.generate() });
  await assetCanisterWasm();
});

afterAll(async () => {
  await network.close();
  await rm(dataDir, { recursive: true, force: true });
});

/**
 * A module whose query `list` answers an empty list and, behind it, 268 million values that take no byte. Its text:
 * (module
 * (import "ic0" "msg_reply_data_append" (func $append (param i32 i32)))
 * (import "ic0" "msg_reply" (func $reply))
 * (memory 1) (data (i32.const 0) "DIDL\\02\\6d\\6f\\6d\\7f\\02\\00\\01\\00\\ff\\ff\\ff\\7f")
 * (func (export "canister_query list") (call $append (i32.const 0) (i32.const 17)) (call $reply)))
 */
const ENDLESS_LIST = Buffer.from(
  'AGFzbQEAAAABCQJgAn9/AGAAAAItAgNpYzAVbXNnX3JlcGx5X2RhdGFfYXBwZW5kAAADaWMwCW1zZ19yZXBseQABAwIBAQUDAQABBxcBE2Nhbm' +
    'lzdGVyX3F1ZXJ5IGxpc3QAAgoMAQoAQQBBERAAEAELCxcBAEEACxFESURMAm1vbX8CAAEA////fw==',
  'base64',
);

async function newAssetCanister(): Promise<string> {
  return newCanister(await assetCanisterWasm());
}

async function newCanister(wasm: Uint8Array): Promise<string> {
  const canisterId = await client.createCanister({ cyclesAmount: 10_000_000_000_000n });
  const call = await client.signInstall({
    canisterId,
    wasm,
    arg: Buffer.from('DIDL\0\0'),
    mode: 'install',
  });
  expect((await client.submit(call)).status).toBe('replied');
  return canisterId;
}

function page(key: string, text: string): AssetFile {
  return { key, contentType: 'text/html; charset=utf-8', bytes: Buffer.from(text) };
}

function fetchFrom(
  canisterId: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  const separator = path.includes('?') ? '&' : '?';
  return fetch(`${network.url}${path}${separator}canisterId=${canisterId}`, { headers });
}

test('a site is uploaded, served verified by the gateway, and changed to the byte', async () => {
  const canisterId = await newAssetCanister();
  const large = randomBytes(5_000_000);
  const path = join(dataDir, 'large.bin');
  await writeFile(path, large);
  const script = `console.log(${JSON.stringify('x'.repeat(4000))})`;
  const files: AssetFile[] = [
    page('/index.html', '<h1>One</h1>'),
    page('/404.html', 'lost'),
    page('/about/index.html', 'about'),
    page('/my page.html', 'space'),
    { key: '/app.js', contentType: 'text/javascript; charset=utf-8', bytes: Buffer.from(script) },
    { key: '/large.bin', contentType: 'application/octet-stream', path },
    { key: '/empty.txt', contentType: 'text/plain', bytes: new Uint8Array() },
    ...Array.from({ length: 120 }, (_, i) => page(`/posts/${i}.html`, `post ${i}`)),
  ];
  const phases: string[] = [];
  const first = await uploadAssets({
    client,
    canisterId,
    files,
    onProgress: ({ phase }) => phases.push(phase),
  });
  expect(first).toMatchObject({ changed: 127, unchanged: 0, deleted: 0 });
  expect(phases.at(-1)).toBe('committing');

  const textAt = async (at: string) => (await fetchFrom(canisterId, at)).text();
  expect(await textAt('/')).toBe('<h1>One</h1>');
  expect(await textAt('/about')).toBe('about');
  expect(await textAt('/my%20page')).toBe('space');
  expect(await textAt('/posts/77')).toBe('post 77');
  expect(await textAt('/empty.txt')).toBe('');
  expect(await textAt('/app.js')).toBe(script);
  const missing = await fetchFrom(canisterId, '/nope');
  expect([missing.status, await missing.text()]).toEqual([404, 'lost']);
  const streamed = await fetchFrom(canisterId, '/large.bin');
  expect(Buffer.compare(Buffer.from(await streamed.arrayBuffer()), large)).toBe(0);
  const compressed = await fetchFrom(canisterId, '/app.js', { 'accept-encoding': 'gzip' });
  expect(compressed.headers.get('content-encoding')).toBe('gzip');
  const etag = compressed.headers.get('etag') ?? '';
  await compressed.text();
  const known = await fetchFrom(canisterId, '/app.js', { 'accept-encoding': 'gzip', 'if-none-match': etag });
  expect(known.status).toBe(304);

  expect(await uploadAssets({ client, canisterId, files })).toEqual({
    changed: 0,
    unchanged: 127,
    deleted: 0,
    uploadedBytes: 0,
  });

  const changed = files
    .filter((file) => !file.key.startsWith('/posts/1'))
    .map((file) => (file.key === '/index.html' ? page(file.key, '<h1>Two</h1>') : file));
  const second = await uploadAssets({ client, canisterId, files: changed });
  expect(second).toEqual({
    changed: 1,
    unchanged: changed.length - 1,
    deleted: files.length - changed.length,
    uploadedBytes: 12,
  });
  expect(await textAt('/')).toBe('<h1>Two</h1>');
  expect((await fetchFrom(canisterId, '/posts/1')).status).toBe(404);
});

test('a site of thousands of tiny files is uploaded: the canister names each chunk of a message', async () => {
  const canisterId = await newAssetCanister();
  const files = Array.from({ length: 4_200 }, (_, i) => page(`/icons/${i}.html`, `icon ${i}`));
  expect(await uploadAssets({ client, canisterId, files })).toMatchObject({ changed: 4_200 });
  expect(await (await fetchFrom(canisterId, '/icons/4199')).text()).toBe('icon 4199');
  expect(await uploadAssets({ client, canisterId, files })).toMatchObject({ changed: 0, unchanged: 4_200 });
});

test('a changed content type, header or cache time reaches clients', async () => {
  const canisterId = await newAssetCanister();
  const file: AssetFile = { key: '/a', contentType: 'text/plain', bytes: Buffer.from('content') };
  const headersAfter = async (changed: AssetFile) => {
    await uploadAssets({ client, canisterId, files: [changed] });
    return (await fetchFrom(canisterId, '/a')).headers;
  };
  expect((await headersAfter(file)).get('content-type')).toBe('text/plain');
  expect((await headersAfter({ ...file, contentType: 'text/css' })).get('content-type')).toBe('text/css');
  const headers = await headersAfter({
    ...file,
    contentType: 'text/css',
    maxAge: 60,
    headers: [['X-Own', 'yes']],
  });
  expect([headers.get('cache-control'), headers.get('x-own')]).toEqual(['max-age=60', 'yes']);
  const without = await headersAfter({ ...file, contentType: 'text/css' });
  expect([without.get('cache-control'), without.get('x-own')]).toEqual([null, null]);
});

test('aliasing and the host without certificates are switched without sending content again', async () => {
  const canisterId = await newAssetCanister();
  const file = page('/about.html', 'about');
  const statusesAfter = async (changed: AssetFile) => {
    const { changed: count, uploadedBytes } = await uploadAssets({ client, canisterId, files: [changed] });
    const alias = await fetchFrom(canisterId, '/about');
    await alias.text();
    return [count, uploadedBytes, alias.status];
  };
  expect(await statusesAfter(file)).toEqual([1, 5, 200]);
  expect(await statusesAfter({ ...file, enableAliasing: false })).toEqual([1, 0, 404]);
  expect(await statusesAfter({ ...file, enableAliasing: false, allowRawAccess: false })).toEqual([1, 0, 404]);
  expect(await statusesAfter({ ...file, enableAliasing: false, allowRawAccess: false })).toEqual([0, 0, 404]);
  expect(await statusesAfter(file)).toEqual([1, 0, 200]);
});

test('chosen encodings are made and served, the others taken away', async () => {
  const canisterId = await newAssetCanister();
  const text = 'abc '.repeat(2000);
  const file: AssetFile = { key: '/a.txt', contentType: 'text/plain', bytes: Buffer.from(text) };
  const encodingsAfter = async (encoders: readonly Encoder[]) => {
    await uploadAssets({ client, canisterId, files: [{ ...file, encoders }] });
    const served = ['br', 'gzip', 'identity'].map(async (accepted) => {
      const response = await fetchFrom(canisterId, '/a.txt', { 'accept-encoding': accepted });
      expect(await response.text()).toBe(text);
      return response.headers.get('content-encoding');
    });
    return Promise.all(served);
  };
  expect(await encodingsAfter(['identity', 'br', 'gzip'])).toEqual(['br', 'gzip', null]);
  expect(await encodingsAfter(['identity', 'gzip'])).toEqual([null, 'gzip', null]);
});

test('a failing upload leaves the old site as it was', async () => {
  const canisterId = await newAssetCanister();
  await uploadAssets({ client, canisterId, files: [page('/index.html', 'old')] });
  const broken = [
    page('/index.html', 'new'),
    { key: '/x', contentType: 'text/plain', path: join(dataDir, 'absent') },
  ];
  await expect(uploadAssets({ client, canisterId, files: broken })).rejects.toThrow(
    'The file /x cannot be read (ENOENT).',
  );
  const twice = [page('/index.html', 'new'), page('/index.html', 'newer')];
  await expect(uploadAssets({ client, canisterId, files: twice })).rejects.toThrow(
    'two files for the path /index.html',
  );
  expect(await (await fetchFrom(canisterId, '/')).text()).toBe('old');
});

test('calls that fail for a passing reason, or whose answer is lost, are made again', async () => {
  const canisterId = await newAssetCanister();
  const failures = new Map([
    ['create_chunks', 1],
    ['commit_batch', 1],
  ]);
  const shaky: Pick<IcClient, 'call' | 'query'> = {
    query: client.query,
    async call(id, method, arg) {
      const left = failures.get(method) ?? 0;
      failures.set(method, left - 1);
      // The commit is carried out and only its answer lost.
      if (left > 0 && method === 'commit_batch') await client.call(id, method, arg);
      if (left > 0) throw new AppError('network_unavailable', 'away');
      return client.call(id, method, arg);
    },
  };
  const result = await uploadAssets({ client: shaky, canisterId, files: [page('/index.html', 'made it')] });
  expect(result.changed).toBe(1);
  expect(failures.get('commit_batch')).toBe(0);
  expect(await (await fetchFrom(canisterId, '/')).text()).toBe('made it');
});

test('a stranger is refused in the words of the canister', async () => {
  const canisterId = await newAssetCanister();
  const stranger = createIcClient({ icUrl: network.url, identity: Ed25519KeyIdentity.generate() });
  const upload = uploadAssets({ client: stranger, canisterId, files: [page('/index.html', 'x')] });
  await expect(upload).rejects.toThrow('does not have Prepare permission');
});

test('a canister that answers with values without end is refused, and the server goes on', async () => {
  const canisterId = await newCanister(ENDLESS_LIST);
  const upload = uploadAssets({ client, canisterId, files: [page('/index.html', 'One')] });
  await expect(upload).rejects.toThrow('The canister does not answer as an asset canister does.');
});

/** Lists as another controller of a site's canister may have it list: this many files a page that are new, and as many old ones. */
const LISTER = `persistent actor {
  type Asset = { key : Text; content_type : Text; encodings : [{ content_encoding : Text; sha256 : ?Blob }] };
  var fresh = 0;
  var old = 0;
  public func set(new : Nat, same : Nat) : async () { fresh := new; old := same };
  public query func list({ start } : { start : ?Nat; length : ?Nat }) : async [Asset] {
    let from = switch (start) { case (?from) from; case null 0 };
    Array.tabulate<Asset>(fresh + old, func i = {
      key = "/" # debug_show(if (i < fresh) from + i else i);
      content_type = "text/html";
      encodings = [];
    });
  };
};
`;

test('a canister that lists without end is refused, and nobody else waits', async () => {
  const canisterId = await newCanister(compileMotoko(`import Array "mo:core/Array";\n${LISTER}`));
  let turns = 0;
  const beat = setInterval(() => {
    turns += 1;
  }, 20);
  for (const [fresh, old, problem] of [
    [500, 0, 'it has more than 2000 files'],
    [1, 0, 'it comes in too many pages'],
    [1, 300, 'it comes in too many pages'],
  ] as const) {
    await client.call(canisterId, 'set', IDL.encode([IDL.Nat, IDL.Nat], [BigInt(fresh), BigInt(old)]));
    turns = 0;
    const files = [page('/index.html', 'One')];
    const upload = uploadAssets({ client, canisterId, files, mostListed: 2000 });
    await expect(upload).rejects.toThrow(problem);
    expect(turns).toBeGreaterThan(0);
  }
  clearInterval(beat);
});
