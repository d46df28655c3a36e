import type { Principal } from '@icp-sdk/core/principal';
import { beforeAll, describe, expect, test } from 'vitest';
import { assetCanisterWasm } from '../index.ts';
import { AssetClient, CONTROLLER, STRANGER } from './asset-client.ts';
import { createAsset, setContent } from './operations.ts';

beforeAll(() => assetCanisterWasm(), 120_000);

describe('permissions', () => {
  const changes: [string, unknown][] = [
    ['create_batch', {}],
    ['create_chunk', { batch_id: 1n, content: [] }],
    ['create_chunks', { batch_id: 1n, content: [] }],
    ['delete_batch', { batch_id: 1n }],
    ['commit_batch', { batch_id: 1n, operations: [] }],
    ['propose_commit_batch', { batch_id: 1n, operations: [] }],
    ['commit_proposed_batch', { batch_id: 1n, evidence: [] }],
    ['compute_evidence', { batch_id: 1n, max_iterations: [] }],
    ['configure', { max_batches: [], max_chunks: [], max_bytes: [] }],
    ['get_configuration', null],
    ['store', { key: '/a', content_type: '', content_encoding: 'identity', content: [], sha256: [] }],
    ['create_asset', createAsset('/a').CreateAsset],
    ['set_asset_content', setContent('/a', []).SetAssetContent],
    ['unset_asset_content', { key: '/a', content_encoding: 'identity' }],
    ['delete_asset', { key: '/a' }],
    ['clear', {}],
    ['set_asset_properties', { key: '/a', max_age: [], headers: [], allow_raw_access: [], is_aliased: [] }],
    ['authorize', STRANGER],
    ['deauthorize', CONTROLLER],
    ['grant_permission', { to_principal: STRANGER, permission: { Commit: null } }],
    ['revoke_permission', { of_principal: CONTROLLER, permission: { Commit: null } }],
    ['take_ownership', null],
  ];

  test.each(changes)('a stranger may not call %s', async (method, argument) => {
    const client = await AssetClient.install();
    expect(() => client.call(method, argument, STRANGER)).toThrow(/Caller (does not have|is not)/);
  });

  test('each permission allows its part and can be given up', async () => {
    const client = await AssetClient.install();
    const permit = (permission: string) =>
      client.call('grant_permission', { to_principal: STRANGER, permission: { [permission]: null } });
    permit('Prepare');
    const batch = client.call<{ batch_id: bigint }>('create_batch', {}, STRANGER).batch_id;
    expect(() => client.call('commit_batch', { batch_id: batch, operations: [] }, STRANGER)).toThrow(
      'Commit permission',
    );
    permit('Commit');
    client.call('commit_batch', { batch_id: batch, operations: [] }, STRANGER);
    client.call('revoke_permission', { of_principal: STRANGER, permission: { Commit: null } }, STRANGER);
    expect(() => client.call('commit_batch', { batch_id: batch, operations: [] }, STRANGER)).toThrow(
      'Commit permission',
    );
    permit('ManagePermissions');
    client.call('authorize', STRANGER, STRANGER);
    expect(client.call<Principal[]>('list_authorized', null).map(String)).toContain(String(STRANGER));
  });

  test('the older method to take the right to commit from others is for controllers', async () => {
    const client = await AssetClient.install();
    client.call('grant_permission', { to_principal: STRANGER, permission: { ManagePermissions: null } });
    expect(() => client.call('deauthorize', CONTROLLER, STRANGER)).toThrow('Caller is not a controller.');
    client.call('authorize', STRANGER);
    client.call('deauthorize', STRANGER, STRANGER);
    expect(client.call<Principal[]>('list_authorized', null).map(String)).toEqual([String(CONTROLLER)]);
  });

  test('take_ownership leaves the right to commit to its caller alone', async () => {
    const client = await AssetClient.install();
    client.call('authorize', STRANGER);
    client.call('take_ownership', null);
    expect(client.call<Principal[]>('list_authorized', null).map(String)).toEqual([String(CONTROLLER)]);
  });
});
