import type { Canister, Deploy, PublicConfig, Repository } from '@cannery/contract';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { routeTable } from '../../../config/route-table.ts';
import { pageGroups } from '../../../features/documentation/pages.ts';
import type { Destination, PaletteEntry } from './entries.ts';
import { paletteGroups } from './find-entries.ts';
import { goKeys } from './go-keys.ts';
import { placesOf } from './places.ts';
import type { Doer } from './deeds.ts';
import { shelvesOf } from './things.ts';

const nothing = (): void => undefined;
const doer: Doer = { go: nothing, visit: nothing, ask: nothing };
const config = (embedded: boolean) =>
  ({
    canister_url_pattern: 'http://{canisterId}.localhost/',
    candid_url_pattern: '/candid/?id={canisterId}',
    embedded_network: embedded,
    git_provider: { embedded, clone_url_pattern: 'http://localhost/{owner}/{repo}.git' },
  }) as PublicConfig;
const canister = { id: 'rrkah-cai', name: 'shop', status: 'running', serves_http: true } as Canister;
const deploy = {
  id: 'd1',
  name: 'shop',
  type: 'STATIC_SITE',
  canisters: ['rrkah-cai'],
  parts: [],
  deployInstance: { id: 'run1' },
} as unknown as Deploy;
const repository = { name: 'shop', owner: { login: 'ada' }, url: 'http://git/ada/shop' } as Repository;

/** Everything the palette offers to somebody who has one of each thing, whatever has to be typed for it. */
function everything(embedded: boolean): PaletteEntry[] {
  const shelves = shelvesOf(
    {
      canisters: [canister],
      deploys: [deploy],
      repositories: [repository],
      registries: [{ id: 'r1', name: 'shop', wasm_identifier: 'ab', version: 1, created_at: '' }],
      dapps: [{ id: 'm1', name: 'shop', app_name: '', version: '1.0.0' }] as never,
      products: [{ id: 'p1', title: 'shop' }] as never,
      config: config(embedded),
    },
    doer,
  );
  const fixed = placesOf({
    go: nothing,
    config: config(embedded),
    chapters: pageGroups,
    createCanister: nothing,
    showShortcuts: nothing,
    signOut: nothing,
  });
  const verbs =
    'top stop start install open call view logs settings snapshots history copy deploy roll last edit';
  const found = ['', 'shop', ...verbs.split(' ').map((verb) => `${verb} shop`)].flatMap((text) =>
    paletteGroups({ fixed: [], shelves }, text, []).flatMap(({ entries }) => entries),
  );
  return [...fixed, ...found];
}

const entries = [...everything(true), ...everything(false)];
const destinations = entries.flatMap(({ to }) => to ?? []);

/** The address of a destination, without what follows the path. */
function pathOf({ to, params = {} }: Destination): string {
  return to.replace(/\$(\w+)/g, (_, name: string) => params[name] ?? '');
}

/** Whether something leads to the route itself, and not to another one whose address looks like it. */
function isReached(route: string): boolean {
  return destinations.some((to) => to.to === route || (!route.includes('$') && pathOf(to) === route));
}

/** Addresses that nobody goes to, with where they lead instead or what they are a part of. */
const noPlaces: Readonly<Record<string, string>> = {
  '/': 'leads to the dashboard',
  '/login': 'for those who are not signed in',
  '/documentation': 'leads to its first chapter',
  '/canisters': 'another address of /ics/canisters',
  '/ics/deploy/new': 'the form behind /ics/deploy, which has to know a repository',
  '/app/ecommerce/create': 'another address of /app/ecommerce/management/create',
  '/app/ecommerce/edit/$id': 'another address of /app/ecommerce/management/edit/$id',
  '/git/github/connected': 'where GitHub leads back to',
  '/$owner': 'where /git/connect leads to',
  '/$owner/$repo/tree/$': 'a branch on the page of a repository',
  '/$owner/$repo/code/$commit/$': 'a file on the page of a repository',
};

/** The paths of the router's routes, from its source: to load it would load the console. */
function pathsOfRouter(): string[] {
  const read = (name: string) => readFileSync(fileURLToPath(new URL(name, import.meta.url)), 'utf8');
  const named = new Map(
    [...read('../../../config/paths.ts').matchAll(/^ {2}(\w+): '([^']+)'/gm)].map(([, name, path]) => [
      name,
      path,
    ]),
  );
  const below: Readonly<Record<string, string>> = { deploy: '/ics/deploy/$id' };
  return [
    ...read('../../router.tsx').matchAll(
      /getParentRoute: \(\) => (\w+),\s*path: (?:paths\.(\w+)|'([^']+)'|(path)\b)/g,
    ),
  ].flatMap(([, parent = '', name, text, fromTable]) => {
    if (fromTable !== undefined) return [];
    const path = text ?? named.get(name);
    if (path === undefined) throw new Error(`The path ${name} is not in paths.ts.`);
    return [path.startsWith('/') ? path : `${below[parent]}/${path}`];
  });
}

test('the palette leads to every route, or it is said why not', () => {
  const routes = [...new Set([...routeTable.map(({ path }) => path as string), ...pathsOfRouter()])];
  expect(routes.length).toBeGreaterThan(35);
  expect(routes.filter((route) => !isReached(route)).toSorted()).toEqual(Object.keys(noPlaces).toSorted());
});

test('the palette leads to every chapter of the documentation and every tab of what has tabs', () => {
  const addresses = destinations.map(
    (to) => pathOf(to) + (to.search === undefined ? '' : `?${new URLSearchParams(to.search)}`),
  );
  const chapters = pageGroups.flatMap(({ pages }) => pages);
  expect(chapters.length).toBeGreaterThan(15);
  expect(addresses).toEqual(
    expect.arrayContaining([
      ...chapters.map(({ section, page }) => `/documentation/${section}/${page}`),
      ...['call', 'logs', 'settings', 'snapshots', 'history'].map(
        (tab) => `/ics/canister/rrkah-cai?tab=${tab}`,
      ),
      '/ics/deploy/d1/settings',
      ...['template', 'repositories', 'url', 'push'].map(
        (from) => `/ics/deploy?type=STATIC_SITE&from=${from}`,
      ),
    ]),
  );
});

test('two keys lead where an entry of the palette leads as well, each pair to another place', () => {
  expect(new Set(goKeys.map(({ key }) => key)).size).toBe(goKeys.length);
  for (const { entry, name, to } of goKeys) {
    const found = entries.find(({ id }) => id === entry);
    expect(found?.to, name).toEqual(to);
  }
});

test('the README says what the palette finds', () => {
  const readme = fileURLToPath(new URL('../../../../../../README.md', import.meta.url));
  expect(existsSync(readme)).toBe(true);
  expect(readFileSync(readme, 'utf8')).toContain(
    'Ctrl+K finds every screen, tab, chapter, canister, deploy, repository, dapp and action',
  );
});
