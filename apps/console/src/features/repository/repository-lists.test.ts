import type { Repository, Template } from '@cannery/contract';
import { expect, test } from 'vitest';
import { accountsOf } from './git-accounts.tsx';
import { searchRepositories } from './repository-list.tsx';
import { templatesFor } from './templates/templates.tsx';

const repository = (login: string, name: string): Repository => ({
  name,
  private: false,
  owner: { login },
  url: `http://localhost/${login}/${name}.git`,
  default_branch: 'main',
});
const list = [repository('ada', 'Docs-Site'), repository('works', 'engine'), repository('ada', 'counter')];

test('[DEP-04] the search goes by name, ignoring case, and not by owner', () => {
  expect(searchRepositories(list, 'docs').map(({ name }) => name)).toEqual(['Docs-Site']);
  expect(searchRepositories(list, 'ada')).toEqual([]);
  expect(searchRepositories(list, '')).toBe(list);
});

test('[DEP-08] the accounts are the owners, each with the count of its repositories', () => {
  expect(accountsOf(list)).toEqual([
    { login: 'ada', repositories: 2 },
    { login: 'works', repositories: 1 },
  ]);
});

test('templates of the wanted type come first, the others behind; without one of the type all are offered', () => {
  const template = (id: string, deploy_type: string): Template => ({
    id,
    title: id,
    description: '',
    deploy_type,
    build_command: '',
    publish_directory: '',
  });
  const templates = [template('site', 'STATIC_SITE'), template('counter', 'MOTOKO')];
  const ids = (list: readonly Template[]) => list.map(({ id }) => id);
  const motoko = templatesFor(templates, 'MOTOKO');
  expect([ids(motoko.fitting), ids(motoko.others)]).toEqual([['counter'], ['site']]);
  const custom = templatesFor(templates, 'CUSTOM');
  expect([ids(custom.fitting), ids(custom.others)]).toEqual([['site', 'counter'], []]);
});
