import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { writeSiteTools } from './write-site-tools.ts';

const root = mkdtempSync(join(tmpdir(), 'cannery-next-export-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

mkdirSync(join(root, 'commands'));
await writeSiteTools({ root });

/** Reads the settings as Next.js does, and prints them. */
const READ = `import('./' + process.argv[1]).then(async ({ default: given }) => {
  const settings = typeof given === 'function' ? await given('phase-production-build', {}) : await given;
  console.log(JSON.stringify(settings));
});`;

let count = 0;

/** A project with these files, after the command has run in it. */
function exported(files: Record<string, string>): { said: string; folder: string } {
  const folder = join(root, `project-${count++}`);
  mkdirSync(join(folder, 'node_modules/next'), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return { said: run(folder), folder };
}

function run(folder: string): string {
  return execFileSync(join(root, 'commands/next-export'), { cwd: folder, encoding: 'utf8' });
}

function settingsOf(folder: string, name: string): unknown {
  return JSON.parse(execFileSync(process.execPath, ['-e', READ, name], { cwd: folder, encoding: 'utf8' }));
}

test.each([
  [
    'next.config.js',
    { 'next.config.js': "module.exports = { basePath: '/a', images: { domains: ['x'] } };" },
  ],
  [
    'next.config.js',
    {
      'next.config.js':
        "module.exports = async () => ({ basePath: '/a', images: { domains: ['x'], unoptimized: undefined } });",
    },
  ],
  [
    'next.config.js',
    {
      'next.config.js':
        "module.exports = Promise.resolve({ output: 'standalone', basePath: '/a', images: { domains: ['x'] } });",
    },
  ],
  ['next.config.js', { 'next.config.js': "export default { basePath: '/a', images: { domains: ['x'] } };" }],
  [
    'next.config.js',
    {
      'package.json': '{"type":"module"}',
      'next.config.js': "const a = { basePath: '/a', images: { domains: ['x'] } };\nexport { a as default };",
    },
  ],
  [
    'next.config.mjs',
    {
      'next.config.mjs':
        "export default (phase) => ({ basePath: phase === 'phase-production-build' ? '/a' : '', images: { domains: ['x'] } });",
    },
  ],
])('%s: %j', (name, files: Record<string, string>) => {
  const { folder, said } = exported(files);
  expect(said).toContain(`${name} asks for a static site`);
  const wanted = { output: 'export', basePath: '/a', images: { domains: ['x'], unoptimized: true } };
  expect(settingsOf(folder, name)).toEqual(wanted);
  // A script may name it twice.
  expect(run(folder)).toBe('');
  expect(settingsOf(folder, name)).toEqual(wanted);
});

test('makes settings where a project has none', () => {
  const { folder } = exported({});
  expect(settingsOf(folder, 'next.config.mjs')).toEqual({ output: 'export', images: { unoptimized: true } });
});

test('imports settings in TypeScript without their ending, and keeps them from being checked', () => {
  const { folder } = exported({ 'next.config.ts': 'export default { reactStrictMode: true };' });
  expect(readdirSync(folder).sort()).toEqual(['next.config.given.ts', 'next.config.ts', 'node_modules']);
  expect(readFileSync(join(folder, 'next.config.ts'), 'utf8')).toMatch(
    /^\/\/ @ts-nocheck\nimport given from '\.\/next\.config\.given';\n/,
  );
});

test('leaves pictures to a loader of the project', () => {
  const { folder } = exported({
    'next.config.mjs': "export default { images: { loader: 'custom', loaderFile: './x.js' } };",
  });
  expect(settingsOf(folder, 'next.config.mjs')).toEqual({
    output: 'export',
    images: { loader: 'custom', loaderFile: './x.js' },
  });
});

test('says where a release does not know the setting, and changes nothing', () => {
  const files = { 'next.config.js': 'module.exports = {};' };
  const { folder } = exported(files);
  rmSync(join(folder, 'next.config.given.js'));
  writeFileSync(join(folder, 'next.config.js'), files['next.config.js']);
  writeFileSync(join(folder, 'node_modules/next/package.json'), '{"version":"13.2.9"}');
  expect(run(folder)).toBe(
    "next-export: Next.js 13.2.9 does not know output: 'export': add 'next export' to the script that builds.\n",
  );
  expect(readFileSync(join(folder, 'next.config.js'), 'utf8')).toBe(files['next.config.js']);
});
