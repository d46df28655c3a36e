import { expect, test } from 'vitest';
import { draftOf } from './deploy-draft.ts';

test('[DEP-12] without a repository name there is no draft', () => {
  expect(draftOf({})).toBeUndefined();
  expect(draftOf({ repo_name: '', owner: 'ada' })).toBeUndefined();
  expect(draftOf({ owner: 'ada', url: 'x' })).toBeUndefined();
});

test('[DEP-05] [DEP-07] the navigation state carries repo_name, owner, isPublic and url', () => {
  const state = { repo_name: 'site', owner: 'ada', isPublic: true, url: 'https://h/ada/site' };
  expect(draftOf(state)).toMatchObject(state);
  expect(draftOf({ repo_name: 'site', owner: 'ada' })).toMatchObject({ isPublic: false, url: '' });
});
