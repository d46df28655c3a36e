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

describe('the GitHub App', () => {
  const APP = {
    GITHUB_APP_ID: '4711',
    GITHUB_APP_SLUG: 'cannery',
    GITHUB_CLIENT_ID: 'Iv1.a',
    GITHUB_CLIENT_SECRET: 'b',
    GITHUB_PRIVATE_KEY_FILE: 'app.pem',
    GITHUB_WEBHOOK_SECRET: 'sixteen letters!',
  };

  test('is absent by default, and the embedded git host is the provider', () => {
    expect(configFor({})).toMatchObject({ github: undefined, gitProvider: { name: 'Cannery Git' } });
  });

  test('[OP-40] is at github.com, and the provider is called GitHub', () => {
    const { github, gitProvider } = configFor(APP);
    expect(github).toMatchObject({
      appId: 4711,
      url: 'https://github.com',
      apiUrl: 'https://api.github.com',
    });
    expect(gitProvider.name).toBe('GitHub');
    expect(configFor({ ...APP, GIT_PROVIDER_NAME: 'Our GitHub' }).gitProvider.name).toBe('Our GitHub');
  });

  test('is at another address, whose API is below it unless said otherwise', () => {
    const GITHUB_URL = 'https://git.example/';
    expect(configFor({ ...APP, GITHUB_URL }).github).toMatchObject({
      url: 'https://git.example',
      apiUrl: 'https://git.example/api/v3',
    });
    const both = { ...APP, GITHUB_URL, GITHUB_API_URL: 'https://api.git.example/' };
    expect(configFor(both).github?.apiUrl).toBe('https://api.git.example');
  });

  test('is refused with what is missing, or wrong', () => {
    const { GITHUB_APP_SLUG: _slug, GITHUB_WEBHOOK_SECRET: _secret, ...part } = APP;
    expect(() => configFor(part)).toThrow(/Set GITHUB_APP_SLUG, GITHUB_WEBHOOK_SECRET too, or none/);
    expect(() => configFor({ GITHUB_URL: 'https://git.example' })).toThrow(/Set GITHUB_APP_ID, /);
    const apiOnly = { ...APP, GITHUB_API_URL: 'https://api.git.example' };
    expect(() => configFor(apiOnly)).toThrow(/GITHUB_URL is not/);
    for (const [name, value] of Object.entries({
      GITHUB_URL: 'http://git.example',
      GITHUB_APP_ID: 'cannery',
      GITHUB_APP_SLUG: 'https://github.com/apps/cannery',
      GITHUB_WEBHOOK_SECRET: 'short',
    })) {
      expect(() => configFor({ ...APP, [name]: value }), name).toThrow(`${name}: must `);
    }
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

describe('the kind of network', () => {
  const network = (env: Record<string, string>) => {
    const { isMainnet: real, cyclesLedger, openingBalance } = configFor(env);
    return { real, cyclesLedger, openingBalance };
  };
  const LOCAL = 'http://localhost:8000';
  const MAINNET = { real: true, cyclesLedger: 'um5iw-rqaaa-aaaaq-qaaba-cai', openingBalance: 0n };

  test('without a cycles ledger cycles come from nothing, and new accounts get some', () => {
    const free = { real: false, cyclesLedger: undefined, openingBalance: 100n * 10n ** 12n };
    expect(network({})).toEqual(free);
    expect(network({ IC_URL: LOCAL })).toEqual(free);
  });

  test('on mainnet its cycles ledger pays, and nobody gets cycles for signing in', () => {
    expect(network({ IC_URL: 'https://icp-api.io' })).toEqual(MAINNET);
    expect(network({ IC_URL: 'https://ic.proxy.example', IC_NETWORK: 'mainnet' })).toEqual(MAINNET);
  });

  test('a cycles ledger may pay elsewhere too, and the opening balance is what is asked for', () => {
    const CYCLES_LEDGER = 'rrkah-fqaaa-aaaaa-aaaaq-cai';
    expect(network({ IC_URL: LOCAL, CYCLES_LEDGER, OPENING_BALANCE_T: '3' })).toEqual({
      real: false,
      cyclesLedger: CYCLES_LEDGER,
      openingBalance: 3n * 10n ** 12n,
    });
  });

  test('what contradicts itself is refused', () => {
    expect(() => configFor({ IC_NETWORK: 'mainnet' })).toThrow(/IC_URL/);
    expect(() => configFor({ IC_FALLBACK_URLS: LOCAL })).toThrow(/IC_URL is not set/);
    expect(() => configFor({ IC_URL: LOCAL, IC_FALLBACK_URLS: 'https://icp0.io' })).toThrow(
      /https:\/\/icp0.io, which is mainnet/,
    );
    expect(() => configFor({ IC_URL: 'https://icp-api.io', IC_NETWORK: 'local' })).toThrow(
      /which is mainnet/,
    );
    expect(() => configFor({ CYCLES_LEDGER: 'ledger' })).toThrow(/CYCLES_LEDGER: must be a canister id/);
  });

  test('mainnet sites are served by mainnet gateways, whatever proxy the API is reached by', () => {
    const config = configFor({ IC_URL: 'https://ic.proxy.example', IC_NETWORK: 'mainnet' });
    expect(addressesOf(config, { port: 1, networkPort: 2 }).canisterUrlPattern).toBe(
      'https://{canisterId}.icp.net/',
    );
  });
});

test('only the real IC counts as mainnet', () => {
  expect(isMainnet('https://icp-api.io')).toBe(true);
  expect(isMainnet('https://boundary.ic0.app')).toBe(true);
  expect(isMainnet('http://localhost:4943')).toBe(false);
  expect(isMainnet('https://notic0.app')).toBe(false);
});

test('metrics are answered where a port is set, on loopback unless it is said otherwise', () => {
  const metricsOf = (env: Parameters<typeof readEnv>[0]) => configOf(readEnv(env)).metrics;
  expect(metricsOf({})).toBeUndefined();
  expect(metricsOf({ METRICS_HOST: '10.0.0.1', METRICS_PORT: '' })).toBeUndefined();
  expect(metricsOf({ METRICS_PORT: 9464 })).toEqual({ host: '127.0.0.1', port: 9464 });
  expect(metricsOf({ METRICS_PORT: '0', METRICS_HOST: '10.0.0.1' })).toEqual({ host: '10.0.0.1', port: 0 });
  expect(() => metricsOf({ METRICS_PORT: '70000' })).toThrow('METRICS_PORT: must be 0 to 65535');
});

test('the cycles ledger of the embedded network pays only where that network has one', () => {
  const ledger = { CYCLES_LEDGER: 'um5iw-rqaaa-aaaaq-qaaba-cai' };
  expect(configFor(ledger)).toMatchObject({ cyclesLedger: ledger.CYCLES_LEDGER, openingBalance: 0n });
  for (const services of ['none', 'icp-ledger,candid-ui']) {
    expect(() => configFor({ ...ledger, NETWORK_SERVICES: services })).toThrow(/leaves cycles-ledger out/);
    expect(
      configFor({ ...ledger, NETWORK_SERVICES: services, IC_URL: 'http://localhost:8000' }),
    ).toBeDefined();
  }
  expect(configFor({ ...ledger, NETWORK_SERVICES: 'icp-ledger, cycles-ledger' })).toBeDefined();
});
