import { expect, test } from 'vitest';
import { addressesOf, configOf } from './config.ts';
import { readEnv } from './env.ts';
import { internetIdentityOf } from './internet-identity.ts';

const settingFor = (env: Record<string, string>) => {
  const config = configOf(readEnv(env));
  return internetIdentityOf(config, addressesOf(config, { port: 4000, networkPort: 4943 }));
};
const ON = { SIGN_IN_INTERNET_IDENTITY: 'on' };
const HERE = 'http://localhost:4000';

test('without the setting Internet Identity signs nobody in', () => {
  expect(settingFor({})).toBeUndefined();
  expect(settingFor({ SIGN_IN_INTERNET_IDENTITY: 'off' })).toBeUndefined();
  expect(() => settingFor({ SIGN_IN_INTERNET_IDENTITY: 'yes' })).toThrow(/must be on, off or an address/);
});

test('on is that of the network: of the embedded one, of another local one, of mainnet', () => {
  expect(settingFor(ON)).toEqual({
    address: 'http://id.ai.localhost:4943/authorize',
    origin: HERE,
    isMainnet: false,
  });
  expect(settingFor({ ...ON, IC_URL: 'http://localhost:8000' })?.address).toBe(
    'http://id.ai.localhost:8000/authorize',
  );
  expect(settingFor({ ...ON, IC_URL: 'https://icp-api.io' })).toMatchObject({
    address: 'https://id.ai/authorize',
    isMainnet: true,
  });
  const sites = 'https://{canisterId}.sites.example/';
  expect(settingFor({ ...ON, CANISTER_URL_PATTERN: sites })?.address).toBe(
    'https://rdmx6-jaaaa-aaaaa-aaadq-cai.sites.example/authorize',
  );
});

test('an embedded network without that canister is refused, and another page is not', () => {
  const without = { NETWORK_SERVICES: 'icp-ledger, cycles-ledger' };
  expect(() => settingFor({ ...ON, ...without })).toThrow(/NETWORK_SERVICES leaves internet-identity out/);
  expect(settingFor({ ...ON, NETWORK_SERVICES: 'icp-ledger, internet-identity' })).toBeDefined();
  expect(settingFor({ SIGN_IN_INTERNET_IDENTITY: 'https://id.ai/authorize', ...without })).toEqual({
    address: 'https://id.ai/authorize',
    origin: HERE,
    isMainnet: true,
  });
});

test('mainnet vouches for its own pages only, and principals are made for the address of the console', () => {
  for (const [page, isMainnet] of [
    ['https://identity.ic0.app/authorize', true],
    ['https://identity.internetcomputer.org/authorize', true],
    ['https://id.ai.example.org/authorize', false],
    ['http://id.ai.localhost:4943/authorize', false],
    ['https://notid.ai/authorize', false],
  ] as const) {
    expect(settingFor({ SIGN_IN_INTERNET_IDENTITY: page })?.isMainnet, page).toBe(isMainnet);
  }
  expect(settingFor({ ...ON, PUBLIC_URL: 'https://dev.localhost' })?.origin).toBe('https://dev.localhost');
  expect(
    settingFor({ ...ON, CONSOLE_URL: 'https://ui.localhost', API_URL: 'https://dev.localhost/api' })?.origin,
  ).toBe('https://ui.localhost');
});
