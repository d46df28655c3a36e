import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ledgerNames = ['icp-ledger', 'cycles-ledger'] as const;
/** The folders of the system canisters of Motoko alone; each has a `main.mo`, and its module beside it. */
export const canisterNames = [...ledgerNames, 'cmc'] as const;
export type CanisterName = (typeof canisterNames)[number];

type Packages = Readonly<Record<string, string>>;
const CERTIFIED: Packages = { certified: 'examples/certified/src' };
const OF_LEDGERS: Packages = { token: 'examples/token-ledger/src', ...CERTIFIED };

/** Motoko packages that a canister uses besides the compiler's own, and their folders in the project. */
export const packagesOf = (name: CanisterName): Packages => (name === 'cmc' ? CERTIFIED : OF_LEDGERS);

/** The version of the compiler, which decides about the module as the sources do. */
export const compilerVersion = '4.10.0';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Where the finished module is, compressed, and what it was made of. */
export const moduleUrl = (name: CanisterName): URL => new URL(`./${name}/${name}.wasm.gz`, import.meta.url);
export const stampUrl = (name: CanisterName): URL => new URL(`./${name}/${name}.stamp`, import.meta.url);

/** All sources of a canister, by their paths in the project. */
export async function sourcesOf(name: CanisterName): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const folder of [`canisters/system/${name}`, ...Object.values(packagesOf(name))]) {
    const files = await readdir(join(root, folder));
    for (const file of files.filter((each) => each.endsWith('.mo')).sort()) {
      found.set(`${folder}/${file}`, await readFile(join(root, folder, file), 'utf8'));
    }
  }
  return found;
}

/** The SHA-256 of all that the module is made from, and of the module: together they say whether it belongs to its sources. */
export function stampOf(sources: ReadonlyMap<string, string>, module: Uint8Array): string {
  const hash = createHash('sha256').update(`motoko ${compilerVersion}\n`);
  for (const [path, text] of sources) hash.update(`${path} ${Buffer.byteLength(text)}\n`).update(text);
  return `sources ${hash.digest('hex')}\nmodule ${createHash('sha256').update(module).digest('hex')}\n`;
}
