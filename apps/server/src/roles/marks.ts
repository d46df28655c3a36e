import type { Addresses, Config } from '../config/config.ts';
import type { matchMarks } from '../db/deployment-marks.ts';
import { markOfKey } from '../keyring/keyring.ts';

/** What this process must have as the first one of its database has it: of keys a value that tells nothing of them. */
export function marksOf(
  { role, bucket }: Pick<Config, 'role' | 'bucket'>,
  { addresses, principal, key }: { addresses: Addresses; principal: string; key: Buffer },
): Parameters<typeof matchMarks>[1] {
  const shared = {
    'public-url': addresses.publicUrl,
    'secrets-key': markOfKey(key),
  };
  if (role === 'git' || bucket === undefined) return shared;
  return { ...shared, identity: principal, bucket: `${bucket.url}/${bucket.bucket}` };
}
