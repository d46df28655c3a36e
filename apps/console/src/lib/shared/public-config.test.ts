import { expect, test } from 'vitest';
import { configOf } from './public-config.ts';

const page = (content: string | null) =>
  ({
    querySelector: () => (content === null ? null : { getAttribute: () => content }),
  }) as unknown as Document;

const config = {
  product_name: 'Cannery',
  network_url: 'http://localhost:4943',
  network_is_local: true,
  delete_returns_cycles: true,
  canister_url_pattern: 'http://{canisterId}.localhost:4943/',
  candid_url_pattern: '/candid/?id={canisterId}',
  git_provider: {
    name: 'Cannery Git',
    account_url_pattern: '/{owner}',
    repository_url_pattern: '/{owner}/{repo}',
    tree_url_pattern: '/{owner}/{repo}/tree/{branch}',
    clone_url_pattern: '/{owner}/{repo}.git',
    install_url: '',
    embedded: true,
  },
  support_url: '',
  sign_in: { provider: 'google', embedded: true },
  warnings: ['No sandbox.'],
};

test('a page tells the configuration that it was served with', () => {
  expect(configOf(page(JSON.stringify(config)))).toEqual(config);
});

test.each([null, '', '{', '[]', 'null', JSON.stringify({ ...config, warnings: 'none' })])(
  'a page that says %j tells nothing, so that the service is asked',
  (content) => {
    expect(configOf(page(content))).toBeUndefined();
    expect(configOf(undefined)).toBeUndefined();
  },
);
