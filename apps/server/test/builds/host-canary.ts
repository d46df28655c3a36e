import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A folder of the host that no build may read or change, made to look like what the server works on. */
export interface HostCanary {
  readonly folder: string;
  /** In the content of all its files; nothing that is told may have it. */
  readonly secret: string;
  /** What is different since it was made: paths with what they are now. */
  changes(): string[];
}

function stateOf(folder: string, within = ''): Map<string, string> {
  const state = new Map<string, string>();
  for (const name of readdirSync(join(folder, within)).sort()) {
    const path = join(within, name);
    const found = lstatSync(join(folder, path));
    const content = found.isFile()
      ? createHash('sha256')
          .update(readFileSync(join(folder, path)))
          .digest('hex')
      : '';
    state.set(path, [found.mode.toString(8), found.uid, found.nlink, found.mtimeMs, content].join(' '));
    if (found.isDirectory()) for (const [key, value] of stateOf(folder, path)) state.set(key, value);
  }
  return state;
}

/** Makes the canary. @param secret a word that numbers and versions can be made of, too */
export function hostCanary(folder: string, secret = `canary${crypto.randomUUID().slice(0, 8)}`): HostCanary {
  const files: Record<string, string> = {
    'package.json': JSON.stringify({
      name: secret,
      packageManager: 'yarn@1.99.9',
      dependencies: { honest: '1.0.0' },
      scripts: { prepare: `echo ${secret}` },
    }),
    '.nvmrc': `${secret}\n`,
    '.npmrc': `; ${secret}\n`,
    'yarn.lock': `# ${secret}\nhonest@1.0.0:\n  version "1.0.0"\n  resolved "https://registry.yarnpkg.com/honest/-/honest-1.0.0.tgz"\n`,
    '.yarnrc.yml': `nodeLinker: ${secret}\n`,
    'node_modules/honest/index.js': `// ${secret}\n`,
    'node_modules/.package-lock.json': JSON.stringify({
      packages: { [`node_modules/${secret}`]: { hasInstallScript: true } },
    }),
    'dist/index.html': `<p>${secret}</p>`,
    'index.html': `<p>${secret}</p>`,
    'main.mo': `persistent actor { /* ${secret} */ }`,
    'dfx.json': JSON.stringify({ canisters: { [secret]: { main: 'main.mo' } } }),
    'mops.toml': `[dependencies]\n${secret} = "1.0.0"\n`,
    '.gitmodules': `[submodule "${secret}"]\n\tpath = x\n\turl = https://example.org/x\n`,
    'module.wasm': secret,
    '.env': `SECRET=${secret}\n`,
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
    chmodSync(join(folder, path), 0o444);
  }
  const before = stateOf(folder);
  return {
    folder,
    secret,
    changes() {
      const now = stateOf(folder);
      const paths = new Set([...before.keys(), ...now.keys()]);
      return [...paths].filter((path) => before.get(path) !== now.get(path));
    },
  };
}
