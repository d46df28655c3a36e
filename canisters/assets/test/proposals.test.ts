import { createHash, randomBytes } from 'node:crypto';
import { Principal } from '@icp-sdk/core/principal';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { assetCanisterWasm } from '../index.ts';
import { AssetClient, CONTROLLER, STRANGER, textOf } from './asset-client.ts';
import { batchOf, chunkOf, createAsset, setContent, sha256 } from './operations.ts';

type Optional<T> = [] | [T];
type Validation = { readonly Ok: string } | { readonly Err: string };

beforeAll(() => assetCanisterWasm(), 120_000);

let client: AssetClient;
beforeEach(async () => {
  client = await AssetClient.install();
});

function evidenceOf(batch: bigint): Buffer {
  const [evidence] = client.call<Optional<Uint8Array>>('compute_evidence', {
    batch_id: batch,
    max_iterations: [],
  });
  return Buffer.from(evidence ?? []);
}

function validated(batch: bigint, evidence: Uint8Array): Validation {
  return client.call('validate_commit_proposed_batch', { batch_id: batch, evidence });
}

/** The hash as the reference tools make it from files: tags and fields of the operations, with all content. */
function hashed(...parts: (number | string | Uint8Array)[][]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts.flat()) hash.update(typeof part === 'number' ? Uint8Array.of(part) : part);
  return hash.digest();
}

const [FALSE, TRUE, NONE, SOME, CREATE, SET, UNSET, DELETE, CLEAR, PROPERTIES] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
];

describe('proposals', () => {
  test('are committed with their evidence, and with no other', () => {
    const batch = batchOf(client);
    const chunk = chunkOf(client, batch, Buffer.from('voted for'));
    expect(validated(batch, randomBytes(32))).toEqual({ Err: 'batch does not have CommitBatchArguments' });
    client.call('propose_commit_batch', {
      batch_id: batch,
      operations: [createAsset('/a'), setContent('/a', [chunk])],
    });
    expect(validated(batch, randomBytes(32))).toEqual({ Err: 'batch does not have computed evidence' });
    const evidence = evidenceOf(batch);
    expect(client.get('/a').status).toBe(404);
    const wrong = randomBytes(32);
    const message = `batch computed evidence ${evidence.toString('hex')} does not match presented evidence ${wrong.toString('hex')}`;
    expect(validated(batch, wrong)).toEqual({ Err: message });
    expect(() => client.call('commit_proposed_batch', { batch_id: batch, evidence: wrong })).toThrow(message);
    expect(validated(batch, evidence)).toEqual({
      Ok: `commit proposed batch ${batch} with evidence ${evidence.toString('hex')}`,
    });
    client.call('commit_proposed_batch', { batch_id: batch, evidence });
    expect(textOf(client.get('/a'))).toBe('voted for');
    expect(validated(batch, evidence)).toEqual({ Err: 'batch not found' });
  });

  test('the evidence is the hash over all operations and their content', () => {
    const batch = batchOf(client);
    const chunks = [randomBytes(100_000), randomBytes(70_001)];
    const ids = chunks.map((content) => chunkOf(client, batch, content));
    const hash = sha256(Buffer.concat(chunks));
    const headers: [string, string][] = [
      ['b', '2'],
      ['a', '1'],
      ['b', '3'],
    ];
    const creation = {
      ...createAsset('/a', 'text/html').CreateAsset,
      max_age: [600n],
      headers: [headers],
      enable_aliasing: [true],
      allow_raw_access: [false],
    };
    const key = { key: '/a' };
    client.call('propose_commit_batch', {
      batch_id: batch,
      operations: [
        { Clear: {} },
        { DeleteAsset: { key: '/gone' } },
        { CreateAsset: creation },
        setContent('/a', ids, [hash], [Buffer.from('end')]),
        { UnsetAssetContent: { ...key, content_encoding: 'gzip' } },
        {
          SetAssetProperties: {
            ...key,
            max_age: [[]],
            headers: [[headers]],
            allow_raw_access: [],
            is_aliased: [[true]],
          },
        },
      ],
    });
    const age = Buffer.alloc(8);
    age.writeBigUInt64BE(600n);
    const map = ['a', '1', 'b', '3'];
    const expected = hashed(
      [CLEAR, DELETE, '/gone', CREATE, '/a', 'text/html', SOME, age, SOME, ...map, SOME, FALSE, SOME, TRUE],
      [SET, '/a', 'identity', SOME, hash, ...chunks, 'end', UNSET, '/a', 'gzip'],
      [PROPERTIES, '/a', SOME, NONE, SOME, SOME, ...map, NONE, SOME, SOME, TRUE],
    );
    expect(evidenceOf(batch)).toEqual(expected);
    expect(evidenceOf(batch)).toEqual(expected);
  });

  test('nothing is added to a proposed batch, and no other is begun', () => {
    const batch = batchOf(client);
    const proposal = { batch_id: batch, operations: [] };
    client.call('propose_commit_batch', proposal);
    expect(() => client.call('propose_commit_batch', proposal)).toThrow(
      'already has proposed CommitBatchArguments',
    );
    expect(() => chunkOf(client, batch, Buffer.from('x'))).toThrow(`batch ${batch} has been proposed`);
    expect(() => batchOf(client)).toThrow('has not completed evidence computation');
    evidenceOf(batch);
    client.host.time += 10n ** 15n;
    expect(() => batchOf(client)).toThrow('is already proposed');
    client.call('delete_batch', { batch_id: batch });
    expect(batchOf(client)).toBeGreaterThan(batch);
  });

  test('a proposal and its evidence survive upgrades', () => {
    const batch = batchOf(client);
    const chunk = chunkOf(client, batch, Buffer.from('kept'));
    const operations = [createAsset('/a'), setContent('/a', [chunk])];
    client.call('propose_commit_batch', { batch_id: batch, operations });
    client.host.upgrade();
    const evidence = evidenceOf(batch);
    client.host.upgrade();
    client.store('/other', randomBytes(100_000), 'text/plain');
    client.call('commit_proposed_batch', { batch_id: batch, evidence });
    expect(textOf(client.get('/a'))).toBe('kept');
  });

  test('evidence of what is no proposal is refused', () => {
    expect(() => evidenceOf(7n)).toThrow('batch not found: 7');
    expect(() => evidenceOf(batchOf(client))).toThrow('batch does not have CommitBatchArguments');
  });
});

