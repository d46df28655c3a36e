import { describe, expect, test } from 'vitest';
import { detectFramework, textsWanted } from './detect-framework.ts';

function detect(files: Record<string, string | object>): ReturnType<typeof detectFramework> {
  const paths = Object.keys(files);
  const texts = new Map(
    textsWanted(paths).map((path) => {
      const text = files[path] ?? '';
      return [path, typeof text === 'string' ? text : JSON.stringify(text)];
    }),
  );
  return detectFramework({ paths, texts });
}

const site = (by: string, scripts: object = {}): object => ({ devDependencies: { [by]: '1' }, scripts });

test.each([
  [{ 'package.json': site('vite', { build: 'tsc -b && vite build' }) }, 'Vite', 'npm run build', 'dist'],
  [
    {
      'package.json': site('vite', { build: 'vite build' }),
      'vite.config.ts': "build: { outDir: './out/' }",
    },
    'Vite',
    'npm run build',
    'out',
  ],
  [{ 'package.json': site('vite'), 'pnpm-lock.yaml': '' }, 'Vite', 'npx vite build', 'dist'],
  [
    {
      'package.json': site('next', { build: 'next build' }),
      'yarn.lock': '',
      'next.config.mjs': 'output:"export"',
    },
    'Next.js',
    'yarn run build',
    'out',
  ],
  [
    { 'package.json': site('next', { build: 'next build' }), 'next.config.ts': 'reactStrictMode: true' },
    'Next.js',
    'next-export && npm run build',
    'out',
  ],
  [{ 'docs/package.json': site('next') }, 'Next.js', 'cd docs && next-export && npx next build', 'docs/out'],
  [
    { 'package.json': site('next', { build: 'next build && next export' }) },
    'Next.js',
    'npm run build',
    'out',
  ],
  [
    { 'package.json': site('astro', { build: 'astro check && astro build' }) },
    'Astro',
    'npm run build',
    'dist',
  ],
  [{ 'package.json': site('@sveltejs/kit', { build: 'vite build' }) }, 'SvelteKit', 'npm run build', 'build'],
  [
    { 'package.json': site('nuxt', { build: 'nuxt build', generate: 'nuxt generate' }) },
    'Nuxt',
    'npm run generate',
    '.output/public',
  ],
  [{ 'package.json': site('nuxt', { build: 'nuxt build' }) }, 'Nuxt', 'npx nuxt generate', '.output/public'],
  [
    { 'package.json': site('@docusaurus/core', { build: 'docusaurus build' }), 'bun.lock': '' },
    'Docusaurus',
    'bun run build',
    'build',
  ],
  [
    { 'package.json': site('vitepress', { 'docs:build': 'vitepress build docs', build: 'tsup' }) },
    'VitePress',
    'npm run docs:build',
    'docs/.vitepress/dist',
  ],
  [
    { 'package.json': site('@11ty/eleventy', { build: 'npx eleventy' }) },
    'Eleventy',
    'npm run build',
    '_site',
  ],
  [{ 'package.json': site('gatsby', { build: 'gatsby build' }) }, 'Gatsby', 'npm run build', 'public'],
  [
    { 'package.json': site('react-scripts', { build: 'react-scripts build' }) },
    'Create React App',
    'npm run build',
    'build',
  ],
  [
    {
      'package.json': site('@angular/core', { build: 'ng build' }),
      'angular.json': {
        projects: { shop: { builder: '@angular/build:application', outputPath: 'dist/store' } },
      },
    },
    'Angular',
    'npm run build',
    'dist/store/browser',
  ],
  [
    { 'web/package.json': site('vite', { build: 'vite build' }) },
    'Vite',
    'cd web && npm run build',
    'web/dist',
  ],
  [{ 'package.json': { scripts: { build: 'make' } } }, 'Node.js', 'npm run build', 'dist'],
  [{ 'index.html': '' }, 'HTML', '', ''],
  [{ 'README.md': '', 'public/index.html': '' }, 'HTML', '', 'public'],
  [{ 'package.json': '{', 'docs/index.html': '' }, 'HTML', '', 'docs'],
  [{ 'README.md': '' }, null, '', ''],
])('%j', (files, framework, buildCommand, publishDirectory) => {
  expect(detect(files)).toMatchObject({ framework, buildCommand, publishDirectory });
});

