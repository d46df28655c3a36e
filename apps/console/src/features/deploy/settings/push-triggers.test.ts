import type { Deploy } from '@cannery/contract';
import { expect, test } from 'vitest';
import { givenTriggers, pushDraft, tagsProblem, watchPathsProblem } from './push-triggers.ts';

const saved = (fields: Partial<Deploy>): Deploy => fields as Deploy;

test('what is saved is shown, and a service that does not know of it shows nothing', () => {
  const deploy = saved({ watch_paths: ['apps/web', '!apps/web/*.md'], deploy_tags: 'v*' });
  expect(pushDraft(deploy)).toEqual({ watchPaths: 'apps/web\n!apps/web/*.md', deployTags: 'v*' });
  expect(givenTriggers(pushDraft(deploy))).toEqual({
    watch_paths: ['apps/web', '!apps/web/*.md'],
    deploy_tags: 'v*',
  });
  expect(pushDraft(saved({}))).toEqual({ watchPaths: '', deployTags: '' });
});

test('blank lines and spaces at the ends are left out', () => {
  expect(givenTriggers({ watchPaths: '\n  apps \n\n!docs\r\n', deployTags: ' v* ' })).toEqual({
    watch_paths: ['apps', '!docs'],
    deploy_tags: 'v*',
  });
});

test('too many or too long patterns are named before they are sent', () => {
  const draft = (watchPaths: string, deployTags = '') => ({ watchPaths, deployTags });
  expect(watchPathsProblem(draft('a\n'.repeat(50)))).toBeUndefined();
  expect(watchPathsProblem(draft('a\n'.repeat(51)))).toBe('At most 50 lines.');
  expect(watchPathsProblem(draft('a'.repeat(201)))).toBe('At most 200 characters a line.');
  expect(tagsProblem(draft('', 'v'.repeat(100)))).toBeUndefined();
  expect(tagsProblem(draft('', 'v'.repeat(101)))).toBe('At most 100 characters.');
});