describe('the state hash', () => {
  test('is what the files alone give, and known until they change', () => {
    const info = () =>
      client.call<{ state_hash: Optional<string>; last_state_update_timestamp: bigint }>(
        'get_state_info',
        null,
      );
    expect(info()).toEqual({ state_hash: [], last_state_update_timestamp: 0n });
    client.host.environment.set('PUBLIC_A', '1');
    client.store('/b.txt', 'bee', 'text/plain');
    client.store('/a.html', 'page');
    client.store('/a.html', 'small', 'text/html', 'gzip');
    const bare = [NONE, NONE, NONE, NONE];
    const content = (key: string, encoding: string, body: string) => {
      return [SET, key, encoding, SOME, sha256(Buffer.from(body)), body];
    };
    const expected = hashed(
      [CREATE, '/a.html', 'text/html', ...bare],
      content('/a.html', 'gzip', 'small'),
      content('/a.html', 'identity', 'page'),
      [CREATE, '/b.txt', 'text/plain', ...bare],
      content('/b.txt', 'identity', 'bee'),
    ).toString('hex');
    client.host.instructionsPerLook = 3_000_000_000n;
    expect(client.call('compute_state_hash', null)).toEqual([expected]);
    expect(client.host.messages).toBeGreaterThan(3);
    expect(info()).toEqual({ state_hash: [expected], last_state_update_timestamp: client.host.time });
    client.store('/c.txt', 'sea', 'text/plain');
    expect(info().state_hash).toEqual([]);
  });
});