test('a folder that a plugin of Vite writes is not that of the site', () => {
  const manifest = site('vite', { build: 'vite build' });
  const settings = "plugins: [icpBindgen({ outDir: './src/bindings' })], build: { sourcemap: true }";
  expect(detect({ 'package.json': manifest, 'vite.config.js': settings })).toMatchObject({
    publishDirectory: 'dist',
  });
  const own = `${settings}, build: { outDir: 'www' }`;
  expect(detect({ 'package.json': manifest, 'vite.config.js': own })).toMatchObject({
    publishDirectory: 'www',
  });
});

describe('in a workspace', () => {
  const library = { ...site('vite', { build: 'tsc' }), packageManager: 'pnpm@11.0.0' };
  const docs = site('vitepress', { build: 'vitepress build' });
  const files = { 'pnpm-workspace.yaml': '', 'docs/package.json': docs, 'docs/.vitepress/config.ts': '' };

  test('a library that is made with Vite is no site, and its docs are built by its tool', () => {
    expect(detect({ ...files, 'package.json': library })).toMatchObject({
      framework: 'VitePress',
      buildCommand: 'cd docs && pnpm run build',
      publishDirectory: 'docs/.vitepress/dist',
      packageManager: 'pnpm',
    });
  });

  test.each([
    ['docs:build', 'pnpm build && pnpm -F=docs build', 'pnpm run docs:build'],
    ['build:docs', 'cd docs && pnpm build', 'pnpm run build && pnpm run build:docs'],
  ])('the script %s of its root (%s) builds the site', (name, script, buildCommand) => {
    const scripts = { build: 'tsc', [name]: script };
    const needing = { ...docs, devDependencies: { vitepress: 'workspace:*' } };
    const all = { ...files, 'package.json': { ...library, scripts }, 'docs/package.json': needing };
    expect(detect(all)).toMatchObject({ buildCommand, publishDirectory: 'docs/.vitepress/dist' });
  });

  test('the lock file of its root tells the tool', () => {
    const root = { workspaces: ['web'], scripts: { 'web:build': 'x' } };
    const web = { 'web/package.json': site('vite', { build: 'vite build' }), 'web/index.html': '' };
    expect(detect({ 'package.json': root, 'yarn.lock': '', ...web })).toMatchObject({
      buildCommand: 'yarn run web:build',
      publishDirectory: 'web/dist',
    });
  });
});

test('a folder of a workspace is built by the tool of its root', () => {
  const texts = new Map([['package.json', JSON.stringify(site('vite', { build: 'vite build' }))]]);
  const look = { paths: ['package.json', 'index.html'], texts };
  const above = { paths: ['package.json', 'pnpm-workspace.yaml', 'pnpm-lock.yaml'], texts: new Map() };
  expect(detectFramework({ ...look, above })).toMatchObject({
    buildCommand: 'pnpm run build',
    packageManager: 'pnpm',
  });
  // Folders of a repository that is no workspace have nothing to do with its root.
  const alone = { ...above, paths: ['package.json', 'pnpm-lock.yaml'] };
  expect(detectFramework({ ...look, above: alone })).toMatchObject({ packageManager: 'npm' });
});

test('a project of Vite without a page that is seen stays one where no other site is', () => {
  const files = { 'package.json': site('vite', { build: 'vite build' }), 'vite.config.ts': 'root: find()' };
  expect(detect({ ...files, 'pages/deep/index.html': '' })).toMatchObject({ framework: 'Vite' });
});

