import { expect, test } from 'vitest';
import { parseHost } from '../../http/transport/served-hosts.ts';
import { MOST_SITE_NAMES, SiteNames } from './site-names.ts';

const SHOP = 'rrkah-fqaaa-aaaaa-aaaaq-cai';
const OTHER = 'ryjl3-tyaaa-aaaaa-aaaba-cai';

const at = (names: SiteNames, header: string): string | undefined => {
  const host = parseHost(header);
  return host && names.find(host)?.text;
};

test('a name is a host directly below the domain of sites, and no other', () => {
  const local = new SiteNames();
  local.replace(new Map([['shop', SHOP]]));
  for (const host of ['shop.localhost:4943', 'SHOP.localhost', 'shop.localhost.'])
    expect(at(local, host)).toBe(SHOP);
  for (const host of ['localhost', 'shop', 'x.localhost', 'a.shop.localhost', 'shop.localhost.example'])
    expect([host, at(local, host)]).toEqual([host, undefined]);
  const named = new SiteNames('https://{canisterId}.sites.example.com:8443/');
  named.replace(new Map([['shop', SHOP]]));
  expect(at(named, 'shop.sites.example.com:8443')).toBe(SHOP);
  for (const host of [
    'shop.localhost',
    'shop.example.com',
    'shopsites.example.com',
    'shop.evilsites.example.com',
  ])
    expect([host, at(named, host)]).toEqual([host, undefined]);
});

test('names are exchanged as a whole, and who has lost one is told', () => {
  const names = new SiteNames();
  expect(
    names.replace(
      new Map([
        ['a', SHOP],
        ['b', OTHER],
      ]),
    ),
  ).toEqual(new Set());
  expect(
    names.replace(
      new Map([
        ['a', SHOP],
        ['b', SHOP],
        ['c', OTHER],
      ]),
    ),
  ).toEqual(new Set([OTHER]));
  expect(names.replace(new Map())).toEqual(new Set([SHOP, OTHER]));
  expect(at(names, 'a.localhost')).toBeUndefined();
});

test('what is no name changes nothing', () => {
  const names = new SiteNames();
  names.replace(new Map([['shop', SHOP]]));
  for (const bad of ['', 'Shop', '-a', 'a-', 'a.b', 'a_b', 'ä', 'a'.repeat(64), OTHER])
    expect(() => names.replace(new Map([[bad, SHOP]]))).toThrow(RangeError);
  for (const bad of ['', 'shop', `${SHOP}x`, 'rrkah-fqaaa-aaaaa-aaaaq-caj'])
    expect(() => names.replace(new Map([['b', bad]]))).toThrow(RangeError);
  const many = new Map(Array.from({ length: MOST_SITE_NAMES + 1 }, (_, n) => [`n${n}`, SHOP]));
  expect(() => names.replace(many)).toThrow(RangeError);
  expect(at(names, 'shop.localhost')).toBe(SHOP);
  many.delete('n0');
  names.replace(many);
  expect([at(names, 'n1.localhost'), at(names, 'shop.localhost')]).toEqual([SHOP, undefined]);
});
