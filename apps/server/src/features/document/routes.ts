import { documentEndpoints } from '@cannery/contract';
import type { AppContext } from '../../context.ts';
import { userTenant } from '../../fairness/callers.ts';
import { FairTurns } from '../../fairness/fair-turns.ts';
import { type Route, uploadRoute } from '../../http/route.ts';
import { uploadWasm } from './upload-wasm.ts';

/** Uploads under way: each holds memory for what it checks, and lasts as long as its sender takes. */
const UPLOADS = { most: 16, perTenant: 2, waitingPerTenant: 4, what: 'uploads' };

export function documentRoutes(ctx: AppContext): Route[] {
  const turns = new FairTurns(UPLOADS);
  return [
    uploadRoute(documentEndpoints.uploadWasm, async ({ user, file }) => {
      const identifier = await turns.take(userTenant(user.id), () => uploadWasm(ctx, user, file.content));
      return { data: { identifier }, identifier };
    }),
  ];
}
