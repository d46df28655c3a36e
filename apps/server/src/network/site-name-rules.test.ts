import { expect, test } from 'vitest';
import { addressesOf, configOf } from '../config/config.ts';
import { readEnv } from '../config/env.ts';
import { siteNameRules } from './site-name-rules.ts';

const OIDC = { OIDC_ISSUER: 'https://id.example.com', OIDC_CLIENT_ID: 'c', OIDC_CLIENT_SECRET: 's' };
const rules = (env: Record<string, string>) => {
  const config = configOf(readEnv(env));
  return siteNameRules(config, addressesOf(config, { port: 8080, networkPort: 4943 }));
};

test('on this computer names are below localhost, at the port of the network', () => {
  expect(rules({})).toEqual({ pattern: 'http://{name}.localhost:4943/', ownLabels: new Set() });
  const { ownLabels } = rules({ PUBLIC_URL: 'http://console.localhost:8080' }) ?? {};
  expect(ownLabels).toEqual(new Set(['console']));
});

test('names are below the domain of the sites, and none is that of another host of the operator', () => {
  const env = {
    ...OIDC,
    PUBLIC_URL: 'https://build.example.com',
    NETWORK_PUBLIC_URL: 'https://api.net.example.com:8443',
    CANISTER_URL_PATTERN: 'https://{canisterId}.example.com:444/',
    NETWORK_HOSTS: 'inner.example.com:99, *.wide.example.com, elsewhere.example.net',
  };
  expect(rules(env)).toEqual({
    pattern: 'https://{name}.example.com:444/',
    ownLabels: new Set(['id', 'build', 'net', 'inner', 'wide']),
  });
});

test('roles that are told so have names at a network elsewhere, which keeps its host', () => {
  const env = {
    ...OIDC,
    ROLE: 'api',
    SITE_NAMES: 'on',
    DATABASE_URL: 'postgres://db.example/cannery',
    SECRETS_KEY_FILE: '/secrets.key',
    IC_IDENTITY_FILE: '/identity.pem',
    BLOBS_S3_URL: 'https://s3.example',
    BLOBS_S3_BUCKET: 'cannery',
    BLOBS_S3_ACCESS_KEY: 'a',
    BLOBS_S3_SECRET_KEY: 's',
    PUBLIC_URL: 'https://build.example.org',
    IC_URL: 'http://net.example.com:4943',
    NETWORK_PUBLIC_URL: 'https://api.example.com',
    CANISTER_URL_PATTERN: 'https://{canisterId}.example.com/',
  };
  // The identity provider is at id.example.com.
  const ownLabels = new Set(['api', 'net', 'id']);
  expect(rules(env)).toEqual({ pattern: 'https://{name}.example.com/', ownLabels });
  expect(rules({ ...env, SITE_NAMES: 'off' })).toBeNull();
  const { SITE_NAMES: _, ...unsaid } = env;
  expect(rules(unsaid)).toBeNull();
});

test('names that no network would be told are refused at the start', () => {
  expect(() => rules({ SITE_NAMES: 'on', IC_URL: 'http://127.0.0.1:9' })).toThrow(/takes no names of sites/);
  expect(() => rules({ SITE_NAMES: 'on', IC_URL: 'https://icp-api.io' })).toThrow(/takes no names of sites/);
  expect(() => rules({ SITE_NAMES: 'on', ROLE: 'network' })).toThrow(/DATABASE_URL of the other roles/);
});

test('sites have no names on a network elsewhere, nor where they share a host, nor where they are off', () => {
  expect(rules({ IC_URL: 'http://127.0.0.1:9' })).toBeNull();
  expect(rules({ SITE_NAMES: 'off' })).toBeNull();
  expect(
    rules({ ...OIDC, CANISTER_URL_PATTERN: 'https://sites.example.com/?canisterId={canisterId}' }),
  ).toBeNull();
});
