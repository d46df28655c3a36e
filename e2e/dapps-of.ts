import { randomUUID } from 'node:crypto';
import { emptyModule } from './canisters-of.ts';

/** A module like no other that does nothing: its only section has a name that is made up. */
export function uniqueModule(): Buffer {
  const name = randomUUID();
  return Buffer.concat([emptyModule, Buffer.from([0, name.length + 1, name.length]), Buffer.from(name)]);
}
