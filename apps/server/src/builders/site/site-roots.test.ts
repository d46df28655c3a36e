import { expect, test } from 'vitest';
import { detectFramework } from './detect-framework.ts';
import { nothingText } from './other-kinds.ts';
import { siteRoots } from './site-roots.ts';

const folders = (paths: readonly string[]): string[] => siteRoots(paths).map(({ folder }) => folder);

test.each([
  [['README.md', 'docs/astro.config.mjs', 'docs/package.json', 'packages/x/package.json'], ['docs']],
  [['package.json', 'excalidraw-app/vite.config.mts', 'excalidraw-app/index.html'], ['excalidraw-app']],
  [
    ['apps/web/next.config.js', 'apps/docs/docusaurus.config.ts'],
    ['apps/docs', 'apps/web'],
  ],
  [['examples/a/svelte.config.js', 'examples/a/src/app.html', 'lib/svelte.config.js'], ['examples/a']],
  [
    ['packages/lib/vite.config.ts', 'packages/site/vite.config.ts', 'packages/site/index.html'],
    ['packages/site'],
  ],
  [['guide/.vitepress/config.mts'], ['guide']],
  [['client/package.json', 'client/public/index.html'], ['client']],
  // Pages only where no generator is.
  [['landing/index.html', 'a/b/c/index.html'], ['landing']],
  [['landing/index.html', 'web/angular.json'], ['web']],
  // What belongs to another project.
  [['test/fixtures/astro.config.mjs', 'node_modules/x/next.config.js', '.github/index.html'], []],
  // The repository itself is the site.
  [['astro.config.mjs', 'examples/a/astro.config.mjs'], []],
  [['index.html', 'demo/index.html'], []],
])('sites of %j are in %j', (paths, expected) => expect(folders(paths)).toEqual(expected));

test('of many folders five are offered, those least deep first', () => {
  const deep = Array.from(
    { length: 20 },
    (_, at) => `examples/e${String(at).padStart(2, '0')}/astro.config.mjs`,
  );
  expect(folders([...deep, 'web/astro.config.mjs', 'a/b/c/d/e/astro.config.mjs'])).toEqual([
    'web',
    ...['e00', 'e01', 'e02', 'e03'].map((name) => `examples/${name}`),
  ]);
});

function look(files: Record<string, string>): ReturnType<typeof detectFramework> {
  return detectFramework({ paths: Object.keys(files), texts: new Map(Object.entries(files)) });
}

test('a workspace whose root is recognised offers its sites as well; another repository does not', () => {
  const app = { 'app-x/vite.config.ts': '', 'app-x/index.html': '' };
  const manifest = { devDependencies: { vite: '1' }, scripts: { build: 'yarn --cwd app-x build' } };
  const workspace = JSON.stringify({ ...manifest, workspaces: ['app-x'] });
  expect(look({ 'package.json': workspace, ...app })).toMatchObject({
    // Its script builds; Vite is that of the folder with the page.
    framework: 'Node.js',
    roots: [{ folder: 'app-x', file: 'vite.config.ts' }],
    advice: null,
  });
  expect(look({ 'package.json': JSON.stringify(manifest), ...app }).roots).toEqual([]);
});

test('a package with a page among its sources is offered, as builds of bun have it', () => {
  const manifest = JSON.stringify({
    workspaces: ['apps/*'],
    scripts: { build: 'bun run --workspaces build' },
  });
  const app = { 'apps/web/package.json': '{}', 'apps/web/src/index.html': '' };
  expect(look({ 'package.json': manifest, ...app }).roots).toEqual([
    { folder: 'apps/web', file: 'package.json' },
  ]);
});

test('where nothing is recognised, it is said with what to do', () => {
  expect(look({ 'starlight/astro.config.mjs': '' })).toMatchObject({
    framework: null,
    roots: [{ folder: 'starlight', file: 'astro.config.mjs' }],
    advice: 'Nothing that can be published was found. Set the folder of the site as Root directory.',
  });
  expect(look({ 'README.md': '' }).advice).toMatch(
    /^Nothing that can be published was found\. Set the folder of the site .* or choose another repository/,
  );
});

