import {
  canisterPictureEndpoints,
  type DappAnswer,
  type DappVersion,
  marketplaceEndpoints,
} from '@cannery/contract';
import { readSamples } from '../../builders/motoko/samples.ts';
import type { AppContext } from '../../context.ts';
import { userTenant } from '../../fairness/callers.ts';
import { FairSemaphore } from '../../fairness/fair-semaphore.ts';
import { type Route, route } from '../../http/route.ts';
import { dappPictureAddress } from '../../http/site-pictures.ts';
import { orderAfterInstall } from '../canister/pictures/order-picture.ts';
import { offerSample } from './offer-sample.ts';
import { rateDapp, readRating } from './rate-dapp.ts';
import { readInterface } from './read-interface.ts';
import { listChoices } from './dapp-picture.ts';
import { listDapps } from './list-dapps.ts';
import { type DappRow, findDapp } from './store.ts';
import { submitDapp } from './submit-dapp.ts';
import { type DappVersionRow, listVersions } from './version-store.ts';
import { restoreEarlierVersion } from './restore-earlier-version.ts';
import { readInstances } from './read-instances.ts';
import { upgradeInstance } from './upgrade-instance.ts';
import { updateDapp, withdrawDapp } from './update-dapp.ts';

/** A dapp as the API answers it, the same to everybody. */
function dappAnswer({ addresses }: Pick<AppContext, 'addresses'>, row: DappRow): DappAnswer {
  return {
    id: row.id,
    icon: row.icon,
    picture: row.picture === null ? null : dappPictureAddress(addresses, row.id, row.picture),
    picture_of: row.picture_of,
    name: row.name,
    app_name: row.name,
    git_url: row.git_url,
    description: row.description,
    wasm: row.wasm,
    version: row.version,
    created_at: row.created_at.toISOString(),
    user: { username: row.username },
    kind: row.kind,
    installs: row.installs,
    rating: row.rating,
    ratings: row.ratings,
  };
}

function toVersion(row: DappVersionRow & { size: number | null }): DappVersion {
  const { id, version, notes, identifier, size } = row;
  return { id, version, notes, identifier, created_at: row.created_at.toISOString(), size };
}

/** Samples under way: each is compiled, which takes a core for seconds. */
const SAMPLES = { most: 1, perTenant: 1, waitingPerTenant: 2, what: 'sample dapps' };

/** The marketplace, which is common to all signed-in users; a dapp is changed by its uploader only. */
export function marketplaceRoutes(ctx: AppContext): Route[] {
  const toAnswer = (row: DappRow): DappAnswer => dappAnswer(ctx, row);
  const offers = new FairSemaphore(SAMPLES);
  return [
    route(marketplaceEndpoints.list, async ({ query }) => (await listDapps(ctx.db, query)).map(toAnswer)),
    route(marketplaceEndpoints.one, async ({ params }) => toAnswer(await findDapp(ctx.db, params.id))),
    route(marketplaceEndpoints.versions, async ({ params }) => {
      const { id } = await findDapp(ctx.db, params.id);
      return (await listVersions(ctx.db, id)).map(toVersion);
    }),
    route(marketplaceEndpoints.interface, ({ user, params }) => readInterface(ctx, user, params.id)),
    route(marketplaceEndpoints.rating, ({ user, params }) => readRating(ctx, user, params.id)),
    route(marketplaceEndpoints.rate, async ({ user, params, body: { stars } }) => {
      await rateDapp(ctx, user, { dappId: params.id, stars });
      return { message: stars === null ? 'Rating withdrawn.' : 'Dapp rated.' };
    }),
    route(marketplaceEndpoints.instances, ({ user }) => readInstances(ctx, user)),
    route(marketplaceEndpoints.upgrade, async ({ user, body, idempotencyKey: key }) => {
      const { canister_id: canisterId, identifier, argument_hex: argumentHex } = body;
      await upgradeInstance(ctx, user, { canisterId, identifier, argumentHex, key });
      await orderAfterInstall(ctx, user, canisterId);
      return { message: 'Canister upgraded.' };
    }),
    route(marketplaceEndpoints.goBack, async ({ user, body, idempotencyKey: key }) => {
      await restoreEarlierVersion(ctx, user, { canisterId: body.canister_id, key });
      return { message: 'Canister is as it was before its upgrade.' };
    }),
    route(canisterPictureEndpoints.pictureChoices, ({ user, params }) =>
      listChoices(ctx, user, params.module),
    ),
    route(marketplaceEndpoints.samples, async () =>
      (await readSamples()).map(({ name, description }) => ({ name, description })),
    ),
    route(marketplaceEndpoints.offerSample, async ({ user, body }) => ({
      data: await offers.take(userTenant(user.id), () => offerSample(ctx, user, body.sample)),
    })),
    route(marketplaceEndpoints.submit, async ({ user, body, idempotencyKey: key }) => ({
      data: await submitDapp(ctx, user, body, key),
    })),
    route(marketplaceEndpoints.update, async ({ user, params, body, idempotencyKey: key }) => ({
      message: 'Dapp updated.',
      data: toAnswer(await updateDapp(ctx, user, { ...body, id: params.id, key })),
    })),
    route(marketplaceEndpoints.delete, async ({ user, params, idempotencyKey: key }) => {
      await withdrawDapp(ctx, user, { id: params.id, key });
      return { message: 'Dapp removed from the marketplace.' };
    }),
  ];
}