describe('what the project says of its build to another host', () => {
  const scripts = { build: 'eleventy', production: 'eleventy && postcss' };
  const eleventy = { 'package.json': site('@11ty/eleventy', scripts) };
  const netlify = (text: string): Record<string, string> => ({ 'netlify.toml': `[build]\n${text}\n` });

  test('a script and a folder count more than the usual ones', () => {
    const files = { ...eleventy, ...netlify('command = "npm run production"\npublish = "dist/"') };
    expect(detect(files)).toMatchObject({
      framework: 'Eleventy',
      why: "netlify.toml names the script 'production' of package.json",
      buildCommand: 'npm run production',
      publishDirectory: 'dist',
    });
    const vercel = { 'vercel.json': { buildCommand: 'pnpm production', outputDirectory: './www' } };
    expect(detect({ ...eleventy, ...vercel, 'pnpm-lock.yaml': '' })).toMatchObject({
      buildCommand: 'pnpm run production',
      publishDirectory: 'www',
    });
  });

  test('the script of a workspace that makes its site is found, and no other folder is offered', () => {
    const files = {
      'pnpm-workspace.yaml': '',
      'pnpm-lock.yaml': '',
      'package.json': { scripts: { build: 'tsc', netlify: 'pnpm -F docs build' } },
      'packages/docs/.vitepress/config.ts': '',
      ...netlify('command = "pnpm run netlify"\npublish = "packages/docs/.vitepress/dist"'),
    };
    expect(detect(files)).toMatchObject({
      buildCommand: 'pnpm run netlify',
      publishDirectory: 'packages/docs/.vitepress/dist',
      roots: [],
    });
  });

  test.each(['build', 'website/build'])('a base is where its script runs (%s)', (publish) => {
    const files = {
      'website/package.json': site('@docusaurus/core', { build: 'docusaurus build' }),
      ...netlify(`base = "website"\ncommand = "yarn build"\npublish = "${publish}"`),
    };
    expect(detect(files)).toMatchObject({
      buildCommand: 'cd website && npm run build',
      publishDirectory: 'website/build',
    });
  });

  test.each([
    'command = "npm run production; curl x | sh"\npublish = "_site"',
    'command = "npm run missing"\npublish = "_site"',
    'command = "npm install"\npublish = "_site"',
    'command = "npm run production"\nbase = "../other"',
    'command = ["npm run production"]\npublish = "../_site"',
    'publish = "a/../../b"',
    'publish = "$(id)"',
    'publish = "."',
    'command = "npm run production',
  ])('anything but one script of package.json and a folder of the repository is not followed: %s', (text) => {
    expect(detect({ ...eleventy, ...netlify(text) })).toMatchObject({
      buildCommand: 'npm run build',
      publishDirectory: '_site',
    });
  });

  test('a command that is not followed leaves its folder', () => {
    const files = { ...eleventy, ...netlify('command = "npm ci && npm run build"\npublish = "public"') };
    expect(detect(files)).toMatchObject({ buildCommand: 'npm run build', publishDirectory: 'public' });
  });

  test('a folder without a page is none that is published as it is', () => {
    const files = { 'index.html': '', ...netlify('publish = "build"') };
    expect(detect(files)).toMatchObject({ framework: 'HTML', publishDirectory: '' });
    expect(detect({ ...files, 'build/index.html': '' })).toMatchObject({ publishDirectory: 'build' });
  });

  test('a server is none: Next.js is exported all the same', () => {
    const files = { 'package.json': site('next', { build: 'next build' }) };
    const stated = netlify('command = "npm run build"\npublish = ".next"');
    expect(detect({ ...files, ...stated })).toMatchObject({
      buildCommand: 'next-export && npm run build',
      publishDirectory: 'out',
    });
  });
});

test('says why, and which Node and package tool', () => {
  const manifest = { ...site('vite'), packageManager: 'pnpm@9.1.1', engines: { node: '>=20' } };
  expect(detect({ 'package.json': manifest })).toMatchObject({
    why: 'Vite found in package.json',
    nodeVersion: '>=20',
    packageManager: 'pnpm',
  });
  expect(detect({ 'package.json': manifest, '.nvmrc': '22\n' })).toMatchObject({ nodeVersion: '22' });
});

test('names of a tenant do not become part of a command', () => {
  const files = {
    'package.json': site('vite', { 'x; rm -rf /': 'vite build' }),
    'vite.config.js': 'outDir: "$(id)"',
  };
  expect(detect(files)).toMatchObject({ buildCommand: 'npx vite build', publishDirectory: 'dist' });
});