test.each([
  [{ '_config.yml': '', Gemfile: '' }, 'a site for Jekyll', '_site'],
  [{ '_config.yml': '', '_posts/a.md': '' }, 'a site for Jekyll', '_site'],
  [{ 'hugo.toml': '' }, 'a site for Hugo', 'public'],
  [{ 'config.toml': '', 'content/a.md': '', 'archetypes/default.md': '' }, 'a site for Hugo', 'public'],
  [{ 'config.toml': '', 'content/a.md': '', 'templates/a.html': '' }, 'a site for Zola', 'public'],
  [{ 'mkdocs.yml': '' }, 'a site for MkDocs', 'commit what it writes'],
  [{ 'book.toml': '', 'src/SUMMARY.md': '' }, 'a book for mdBook', 'book'],
  [{ 'docs/conf.py': '' }, 'documentation for Sphinx', '_build/html'],
  [{ 'Cargo.toml': '' }, 'a Rust project', 'Choose Whole project'],
  [{ 'dfx.json': '{"canisters":{"a":{"type":"azle"}}}' }, 'a project of Azle', 'commit the WebAssembly'],
  [{ 'package.json': '{"dependencies":{"azle":"1"}}' }, 'a project of Azle', 'commit the WebAssembly'],
  [{ 'dfx.json': '{"canisters":{"a":{"type":"kybra"}}}' }, 'a project of Kybra', 'commit the WebAssembly'],
  [{ 'dfx.json': '{}' }, 'a project of canisters', 'Choose Whole project'],
  [{ 'mops.toml': '' }, 'a Motoko package', 'Choose Motoko canisters'],
] as const)('%j is named as what it is', (files, name, next) => {
  const { framework, advice } = look(files as unknown as Record<string, string>);
  expect(framework).toBeNull();
  expect(advice).toContain(`Nothing that can be published was found. This is ${name}`);
  expect(advice).toContain(next);
});

const dfx = (canisters: object): Record<string, string> => ({
  'dfx.json': JSON.stringify({ canisters, networks: { local: { type: 'ephemeral' } } }),
});
const site = { 'package.json': JSON.stringify({ devDependencies: { vite: '8' } }) };

test.each([
  [dfx({ a: { main: 'a.mo' }, b: { type: 'motoko', main: 'b.mo' } }), 'MOTOKO'],
  [dfx({ a: { main: 'a.mo' }, b: { type: 'assets' } }), 'CUSTOM'],
  [dfx({ a: { type: 'rust' } }), 'CUSTOM'],
  [dfx({ a: { type: 'azle' } }), null],
  [{ 'dfx.json': '{' }, 'CUSTOM'],
  [{ 'icp.yaml': '' }, 'CUSTOM'],
  [{ 'mops.toml': '' }, 'MOTOKO'],
  [{ 'src/main.mo': 'persistent actor {}' }, 'MOTOKO'],
  [{ 'locale/de.mo': '' }, null],
  [{ 'Cargo.toml': '' }, 'CUSTOM'],
  [{ 'mkdocs.yml': '' }, null],
  [{ 'README.md': '' }, null],
  // Of a project with canisters, a site is a part; beside a package of Motoko or Rust it is what the repository is for.
  [{ ...dfx({ a: { main: 'a.mo' }, web: { type: 'assets' } }), ...site }, 'CUSTOM'],
  [{ 'mops.toml': '', ...site }, null],
  [{ 'Cargo.toml': '', 'index.html': '' }, null],
  [{ 'index.html': '' }, null],
])('%j is deployed best as %s', (files, type) => {
  expect(look(files as unknown as Record<string, string>).betterType).toBe(type);
});

test('the work for names grows with their number only', () => {
  const paths = (count: number) =>
    Array.from({ length: count }, (_, at) => `packages/p${at}/${'a/'.repeat(at % 9)}vite.config.ts`);
  const before = process.threadCpuUsage();
  for (let count = 0; count < 10; count += 1) {
    siteRoots(paths(20_000));
    nothingText(paths(20_000), new Map(), false);
  }
  const { user, system } = process.threadCpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(10_000);
});
