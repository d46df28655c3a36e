// Checks that our ic.did has the interface of the specification, and that the types made from it are up to date.
//   check-ic-did.ts           against the digest of the official ic.did
//   check-ic-did.ts <path>    against another ic.did, difference by difference
//   check-ic-did.ts --write   makes the types again
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { typesModule } from './ic-types.ts';

const OWN = new URL('../packages/ic/src/ic.did', import.meta.url);
const TYPES = new URL('../packages/ic/src/generated/ic-interface.ts', import.meta.url);

// What compares loads the table of methods, and that the types, which may not be there yet.
const comparison = () => import('./ic-interface.ts');

async function complaints(): Promise<string[]> {
  const did = readFileSync(OWN, 'utf8');
  if (!existsSync(TYPES) || readFileSync(TYPES, 'utf8') !== typesModule(did))
    return ['generated/ic-interface.ts is out of date; make it again: node scripts/check-ic-did.ts --write'];
  const { interfaceDifferences, interfaceDigest, SPECIFIED_DIGEST, statedMethods } = await comparison();
  const methods = statedMethods(did);
  const found = interfaceDifferences(methods).map((difference) => `The table is not ic.did: ${difference}`);
  if (interfaceDigest(methods) !== SPECIFIED_DIGEST)
    found.push('ic.did has not the interface that is specified; compare: check-ic-did.ts <path>');
  return found;
}

async function differencesFrom(path: string): Promise<string[]> {
  const { interfaceDifferences, interfaceDigest, statedMethods } = await comparison();
  const methods = statedMethods(readFileSync(path, 'utf8'));
  console.log(`digest ${interfaceDigest(methods)}`);
  return interfaceDifferences(methods);
}

const [argument] = process.argv.slice(2);
if (argument === '--write') {
  mkdirSync(new URL('.', TYPES), { recursive: true });
  writeFileSync(TYPES, typesModule(readFileSync(OWN, 'utf8')));
} else {
  const problems = await (argument === undefined ? complaints() : differencesFrom(argument));
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
