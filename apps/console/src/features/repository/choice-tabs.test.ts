import { expect, test } from 'vitest';
import { firstTab, namedTab, offeredTabs } from './choice-tabs.ts';

test('a newcomer begins with a template, everybody else with the repositories', () => {
  expect(firstTab({ embedded: true, repositories: 0 })).toBe('template');
  expect(firstTab({ embedded: true, repositories: 3 })).toBe('repositories');
  // The prompt to connect stands there.
  expect(firstTab({ embedded: true, repositories: undefined })).toBe('repositories');
  expect(firstTab({ embedded: false, repositories: 0 })).toBe('repositories');
});

test('an address names only tabs that there are', () => {
  const [own, other] = [offeredTabs({ embedded: true }), offeredTabs({ embedded: false })];
  expect(own).toEqual(['template', 'repositories', 'url', 'push']);
  expect(['push', 'PUSH', '', undefined].map((name) => namedTab(name, own))).toEqual([
    'push',
    undefined,
    undefined,
    undefined,
  ]);
  expect(['push', 'template', 'url'].map((name) => namedTab(name, other))).toEqual([
    undefined,
    undefined,
    'url',
  ]);
});
