import type { PictureChoice } from '@cannery/contract';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Actor, AppContext } from '../../context.ts';
import type { Reader, Tx } from '../../db/tx.ts';
import { AppError, notFound } from '../../errors.ts';
import { sendPicture } from '../../http/send-picture.ts';
import { DAPP_PICTURE_PATH, takenPictureAddress } from '../../http/site-pictures.ts';
import type { DappRow } from './store.ts';

type DappPicture = Pick<DappRow, 'picture' | 'picture_of'>;

/** Canisters of a user with the pictures that were taken of them. */
function ownPictures(db: Reader, userId: string) {
  return db
    .selectFrom('canister_pictures')
    .innerJoin('canisters', 'canisters.id', 'canister_pictures.canister_id')
    .where('canisters.user_id', '=', userId);
}

/** The canisters of the user that run a module and have a picture of it, newest first. */
export async function listChoices(ctx: AppContext, user: Actor, wasm: string): Promise<PictureChoice[]> {
  const rows = await ownPictures(ctx.db, user.id)
    .select(['canisters.id', 'canisters.name', 'digest'])
    .where('canisters.module_hash', '=', wasm)
    .where('canister_pictures.module_hash', '=', wasm)
    .orderBy('taken_at', 'desc')
    .limit(MOST_CHOICES)
    .execute();
  return rows.map(({ id, name, digest }) => ({
    canister_id: id,
    canister_name: name,
    picture: takenPictureAddress(ctx.addresses, id, digest),
  }));
}

/** One answer's canisters. */
const MOST_CHOICES = 100;

/**
 * Copies the picture of a canister of the publisher to a dapp. It must show the module of the newest version, and the canister must
 * run that: both are read in the transaction that writes the choice down.
 * @param input.wasm the module of the newest version
 * @param input.chosen the canister; '' for no picture any more, and without a word the dapp keeps what it has
 * @returns what the dapp says of its picture from now on; undefined for what it has said so far
 * @throws AppError not_found for a canister that is not the publisher's or has no picture, invalid_input for another module
 */
export async function choosePicture(
  tx: Tx,
  publisher: Actor,
  { dappId, wasm, chosen }: { dappId: string; wasm: string; chosen: string | null | undefined },
): Promise<DappPicture | undefined> {
  if (chosen == null) return undefined;
  if (chosen === '') {
    await tx.deleteFrom('dapp_pictures').where('dapp_id', '=', dappId).execute();
    return { picture: null, picture_of: null };
  }
  const found = await ownPictures(tx, publisher.id)
    .select([
      'canisters.module_hash as running',
      'canister_pictures.module_hash as shown',
      'digest',
      'picture',
    ])
    .where('canisters.id', '=', chosen)
    // Whoever takes another picture, or deletes the canister, locks the canister first as well.
    .forShare('canisters')
    .executeTakeFirst();
  if (found === undefined) throw notFound('Picture');
  const { running, shown, digest, picture } = found;
  if (running !== wasm || shown !== wasm) {
    throw new AppError(
      'invalid_input',
      'The picture must be of a canister that runs the module of the newest version. Install it there, have a picture taken, and choose that.',
    );
  }
  await tx
    .insertInto('dapp_pictures')
    .values({ dapp_id: dappId, picture })
    .onConflict((conflict) => conflict.column('dapp_id').doUpdateSet({ picture }))
    .execute();
  return { picture: digest, picture_of: shown };
}

const CALLS_PER_MINUTE = 1200;
const params = z.object({ dappId: z.uuid(), digest: z.string().regex(/^[0-9a-f]{64}$/) });

/**
 * Serves the pictures of dapps in the marketplace. An image element carries no bearer token, so a picture is open to whoever has its
 * address, which the marketplace tells to who is signed in.
 */
export function addDappPictureRoutes(app: FastifyInstance, ctx: AppContext): void {
  app.get(
    `${DAPP_PICTURE_PATH}/:dappId/:digest`,
    { config: { rateLimit: { max: CALLS_PER_MINUTE, timeWindow: '1 minute' } } },
    async (request, reply) => {
      const { data } = params.safeParse(request.params);
      const found =
        data &&
        (await ctx.db
          .selectFrom('dapp_pictures')
          .innerJoin('dapps', 'dapps.id', 'dapp_pictures.dapp_id')
          .select('dapp_pictures.picture')
          .where('dapps.id', '=', data.dappId)
          .where('dapps.picture', '=', data.digest)
          .where('withdrawn_at', 'is', null)
          .executeTakeFirst());
      if (found === undefined) throw notFound('Picture');
      return sendPicture(reply, 'image/jpeg', found.picture);
    },
  );
}
