// Compares our management canister with an ic.did, the one of the specification: check-ic-did.ts <path>.
// With --write it writes our own statement of the interface instead.
import { readFileSync, writeFileSync } from 'node:fs';
import { interfaceDifferences, interfaceText, statedMethods } from './ic-interface.ts';

const OWN = new URL('../packages/network/src/management/ic.did', import.meta.url);

const [argument] = process.argv.slice(2);
if (argument === undefined) {
  console.error('usage: check-ic-did.ts <path of an ic.did> | --write');
  process.exit(2);
}
if (argument === '--write') {
  writeFileSync(OWN, interfaceText());
} else {
  const differences = interfaceDifferences(statedMethods(readFileSync(argument, 'utf8')));
  for (const difference of differences) console.error(difference);
  process.exit(differences.length === 0 ? 0 : 1);
}
