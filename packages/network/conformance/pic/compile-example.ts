import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';

/**
 * A process that compiles one Motoko canister of the examples, since the compiler keeps what it was told: `argv` names the folder that its
 * files are in, the file to begin with, and the file to write, which is packed by gzip.
 */

interface Motoko {
  loadPackage(described: unknown): void;
  setPublicMetadata(names: readonly string[]): void;
  write(path: string, text: string): void;
  wasm(path: string, mode: 'ic'): { readonly wasm: Uint8Array };
}

const [folder = '', main = '', output = ''] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const motoko = require('motoko') as Motoko;

motoko.loadPackage(JSON.parse(readFileSync(require.resolve('motoko/packages/latest/core.json'), 'utf8')));
motoko.setPublicMetadata(['candid:service', 'candid:args']);
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath, entry.name);
  if (entry.isFile() && entry.name.endsWith('.mo'))
    motoko.write(relative(folder, path), readFileSync(path, 'utf8'));
}
writeFileSync(output, gzipSync(motoko.wasm(main, 'ic').wasm));
