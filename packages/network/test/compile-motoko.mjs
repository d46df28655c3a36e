// Compiles the Motoko source on standard input and writes the module to standard output. Its own process:
// the compiler keeps global state, so that one process cannot switch between the two kinds of persistence.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const motoko = require('motoko').default ?? require('motoko');
motoko.loadPackage(JSON.parse(readFileSync(require.resolve('motoko/packages/latest/core.json'), 'utf8')));
motoko.setPublicMetadata(['candid:service', 'candid:args']);
if (process.argv[2] === 'classic') motoko.compiler.gcFlags('classicOP');
motoko.write('Main.mo', readFileSync(0, 'utf8'));
writeFileSync(1, motoko.wasm('Main.mo', 'ic').wasm);
