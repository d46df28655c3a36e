import type { BodyOf, marketplaceEndpoints } from '@cannery/contract';
import type { Actor, AppContext } from '../../context.ts';
import { answerOnce } from '../../db/answer-once.ts';
import type { Tx } from '../../db/tx.ts';
import { choosePicture } from './dapp-picture.ts';
import { insertDapp, setPicture } from './store.ts';
import { insertVersion } from './version-store.ts';
import { lockDocument } from '../document/store.ts';

type Submission = BodyOf<typeof marketplaceEndpoints.submit>;

/**
 * Puts a dapp into the marketplace, with its first version.
 * @param key what the client calls the request: of requests of one key, one is carried out and all get its answer
 * @returns its id
 * @throws AppError not_found for documents that are not the user's, quota_reached
 */
export async function submitDapp(
  ctx: AppContext,
  user: Actor,
  input: Submission,
  key: string | undefined,
): Promise<string> {
  const id = await ctx.transact(async (tx) => {
    const request = { userId: user.id, key, content: ['submit dapp', JSON.stringify(input)] };
    const dappId = await answerOnce(tx, request, () => keepDapp(tx, user, input));
    ctx.failpoint('dapp.submitting');
    return dappId;
  });
  ctx.failpoint('dapp.submitted');
  return id;
}

async function keepDapp(tx: Tx, user: Actor, input: Submission): Promise<string> {
  const { wasm } = input;
  const version = input.version.trim();
  const icon = input.icon || null;
  await requireOwnDocuments(tx, user.id, { wasm, icon });
  const dappId = await insertDapp(tx, {
    userId: user.id,
    username: user.username,
    name: input.name.trim(),
    gitUrl: input.git_url.trim(),
    description: input.description.trim(),
    icon,
    kind: input.kind ?? null,
    wasm,
    version,
  });
  const picture = await choosePicture(tx, user, { dappId, wasm, chosen: input.picture });
  if (picture !== undefined) await setPicture(tx, dappId, picture);
  await insertVersion(tx, { dappId, version, notes: (input.notes ?? '').trim(), identifier: wasm });
  return dappId;
}

/**
 * The documents of a dapp must be its uploader's; they are kept from being collected until the transaction ends.
 * @throws AppError not_found for one of somebody else as for one that does not exist
 */
export async function requireOwnDocuments(
  tx: Tx,
  userId: string,
  { wasm, icon }: { wasm?: string | undefined; icon?: string | null | undefined },
): Promise<void> {
  if (wasm !== undefined) await lockDocument(tx, { identifier: wasm, userId, kind: 'wasm' });
  if (icon) await lockDocument(tx, { identifier: icon, userId, kind: 'icon' });
}