describe('work of several messages', () => {
  test('a commit hashes in as many as it takes and changes the site in the last', () => {
    client.host.instructionsPerLook = 3_000_000_000n;
    const batch = batchOf(client);
    const contents = Array.from({ length: 3 }, () => [randomBytes(300_000), randomBytes(200_000)]);
    const operations = contents.flatMap((parts, i) => {
      const ids = parts.map((part) => chunkOf(client, batch, part));
      return [createAsset(`/${i}`), setContent(`/${i}`, ids, [sha256(Buffer.concat(parts))])];
    });
    client.call('commit_batch', { batch_id: batch, operations });
    expect(client.host.messages).toBeGreaterThan(5);
    for (const [i, parts] of contents.entries())
      expect(Buffer.compare(client.get(`/${i}`).body, Buffer.concat(parts))).toBe(0);
  });

  test('evidence takes as many as it needs', () => {
    const batch = batchOf(client);
    const chunks = Array.from({ length: 6 }, () => randomBytes(50_000));
    const ids = chunks.map((chunk) => chunkOf(client, batch, chunk));
    client.call('propose_commit_batch', { batch_id: batch, operations: [setContent('/a', ids)] });
    client.host.instructionsPerLook = 5_000_000_000n;
    expect(evidenceOf(batch)).toEqual(hashed([SET, '/a', 'identity', NONE, ...chunks]));
    expect(client.host.messages).toBeGreaterThan(6);
  });
});

describe('limits', () => {
  const none: Optional<Optional<bigint>> = [];
  const configure = (changes: Record<string, Optional<Optional<bigint>>>) =>
    client.call('configure', { max_batches: none, max_chunks: none, max_bytes: none, ...changes });

  test('are set and lifted one by one, and survive an upgrade', () => {
    configure({ max_batches: [[3n]], max_bytes: [[5n]] });
    configure({ max_chunks: [[2n]], max_bytes: [[]] });
    client.host.upgrade();
    expect(client.call('get_configuration', null)).toEqual({
      max_batches: [3n],
      max_chunks: [2n],
      max_bytes: [],
    });
  });

  test('hold for batches, chunks and bytes', () => {
    configure({ max_batches: [[2n]], max_chunks: [[3n]], max_bytes: [[10n]] });
    const batch = batchOf(client);
    batchOf(client);
    expect(() => batchOf(client)).toThrow('batch limit exceeded');
    const send = (sizes: number[]) =>
      client.call('create_chunks', { batch_id: batch, content: sizes.map((size) => Buffer.alloc(size)) });
    send([2, 2]);
    expect(() => send([1, 1])).toThrow('chunk limit exceeded');
    expect(() => send([7])).toThrow('byte limit exceeded');
    const commit = (last: Buffer) =>
      client.call('commit_batch', {
        batch_id: batch,
        operations: [createAsset('/a'), setContent('/a', [], [], [last])],
      });
    expect(() => commit(Buffer.alloc(7))).toThrow('byte limit exceeded');
    commit(Buffer.alloc(6));
  });
});

describe('what proposals would do, in words', () => {
  test('permissions', () => {
    const permission = { Prepare: null };
    for (const principal of [STRANGER, CONTROLLER, Principal.managementCanister()]) {
      const text = principal.toText();
      expect(client.call('validate_grant_permission', { to_principal: principal, permission })).toEqual({
        Ok: `grant Prepare permission to principal ${text}`,
      });
      expect(client.call('validate_revoke_permission', { of_principal: principal, permission })).toEqual({
        Ok: `revoke Prepare permission from principal ${text}`,
      });
    }
    expect(client.call('validate_take_ownership', null)).toEqual({
      Ok: 'revoke all permissions, then gives the caller Commit permissions',
    });
  });

  test('configuration', () => {
    const changes = { max_batches: [[7n]], max_chunks: [[]], max_bytes: [] };
    expect(client.call('validate_configure', changes)).toEqual({
      Ok: 'configure: ConfigureArguments { max_batches: Some(Some(7)), max_chunks: Some(None), max_bytes: None }',
    });
  });
});
