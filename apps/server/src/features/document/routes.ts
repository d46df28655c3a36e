import { documentEndpoints } from '@cannery/contract';
import type { Actor, AppContext } from '../../context.ts';
import { userTenant } from '../../fairness/callers.ts';
import { FairSemaphore } from '../../fairness/fair-semaphore.ts';
import { type Route, route, uploadRoute } from '../../http/route.ts';
import { addSample, uploadWasm } from './upload-wasm.ts';
import { readIcon, uploadIcon } from './icons.ts';

/** Uploads under way: each holds memory for what it checks, and lasts as long as its sender takes. */
const UPLOADS = { most: 16, perTenant: 2, waitingPerTenant: 4, what: 'uploads' };
/** The first use of the sample compiles it, which takes a core for seconds. */
const SAMPLES = { most: 1, perTenant: 1, waitingPerTenant: 2, what: 'sample modules' };

export function documentRoutes(ctx: AppContext): Route[] {
  const turns = new FairSemaphore(UPLOADS);
  const samples = new FairSemaphore(SAMPLES);
  const inTurn = <T>(user: Actor, work: () => Promise<T>): Promise<T> =>
    turns.take(userTenant(user.id), work);
  return [
    uploadRoute(documentEndpoints.uploadWasm, async ({ user, file }) => {
      const { identifier, warnings } = await inTurn(user, () => uploadWasm(ctx, user, file.content));
      return { data: { identifier }, identifier, warnings: [...warnings] };
    }),
    route(documentEndpoints.addSample, async ({ user }) => {
      const identifier = await samples.take(userTenant(user.id), () => addSample(ctx, user));
      return { data: { identifier }, identifier };
    }),
    uploadRoute(documentEndpoints.uploadIcon, async ({ user, file }) => {
      const { identifier } = await inTurn(user, () => uploadIcon(ctx, user, file.content));
      return { data: { identifier }, identifier };
    }),
    route(documentEndpoints.get, async ({ user, params }) => ({
      data: await readIcon(ctx, user, params.identifier),
    })),
  ];
}
