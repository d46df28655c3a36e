import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bring, InstallError, npmEnvironment } from './bring.mjs';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'cannery-bring-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const env = { ...process.env, npm_config_offline: 'true' };

interface Packed {
  readonly name: string;
  readonly os: string;
  readonly file: string;
}

/** A package for one platform, packed: its program is named as that of every other platform. */
function packed(name: string, os: string): Packed {
  const source = path.join(folder, `source-${name}`);
  mkdirSync(source);
  const manifest = {
    name,
    version: '1.0.0',
    os: [os],
    bin: { node: 'node' },
    scripts: { postinstall: 'touch script-ran; exit 1' },
  };
  writeFileSync(path.join(source, 'package.json'), JSON.stringify(manifest));
  writeFileSync(path.join(source, 'node'), '#!/bin/sh\n', { mode: 0o755 });
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
    cwd: source,
    env: npmEnvironment(env),
  });
  return { name, os, file: path.join(folder, `${name}-1.0.0.tgz`) };
}

/** Writes what `scripts/toolchain` holds for these packages. */
function locked(packages: readonly Packed[], hashed: (bytes: Buffer) => Buffer = (bytes) => bytes): string {
  const source = path.join(folder, 'locked');
  mkdirSync(source, { recursive: true });
  const optionalDependencies = Object.fromEntries(packages.map(({ name, file }) => [name, `file:${file}`]));
  const entries = packages.map(({ name, os, file }) => [
    `node_modules/${name}`,
    {
      version: '1.0.0',
      resolved: `file:${file}`,
      integrity: `sha512-${createHash('sha512')
        .update(hashed(readFileSync(file)))
        .digest('base64')}`,
      hasInstallScript: true,
      optional: true,
      os: [os],
      bin: { node: 'node' },
    },
  ]);
  const rootEntry = { name: 'locked', optionalDependencies };
  const lock = {
    name: 'locked',
    lockfileVersion: 3,
    requires: true,
    packages: { '': rootEntry, ...Object.fromEntries(entries) },
  };
  writeFileSync(path.join(source, 'package.json'), JSON.stringify({ ...rootEntry, private: true }));
  writeFileSync(path.join(source, 'package-lock.json'), JSON.stringify(lock));
  return source;
}

test('brings the package of this platform by its own path, and runs no install script', () => {
  const source = locked([packed('for-here', process.platform), packed('for-aix', 'aix')]);
  const target = path.join(folder, 'brought');
  expect(bring({ source, target, env })).toBe(true);
  const here = path.join(target, 'node_modules', 'for-here');
  expect(existsSync(path.join(here, 'node'))).toBe(true);
  expect(existsSync(path.join(here, 'script-ran'))).toBe(false);
  expect(existsSync(path.join(target, 'node_modules', 'for-aix'))).toBe(false);

  expect(bring({ source, target, env }), 'a second time').toBe(false);
  locked([packed('newer', process.platform)]);
  expect(bring({ source, target, env }), 'after a change of the lock file').toBe(true);
  expect(readdirSync(path.join(target, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
    'newer',
  ]);
});

test('a package with other bytes than the lock file says is refused and leaves nothing under the name', () => {
  const source = locked([packed('for-here', process.platform)], (bytes) =>
    Buffer.concat([bytes, Buffer.of(0)]),
  );
  const target = path.join(folder, 'brought');
  expect(() => bring({ source, target, env })).toThrow(InstallError);
  expect(existsSync(target)).toBe(false);
});

test('npm is not told of the npm that started us, but of its settings', () => {
  expect(
    npmEnvironment({
      PATH: '/bin',
      npm_config_registry: 'https://registry.example',
      npm_config_globalconfig: '/etc/npmrc',
      npm_config_local_prefix: '/here',
      npm_lifecycle_event: 'start',
      npm_package_json: '/here/package.json',
      npm_execpath: '/npm-cli.js',
    }),
  ).toEqual({
    PATH: '/bin',
    npm_config_registry: 'https://registry.example',
    npm_config_globalconfig: '/etc/npmrc',
  });
});
