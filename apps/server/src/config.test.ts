import { describe, expect, test } from 'vitest';
import { addressesOf, configOf, isMainnet } from './config.ts';
import { readEnv } from './env.ts';

const OIDC = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' };
const configFor = (env: Record<string, string>) => configOf(readEnv(env));

describe('sign-in', () => {
  test('the embedded provider is refused when the server does not listen on loopback', () => {
    expect(() => configFor({ HOST: '0.0.0.0' })).toThrow(/loopback/);
    expect(configFor({ HOST: '127.0.0.1' }).identity).toEqual({ embedded: true });
  });

  test('the embedded provider is refused when a proxy would show it to others', () => {
    for (const url of ['https://console.example', 'http://10.0.0.5:4000', 'http://localhost.example'])
      expect(() => configFor({ PUBLIC_URL: url }), url).toThrow(/PUBLIC_URL .*loopback/);
    for (const url of [
      'http://localhost:5173',
      'http://127.0.0.1',
      'http://[::1]:1',
      'https://dev.localhost',
    ])
      expect(configFor({ PUBLIC_URL: url }).identity, url).toEqual({ embedded: true });
    expect(configFor({ PUBLIC_URL: 'https://console.example', ...OIDC }).identity.embedded).toBe(false);
  });

  test('the three OIDC options belong together', () => {
    expect(() => configFor({ OIDC_ISSUER: 'https://accounts.google.com' })).toThrow(/all three/);
    expect(configFor({ HOST: '0.0.0.0', ...OIDC }).identity).toEqual({
      embedded: false,
      issuer: 'https://id.example',
      clientId: 'a',
      clientSecret: 'b',
    });
  });
});

describe('[CONST-10] addresses', () => {
  test('come from the bound ports by default', () => {
    const addresses = addressesOf(configFor({ PORT: '0' }), { port: 4321, networkPort: 4999 });
    expect(addresses).toEqual({
      publicUrl: 'http://localhost:4321',
      networkUrl: 'http://localhost:4999',
      canisterUrlPattern: 'http://{canisterId}.localhost:4999/',
      candidUrlPattern: 'http://localhost:4321/candid/?id={canisterId}',
    });
  });

  test('are used as configured', () => {
    const config = configFor({
      ...OIDC,
      PUBLIC_URL: 'https://console.example/',
      IC_URL: 'http://10.0.0.5:4943/',
      NETWORK_PUBLIC_URL: 'https://icp-api.io/',
      CANISTER_URL_PATTERN: 'https://{canisterId}.site.example/',
      CANDID_URL_PATTERN: 'https://candid.example/?id={canisterId}',
    });
    expect(addressesOf(config, { port: 1, networkPort: 2 })).toEqual({
      publicUrl: 'https://console.example',
      networkUrl: 'https://icp-api.io',
      canisterUrlPattern: 'https://{canisterId}.site.example/',
      candidUrlPattern: 'https://candid.example/?id={canisterId}',
    });
  });
});

test('only the real IC counts as mainnet', () => {
  expect(isMainnet('https://icp-api.io')).toBe(true);
  expect(isMainnet('https://boundary.ic0.app')).toBe(true);
  expect(isMainnet('http://localhost:4943')).toBe(false);
  expect(isMainnet('https://notic0.app')).toBe(false);
});
