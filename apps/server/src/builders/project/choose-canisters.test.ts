import { expect, test } from 'vitest';
import { chooseCanisters } from './choose-canisters.ts';
import type { MotokoCanister, SiteCanister } from './plan.ts';

const common = { folder: '', argument: null, settings: {} };

function code(name: string, ...dependencies: string[]): MotokoCanister {
  return { ...common, kind: 'motoko', name, main: `${name}.mo`, flags: [], dependencies };
}

function site(name: string, ...dependencies: string[]): SiteCanister {
  return { ...common, kind: 'site', name, sources: ['dist'], commands: [], dependencies };
}

const project = [
  site('page', 'shop'),
  code('shop', 'stock'),
  code('stock'),
  code('blog'),
  site('news', 'blog'),
];

function choose(canisters: string[], filled: string[]) {
  const { order, published, added } = chooseCanisters(
    project,
    { canisters, filled: new Set(filled) },
    'canister',
  );
  return { built: order.map(({ name }) => name), published: [...published].sort(), added };
}

test('without a choice everything is built and filled', () => {
  const { order, published, added } = chooseCanisters(project, null, 'canister');
  expect(order.map(({ name }) => name)).toEqual(['stock', 'shop', 'page', 'blog', 'news']);
  expect(published.size).toBe(5);
  expect(added).toEqual([]);
});

test('what is chosen brings what it needs, over several steps, where nothing is in it yet', () => {
  expect(choose(['page'], [])).toEqual({
    built: ['stock', 'shop', 'page'],
    published: ['page', 'shop', 'stock'],
    added: ['shop', 'stock'],
  });
  // What is live hides what lies behind it: nothing of it is chosen.
  expect(choose(['page'], ['shop', 'stock'])).toMatchObject({ published: ['page'], added: [] });
  expect(choose(['shop'], ['shop'])).toMatchObject({ published: ['shop', 'stock'], added: ['stock'] });
});

test('code that is live is built for its interface: where it is imported, and for the commands of a website', () => {
  expect(choose(['shop'], ['shop', 'stock', 'blog']).built).toEqual(['stock', 'shop']);
  expect(choose(['page'], ['shop', 'stock', 'blog', 'page', 'news']).built).toEqual([
    'stock',
    'shop',
    'page',
    'blog',
  ]);
  expect(choose(['blog'], ['shop', 'stock', 'blog']).built).toEqual(['blog']);
});

test('a name that the project does not have is refused with those that it has', () => {
  expect(() => choose(['pages'], [])).toThrow(
    "The project has no canister 'pages' to deploy alone. It has: page, shop, stock, blog, news.",
  );
});
