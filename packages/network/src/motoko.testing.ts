import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import moc from 'motoko';

const require = createRequire(import.meta.url);
/** The package's types and its module system disagree about where the compiler is. */
const motoko = moc.default;
let prepared = false;

/** Compiles one Motoko actor that may use `mo:core`; its interface is public metadata. */
export function compileMotoko(source: string): Uint8Array {
  if (!prepared) {
    motoko.loadPackage(JSON.parse(readFileSync(require.resolve('motoko/packages/latest/core.json'), 'utf8')));
    motoko.setPublicMetadata(['candid:service', 'candid:args']);
    prepared = true;
  }
  motoko.write('Main.mo', source);
  const { wasm } = motoko.wasm('Main.mo', 'ic') as { wasm: Uint8Array };
  return new Uint8Array(wasm);
}
