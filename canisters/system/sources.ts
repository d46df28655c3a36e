import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folders of the system canisters; each has a `main.mo`, and its module beside it. */
export const ledgerNames = ['icp-ledger', 'cycles-ledger'] as const;
export type LedgerName = (typeof ledgerNames)[number];

/** Motoko packages that the canisters use besides the compiler's own, and their folders in the project. */
export const packages: Readonly<Record<string, string>> = {
  token: 'examples/token-ledger/src',
  certified: 'examples/certified/src',
};

/** The version of the compiler, which decides about the module as the sources do. */
export const compilerVersion = '4.10.0';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Where the finished module is, compressed, and what it was made of. */
export const moduleUrl = (name: LedgerName): URL => new URL(`./${name}/${name}.wasm.gz`, import.meta.url);
export const stampUrl = (name: LedgerName): URL => new URL(`./${name}/${name}.stamp`, import.meta.url);

/** All sources of a canister, by their paths in the project. */
export async function sourcesOf(name: LedgerName): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const folder of [`canisters/system/${name}`, ...Object.values(packages)]) {
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
