import { expect, test } from 'vitest';
import { isCurrent, isOpen, menuItems } from './menu-items.ts';

test("[NAV-20] 'Create DApp' leads to the two kinds of deploy", () => {
  const group = menuItems.find(({ label }) => label === 'Create DApp');
  expect(group?.kind === 'group' && group.children).toEqual([
    { label: 'Static Website', to: '/ics/deploy/?type=STATIC_SITE' },
    { label: 'Motoko Smart Contract', to: '/ics/deploy/?type=MOTOKO' },
  ]);
});

test("[NAV-19] Pipelines is the item that is 'Coming Soon' and leads nowhere", () => {
  const item = menuItems.find(({ kind }) => kind === 'coming soon');
  expect(item?.label).toBe('Pipelines');
  expect(item).not.toHaveProperty('to');
});

test('an item is open on its own page and below it only', () => {
  expect(isOpen('/ics/canister/aaaaa-aa', ['/ics/canister'])).toBe(true);
  expect(isOpen('/ics/canisters', ['/ics/canister'])).toBe(false);
});

test.each([
  ['/ics/canisters', 'Canisters'],
  ['/canisters', 'Canisters'],
  ['/ics/dapps', 'DApps'],
  ['/ics/dapps/', 'DApps'],
  ['/ics/canister/aaaaa-aa', 'Canisters'],
  ['/ics/deploy/1234', 'DApps'],
  ['/ics/deploy/1234/settings', 'DApps'],
  ['/ics/deploy/', 'Create DApp'],
  ['/ics/deploy/new', 'Create DApp'],
  ['/ics/dapp/1', 'Marketplace'],
])('at %s the item %s is current, and no other', (pathname, label) => {
  const current = menuItems.filter((item) => item.kind !== 'coming soon' && isCurrent(item, pathname));
  expect(current.map((item) => item.label)).toEqual([label]);
});
