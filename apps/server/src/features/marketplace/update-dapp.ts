import type { BodyOf, marketplaceEndpoints } from '@cannery/contract';
import type { Actor, AppContext } from '../../context.ts';
import { answerOnce } from '../../db/answer-once.ts';
import type { Tx } from '../../db/tx.ts';
import { lockedCanister } from '../canister/core/store.ts';
import { choosePicture } from './dapp-picture.ts';
import { requireOwnDocuments } from './submit-dapp.ts';
import { type DappChange, type DappRow, findDapp, lockDapp, saveDapp } from './store.ts';
import { insertVersion, renameNewestVersion } from './version-store.ts';

type Update = BodyOf<typeof marketplaceEndpoints.update>;

/**
 * Changes a dapp of the user. Another module is its next version; without one, version and notes are those of the
 * newest.
 * @param key what the client calls the request: of requests of one key, one is carried out
 * @throws AppError not_found, also for somebody else's dapp or document
 */
export async function updateDapp(
  ctx: AppContext,
  user: Actor,
  { id, key, ...change }: Update & { id: string; key: string | undefined },
): Promise<DappRow> {
  await ctx.transact(async (tx) => {
    const request = { userId: user.id, key, content: ['update dapp', id, JSON.stringify(change)] };
    await answerOnce(tx, request, async () => {
      // Before the dapp, as whoever books an installation locks them.
      if (change.picture) await lockedCanister(tx, { id: change.picture, userId: user.id });
      const dapp = await lockDapp(tx, user.id, id);
      await requireOwnDocuments(tx, user.id, change);
      const said = changed(dapp, change);
      const next = {
        ...said,
        ...(await choosePicture(tx, user, { dappId: id, wasm: said.wasm, chosen: change.picture })),
      };
      await saveDapp(tx, dapp, next);
      await keepVersion(tx, dapp, { ...next, notes: change.notes?.trim() });
      return id;
    });
    ctx.failpoint('dapp.updating');
  });
  ctx.failpoint('dapp.updated');
  return findDapp(ctx.db, id);
}

/** What is not given, or only blank, stays. */
function changed(dapp: DappRow, change: Update): DappChange {
  return {
    name: change.name?.trim() ?? dapp.name,
    description: change.description?.trim() ?? dapp.description,
    icon: change.icon == null ? dapp.icon : change.icon || null,
    picture: dapp.picture,
    picture_of: dapp.picture_of,
    kind: change.kind === undefined ? dapp.kind : change.kind,
    wasm: change.wasm ?? dapp.wasm,
    version: change.version?.trim() ?? dapp.version,
    withdrawn_at: null,
  };
}

async function keepVersion(
  tx: Tx,
  { id: dappId, wasm: before }: DappRow,
  { version, wasm, notes }: { version: string; wasm: string; notes: string | undefined },
): Promise<void> {
  if (wasm === before) await renameNewestVersion(tx, { dappId, version, notes });
  else await insertVersion(tx, { dappId, version, notes: notes ?? '', identifier: wasm });
}

/**
 * Takes a dapp of the user out of the marketplace. Nobody can install it any more; canisters that have it still name it.
 * @throws AppError not_found, also for somebody else's dapp
 */
export async function withdrawDapp(
  ctx: AppContext,
  user: Actor,
  { id, key }: { id: string; key: string | undefined },
): Promise<void> {
  await ctx.transact((tx) =>
    answerOnce(tx, { userId: user.id, key, content: ['withdraw dapp', id] }, async () => {
      const dapp = await lockDapp(tx, user.id, id);
      const none = await choosePicture(tx, user, { dappId: id, wasm: dapp.wasm, chosen: '' });
      await saveDapp(tx, dapp, { ...changed(dapp, {}), ...none, withdrawn_at: new Date() });
      return id;
    }),
  );
}
