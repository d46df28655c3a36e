import { expect, test } from 'vitest';
import { namedSite } from './site-address.ts';

const config = { site_name_pattern: 'http://{name}.localhost:4943/' };
const part = (canister_id: string, kind: string | null) => ({
  canister_id,
  kind,
  name: null,
  serves_http: false,
  picture: null,
});

test('a name is that of the oldest website, at the address that the configuration says', () => {
  const address = 'http://shop.localhost:4943/';
  const parts = [part('a', 'module'), part('b', 'site'), part('c', 'site')];
  const deploy = { type: 'CUSTOM', site_name: 'shop', canisters: ['a', 'b', 'c'], parts };
  expect(namedSite(deploy, config)).toEqual({ canisterId: 'b', address });
  const fresh = { ...deploy, type: 'STATIC_SITE', canisters: ['a'], parts: [part('a', null)] };
  expect(namedSite(fresh, config)).toEqual({ canisterId: 'a', address });
  expect(namedSite({ ...fresh, type: 'CUSTOM' }, config)).toBeUndefined();
});

test('there is no address without a name, a website, or names at all', () => {
  const deploy = { type: 'STATIC_SITE', site_name: 'shop', canisters: ['a'], parts: [part('a', 'site')] };
  expect(namedSite({ ...deploy, site_name: null }, config)).toBeUndefined();
  expect(namedSite({ ...deploy, site_name: '' }, config)).toBeUndefined();
  expect(namedSite({ ...deploy, canisters: [], parts: [] }, config)).toBeUndefined();
  for (const none of [undefined, {}, { site_name_pattern: null }])
    expect(namedSite(deploy, none)).toBeUndefined();
});
