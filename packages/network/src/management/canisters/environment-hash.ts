import { createHash } from 'node:crypto';
import type { EnvironmentVariable } from '../../state/settings.ts';

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Hash of the variables as a map from text to text ("Representation-independent hashing", hash of map). */
export function environmentHash(variables: readonly EnvironmentVariable[]): Uint8Array {
  const entries = variables.map(({ name, value }) => Buffer.concat([sha256(name), sha256(value)]));
  const hash = createHash('sha256');
  for (const entry of entries.toSorted(Buffer.compare)) hash.update(entry);
  return new Uint8Array(hash.digest());
}
