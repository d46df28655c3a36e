import { expect, test } from 'vitest';
import { cyclesOfTrillions, helpText, options, readEnv } from './env.ts';
import { StartError } from '../errors.ts';

test('every bad option is named in one message', () => {
  const read = () =>
    readEnv({
      PORT: 'x',
      NETWORK_PORT: 70_000,
      LOG_LEVEL: 'loud',
      OPENING_BALANCE_T: '-1',
      CANISTER_CREATE_T: '0',
    });
  expect(read).toThrow(StartError);
  for (const name of ['PORT', 'NETWORK_PORT', 'LOG_LEVEL', 'OPENING_BALANCE_T', 'CANISTER_CREATE_T'])
    expect(read).toThrow(name);
});

test('hosts are read as names and ports, and what is none is named', () => {
  expect(readEnv({ EGRESS_HOSTS: 'Fonts.example, 127.1:8443' })).toMatchObject({
    EGRESS_HOSTS: [
      { name: 'fonts.example', port: 443 },
      { name: '127.0.0.1', port: 8443 },
    ],
    EGRESS_PRIVATE_HOSTS: [],
    BUILD_NETWORK: 'off',
  });
  expect(() => readEnv({ EGRESS_HOSTS: 'https://a.example/' })).toThrow(/EGRESS_HOSTS: .*not https:/);
});

test('an empty variable counts as not set', () => {
  expect(readEnv({ PORT: '', HOST: '' })).toMatchObject({ PORT: 4000, HOST: '127.0.0.1' });
});

test('the defaults are the ones the documentation names', () => {
  expect(readEnv({})).toMatchObject({
    HOST: '127.0.0.1',
    PORT: 4000,
    NETWORK_PORT: 4943,
    NETWORK_FEES: 'docs-2026-08',
    DATA_DIR: '.cannery',
    CANISTER_CREATE_T: 2_000_000_000_000n,
  });
});

test.each([
  ['0', 0n],
  ['2', 2_000_000_000_000n],
  ['0.5', 500_000_000_000n],
  ['1.000000000001', 1_000_000_000_001n],
])('%s T is %d cycles, exactly', (text, cycles) => {
  expect(cyclesOfTrillions(text)).toBe(cycles);
});

test('--help lists every option', () => {
  for (const name of Object.keys(options)) expect(helpText()).toContain(name);
});
