import type { TestPackage } from './package-registry.ts';

/** A release that no registry has but the test's. */
export const TOOL_VERSION = '9.9.9';

/**
 * A package tool that notes how it was called. The real ones need the real registry; docs/static-sites.md has the
 * projects that were built with them.
 */
const TOOL = `#!/usr/bin/env node
const { appendFileSync, existsSync, mkdirSync } = require('node:fs');
const args = process.argv.slice(2);
// The user's caches are where packages are installed, and nowhere else.
const mark = '/var/cache/npm/seen-by-install';
if (args[0] === 'install') try { appendFileSync(mark, ''); } catch {}
const canWrite = (path) => { try { appendFileSync(path, ''); return true; } catch { return false; } };
console.log('TOOL ' + JSON.stringify({
  args,
  cwd: process.cwd(),
  cache: existsSync(mark),
  itself: canWrite(__filename),
  registry: process.env.npm_config_registry,
  ci: process.env.CI,
}));
if (args.includes('--frozen-lockfile') && existsSync('unfit')) {
  console.log(' ERR_PNPM_OUTDATED_LOCKFILE  Cannot install');
  process.exit(1);
}
if (args[0] === 'install' && existsSync('broken')) {
  mkdirSync('node_modules/half', { recursive: true });
  console.log('error https://registry.example/honest-darwin.tgz: Request failed "404 Not Found"');
  // What it does after that is of no use; whoever waits for it waits too long.
  setTimeout(() => process.exit(0), 60_000);
  return;
}
if (args[0] === 'install') mkdirSync('node_modules');
`;

/** A release of yarn's first line that no registry has but the test's. */
export const YARN_VERSION = '1.99.9';

/** The tool as packages of the test's registry. */
export const toolPackages: Record<string, TestPackage> = {
  pnpm: {
    files: { 'tool.cjs': TOOL },
    manifest: {
      version: TOOL_VERSION,
      bin: { pnpm: 'tool.cjs' },
      scripts: { install: 'touch /build/source/ran-tool' },
    },
  },
  yarn: { files: { 'tool.cjs': TOOL }, manifest: { version: YARN_VERSION, bin: { yarn: 'tool.cjs' } } },
  // As npm writes the name of a package with a scope into an address.
  '@icp-sdk%2fic-wasm-linux-x64': {
    files: { 'bin/ic-wasm': '#!/bin/sh\necho "ic-wasm was called: $*"\n' },
    manifest: { name: '@icp-sdk/ic-wasm-linux-x64', version: '0.11.1' },
  },
};
