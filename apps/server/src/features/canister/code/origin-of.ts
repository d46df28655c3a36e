import type { NamedOrigin } from '@cannery/contract';
import type { CodeOrigin } from '../../../db/tables/code-origin.ts';
import type { Reader } from '../../../db/tx.ts';
import { notFound } from '../../../errors.ts';
import type { Actor } from '../../../http/actor.ts';
import { findPublishedOrigin } from '../../document/published.ts';
import { ownsDocument } from '../../document/store.ts';
import { findRegistry } from '../../registry/store.ts';
import { findVersion } from '../../registry/version-store.ts';

/**
 * Where a module comes from, as the client says it; what it says must be true. Without a word it is a file of the user, and a
 * module of others comes from nowhere that is known: several dapps may have published it.
 * @throws AppError not_found where the named dapp or registry has no such module, or is not the user's to take from
 */
export async function originOf(
  db: Reader,
  user: Actor,
  { identifier, named }: { identifier: string; named: NamedOrigin | undefined },
): Promise<CodeOrigin> {
  if (named === undefined) {
    const isOwn = await ownsDocument(db, { identifier, userId: user.id, kind: 'wasm' });
    return { kind: isOwn ? 'file' : 'unknown' };
  }
  if ('dapp' in named) return findPublishedOrigin(db, { dappId: named.dapp, identifier });
  const { registry: registryId, version } = named;
  const { name } = await findRegistry(db, user.id, registryId);
  if ((await findVersion(db, user.id, { id: registryId, version })) !== identifier) throw notFound('Version');
  return { kind: 'registry', registryId, name, version };
}
