import { expect, test } from 'vitest';
import { configOf } from '../config/config.ts';
import { readEnv } from '../config/env.ts';
import { StartError } from '../errors.ts';
import { networkAccess } from './served-names.ts';

const CONSOLE = 'aaaaa-aa';
const OIDC = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'c', OIDC_CLIENT_SECRET: 's' };
const access = (env: Record<string, string>) => networkAccess(configOf(readEnv(env)), CONSOLE);

test('on this computer alone anybody may make cycles, and no name is added', () => {
  expect(access({})).toEqual({
    hosts: [],
    canisterUrl: undefined,
    provisional: 'anyone',
    outcalls: 'off',
    dashboard: 'off',
  });
});

test('the network answers to the names in the addresses, and to those that are listed', () => {
  const env = {
    ...OIDC,
    PUBLIC_URL: 'https://console.example.com',
    NETWORK_PUBLIC_URL: 'https://net.example.com:8443',
    CANISTER_URL_PATTERN: 'https://{canisterId}.sites.example.com/',
    NETWORK_HOSTS: 'a.example.com, *.b.example.com',
  };
  expect(access(env)).toEqual({
    hosts: [
      'a.example.com',
      '*.b.example.com',
      'net.example.com:8443',
      'console.example.com',
      '*.sites.example.com',
    ],
    canisterUrl: 'https://{canisterId}.sites.example.com/',
    provisional: CONSOLE,
    outcalls: 'off',
    dashboard: 'off',
  });
});

test('outcalls and the dashboard are what the operator sets, and nothing else', () => {
  const set = access({ NETWORK_OUTCALLS: 'https', NETWORK_DASHBOARD: 'on' });
  expect(set).toMatchObject({ outcalls: 'https', dashboard: 'on' });
  // A tenant's canister does not get at what listens on loopback here.
  expect(() => access({ NETWORK_OUTCALLS: 'https-and-loopback' })).toThrow(/off or https/);
  expect(() => access({ NETWORK_DASHBOARD: 'public' })).toThrow(/on or off/);
});

test.each([
  ['listens on every address', { ...OIDC, HOST: '0.0.0.0' }],
  ['stands behind a proxy on this computer', { NETWORK_PUBLIC_URL: 'https://net.example.com' }],
  ['serves sites to others', { CANISTER_URL_PATTERN: 'https://{canisterId}.sites.example.com/' }],
  ['answers to another name', { NETWORK_HOSTS: 'net.example.com' }],
])('cycles are for the console where the network %s, unless the setting says else', (_name, env) => {
  expect(access(env).provisional).toBe(CONSOLE);
  expect(access({ ...env, NETWORK_PROVISIONAL: 'open' }).provisional).toBe('anyone');
  expect(access({ ...env, NETWORK_PROVISIONAL: 'off' }).provisional).toBe('nobody');
});

test('a name that is none is refused at the start', () => {
  expect(() => access({ NETWORK_HOSTS: 'http://net.example.com' })).toThrow(StartError);
  expect(() => access({ NETWORK_PROVISIONAL: 'everybody' })).toThrow(/open, console or off/);
});
