import { expect, test } from 'vitest';
import { branchAfterFetch, createPayload, initialForm, settingsPayload } from './payloads.ts';

const draft = { repo_name: 'repo', owner: 'ada', isPublic: true, url: 'https://h/ada/repo' };
const form = { name: ' site ', branch: 'main', build_cmd: 'npm run build', publish_dir: 'dist' };

test("[ENT-13] [DEP-14] the form starts with branch 'master' and empty fields", () => {
  expect(initialForm(draft)).toEqual({ name: '', branch: 'master', build_cmd: '', publish_dir: '' });
});

test('a template fills the form', () => {
  const filled = { ...draft, name: 'starter', build_command: 'make', publish_directory: 'out' };
  expect(initialForm(filled)).toEqual({
    name: 'starter',
    branch: 'master',
    build_cmd: 'make',
    publish_dir: 'out',
  });
});

test("[DEP-14] the first branch is selected; 'master' stays when there is none", () => {
  expect(branchAfterFetch('master', [{ name: 'trunk' }, { name: 'next' }])).toBe('trunk');
  expect(branchAfterFetch('master', [])).toBe('master');
});

test('[DEP-18] the create call carries form and navigation state', () => {
  expect(createPayload(draft, 'STATIC_SITE', form)).toEqual({
    name: 'site',
    branch: 'main',
    owner: 'ada',
    repo_name: 'repo',
    deploy_type: 'STATIC_SITE',
    is_public: true,
    build_command: 'npm run build',
    publish_directory: 'dist',
  });
});

test('[OP-60] the address of a repository of another host goes along, and no other', () => {
  const url = 'https://github.com/ada/repo';
  expect(createPayload(draft, 'MOTOKO', form, url)).toMatchObject({ url, owner: 'ada', repo_name: 'repo' });
  expect(createPayload(draft, 'MOTOKO', form)).not.toHaveProperty('url');
});

test.each(['MOTOKO', 'CUSTOM'] as const)('[DEP-16] %s sends no build settings', (type) => {
  const payload = createPayload(draft, type, form);
  expect(payload).not.toHaveProperty('build_command');
  expect(payload).not.toHaveProperty('publish_directory');
});

test('[VAL-25] settings are trimmed before sending, under the names of the update call', () => {
  const settings = { name: ' site ', build_command: ' npm ci ', publish_directory: ' dist ' };
  expect(settingsPayload('STATIC_SITE', settings)).toEqual({
    name: 'site',
    build_cmd: 'npm ci',
    publish_dir: 'dist',
  });
  expect(settingsPayload('MOTOKO', settings)).toEqual({ name: 'site' });
});
