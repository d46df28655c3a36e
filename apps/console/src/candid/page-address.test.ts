import { describe, expect, test } from 'vitest';
import { hashMethod, isLocalNetwork, methodHash, pageSearch, readPageAddress } from './page-address.ts';

const ID = 'rrkah-fqaaa-aaaaa-aaaaq-cai';

describe('the address of the page', () => {
  test('[CAND-04] names the canister in the query parameter id', () => {
    expect(readPageAddress(`?id=${ID}`)).toEqual({ id: ID, isValidId: true, host: undefined });
  });

  test('may name none, or one that cannot be', () => {
    expect(readPageAddress('')).toMatchObject({ id: undefined, isValidId: false });
    expect(readPageAddress('?id=%20')).toMatchObject({ id: undefined, isValidId: false });
    expect(readPageAddress('?id=rrkah-fqaaa-aaaaa-aaaaq-caj')).toMatchObject({ isValidId: false });
  });

  test('may name another network, only by http or https', () => {
    expect(readPageAddress(`?id=${ID}&host=https://icp-api.io/path`).host).toBe('https://icp-api.io');
    expect(readPageAddress(`?id=${ID}&host=javascript:alert(1)`).host).toBeUndefined();
    expect(readPageAddress(`?id=${ID}&host=nonsense`).host).toBeUndefined();
    expect(readPageAddress(pageSearch(ID, 'http://127.0.0.1:4943'))).toMatchObject({
      id: ID,
      host: 'http://127.0.0.1:4943',
    });
  });

  test('leads to a method by its last part, whatever its name', () => {
    for (const name of ['transfer', 'odd name', '__get', 'é/ü?', '100%']) {
      expect(hashMethod(methodHash(name))).toBe(name);
    }
    expect(hashMethod('')).toBeUndefined();
    expect(hashMethod('#')).toBeUndefined();
    expect(hashMethod('#%E0%A4%A')).toBeUndefined();
  });

  test('a root key is fetched from networks on this machine only', () => {
    for (const host of [
      'http://127.0.0.1:4943',
      'http://localhost:1',
      'http://[::1]:8000',
      'http://ic.localhost',
    ]) {
      expect(isLocalNetwork(host)).toBe(true);
    }
    for (const host of [
      'https://icp-api.io',
      'https://localhost.example.com',
      'https://127.0.0.1.example.com',
    ]) {
      expect(isLocalNetwork(host)).toBe(false);
    }
  });
});
