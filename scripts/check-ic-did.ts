// Checks that our management canister has the interface of the specification, and that our statement of it is up to date.
//   check-ic-did.ts           against the digest of the official ic.did
//   check-ic-did.ts <path>    against another ic.did, difference by difference
//   check-ic-did.ts --write   writes our statement of the interface
import { readFileSync, writeFileSync } from 'node:fs';
import {
  interfaceDifferences,
  interfaceDigest,
  interfaceText,
  SPECIFIED_DIGEST,
  statedMethods,
  tableMethods,
} from './ic-interface.ts';

const OWN = new URL('../packages/network/src/management/ic.did', import.meta.url);

function complaints(): string[] {
  const found: string[] = [];
  if (interfaceDigest(tableMethods()) !== SPECIFIED_DIGEST) {
    found.push(
      'The management canister has not the interface of the pinned ic.did; compare: check-ic-did.ts <path>',
    );
  }
  if (readFileSync(OWN, 'utf8') !== interfaceText()) {
    found.push('management/ic.did is out of date; write it again: check-ic-did.ts --write');
  }
  return found;
}

function differencesFrom(path: string): string[] {
  const methods = statedMethods(readFileSync(path, 'utf8'));
  console.log(`digest ${interfaceDigest(methods)}`);
  return interfaceDifferences(methods);
}

const [argument] = process.argv.slice(2);
if (argument === '--write') {
  writeFileSync(OWN, interfaceText());
} else {
  const problems = argument === undefined ? complaints() : differencesFrom(argument);
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
